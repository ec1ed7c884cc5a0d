import { lstatSync, readFileSync, type Stats } from 'node:fs';
import { join } from 'node:path';

/** Where a process that stays answers, and by what both sides know each other. */
export type ServedPlace = {
  readonly path: string;
  /** What a hook shows to be answered. */
  readonly asks: string;
  /** What an answer carries to be believed. */
  readonly answers: string;
};

/** Files of the process that stays, in a folder of their own that nobody else may enter. */
export function servedFiles(workspaceFolder: string): {
  readonly folder: string;
  readonly path: string;
  readonly keys: string;
  /** Held by who makes or takes away the others. */
  readonly lock: string;
} {
  const folder = join(workspaceFolder, 'serve');
  return { folder, path: join(folder, 'hook.sock'), keys: join(folder, 'keys'), lock: join(folder, 'lock') };
}

/**
 * The place of the process that stays, where there is one to be believed: folder, socket and keys belong to who asks and
 * are closed to everybody else. Null otherwise: then each hook answers for itself.
 */
export function servedPlace(workspaceFolder: string): ServedPlace | null {
  const own = process.getuid?.();
  if (own === undefined) return null;
  const { folder, path, keys } = servedFiles(workspaceFolder);
  try {
    const closed = (stats: Stats): boolean => stats.uid === own && (stats.mode & 0o077) === 0;
    const inside = lstatSync(folder);
    if (!inside.isDirectory() || !closed(inside)) return null;
    const socket = lstatSync(path);
    const file = lstatSync(keys);
    if (!socket.isSocket() || !closed(socket) || !file.isFile() || !closed(file)) return null;
    const [, asks, answers] = /^([0-9a-f]{64}) ([0-9a-f]{64})\n$/.exec(readFileSync(keys, 'utf8')) ?? [];
    return asks === undefined || answers === undefined ? null : { path, asks, answers };
  } catch {
    return null;
  }
}
