export type { Capture, CaptureOptions, ConversationLine } from './capture.ts';
export { createCapture } from './capture.ts';
export { loadConfig } from './load-config.ts';
export { loadPermissions } from './load-permissions.ts';
export type { PermissionsFile } from './permissions-file.ts';
export { parsePermissions } from './permissions-file.ts';
export type { ConfigFile, ConfigOptions } from './profile-file.ts';
export { parseConfig } from './profile-file.ts';
