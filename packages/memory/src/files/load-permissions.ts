import { readFileSync } from 'node:fs';
import { formatFault } from '@warrant/core/documents';
import { fault } from '../errors.ts';
import type { MemoryPermissions } from '../permissions.ts';
import { parsePermissions } from './permissions-file.ts';

/** The permissions of a file. @throws MEMORY_INVALID_PERMISSIONS with every fault and its line; also for a file that cannot be read */
export function loadPermissions(path: string): MemoryPermissions {
  const parsed = parsePermissions({ file: path, text: read(path) });
  if (parsed.type === 'ok') return parsed.permissions;
  const faults = parsed.faults.map(formatFault);
  throw fault('MEMORY_INVALID_PERMISSIONS', `the permission file is faulty:\n${faults.join('\n')}`, { path, faults });
}

function read(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (cause) {
    // No rights are derived from a file that was named and is not there.
    throw fault('MEMORY_INVALID_PERMISSIONS', `the permission file cannot be read: ${path}`, { path }, cause);
  }
}
