export type {
  CreateWorkspaceOptions,
  OpenWorkspaceOptions,
  Workspace,
  WorkspaceConfig,
  WorkspacePaths,
  WorkspacePolicies,
} from '@warrant/workspace';
export {
  createWorkspace,
  findWorkspace,
  openWorkspace,
  readConfig,
  WORKSPACE_FOLDER,
  workspacePaths,
} from '@warrant/workspace';
