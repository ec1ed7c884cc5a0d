export { readConfig } from './config/read-config.ts';
export type { WorkspaceConfig } from './config/schema.ts';
export type { CreateWorkspaceOptions } from './create.ts';
export { createWorkspace } from './create.ts';
export type { OpenWorkspaceOptions, Workspace } from './open.ts';
export { openWorkspace } from './open.ts';
export type { WorkspacePaths } from './paths.ts';
export { findWorkspace, WORKSPACE_FOLDER, workspacePaths } from './paths.ts';
export type { WorkspacePolicies } from './policies.ts';
