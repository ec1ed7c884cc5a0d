import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { MemoryConfig } from '../config/profiles.ts';
import type { MemoryPermissions } from '../permissions.ts';
import { loadConfig } from './load-config.ts';
import { loadPermissions } from './load-permissions.ts';

/** What lies beside a memory's file, for `openMemory`: `permissions.yaml` and `memory.yaml`, each where it is there. @throws MEMORY_INVALID_PERMISSIONS, MEMORY_INVALID_CONFIG */
export function loadSettings(folder: string): {
  readonly permissions?: MemoryPermissions;
  readonly config?: MemoryConfig;
} {
  const permissions = join(folder, 'permissions.yaml');
  const config = join(folder, 'memory.yaml');
  return {
    ...(existsSync(permissions) && { permissions: loadPermissions(permissions) }),
    ...(existsSync(config) && { config: loadConfig(config) }),
  };
}
