export { loadPermissions } from './load-permissions.ts';
export type { PermissionsFile } from './permissions-file.ts';
export { parsePermissions } from './permissions-file.ts';
