import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import type { ReviewEvent } from '@warrant/core';
import { parseLine } from '../chain.ts';
import { isMapping } from '../faults.ts';
import { appendedText, readTail } from './audit-log.ts';
import { type FileOps, replaceFile } from './file-ops.ts';

/**
 * Everything that one commit changes, written down before the first change. From then on the commit has happened: whoever
 * works in the folder next carries it out from here, and carrying it out twice changes nothing.
 */
export type Intent = {
  /** Paths are relative to the folder. */
  readonly puts: readonly { readonly path: string; readonly text: string }[];
  readonly removes: readonly string[];
  readonly log: {
    /** The log's length before, and what is appended to it. */
    readonly offset: number;
    readonly text: string;
    /** The same events, for when somebody else appended in between. */
    readonly events: readonly ReviewEvent[];
    readonly ids: readonly string[];
    readonly kbId: string | null;
  };
};

export const LOG_FILE = 'audit.log.jsonl';

export function writeIntent(files: FileOps, path: string, intent: Intent): void {
  const body = JSON.stringify(intent);
  files.write(path, `${checksum(body)}\n${body}`);
  files.syncDirectory(dirname(path));
}

/** A torn intent counts as none: nothing was changed on its account yet. */
export function readIntent(files: FileOps, path: string): Intent | null {
  const text = files.read(path)?.toString('utf8');
  if (text === undefined) return null;
  const body = text.slice(65);
  if (text[64] !== '\n' || checksum(body) !== text.slice(0, 64)) return null;
  const value: unknown = JSON.parse(body);
  return isMapping(value) ? (value as Intent) : null;
}

/** Carries an intent out, from wherever an earlier attempt stopped. The log comes last: when its events are there, all is done. */
export function carryOutIntent(files: FileOps, root: string, intent: Intent): void {
  if (isLogged(files, root, intent)) return;
  for (const put of intent.puts) {
    const path = join(root, put.path);
    if (files.stat(dirname(path)) === null) files.makeDirectory(dirname(path));
    replaceFile(files, path, put.text);
  }
  for (const path of intent.removes) files.remove(join(root, path));
  for (const folder of new Set(intent.removes.map((path) => dirname(path)))) files.syncDirectory(join(root, folder));
  appendLog(files, root, intent);
}

function isLogged(files: FileOps, root: string, intent: Intent): boolean {
  const path = join(root, LOG_FILE);
  const last = intent.log.ids.at(-1);
  const stat = files.stat(path);
  if (last === undefined || stat === null || stat.size <= intent.log.offset) return false;
  const written = files.readFrom(path, intent.log.offset).toString('utf8');
  // Read, not searched: a line that was cut off and written on by somebody else holds the id, but no event.
  return written.split('\n').some((line) => parseLine(line)?.['id'] === last);
}

function appendLog(files: FileOps, root: string, intent: Intent): void {
  if (intent.log.events.length === 0) return;
  const path = join(root, LOG_FILE);
  const size = files.stat(path)?.size ?? 0;
  const isUnchanged = size === intent.log.offset;
  if (isUnchanged) return files.append(path, intent.log.text);
  const written = size > intent.log.offset ? files.readFrom(path, intent.log.offset).toString('utf8') : null;
  if (written !== null && intent.log.text.startsWith(written)) {
    // Our own append was cut off.
    files.truncate(path, intent.log.offset);
    return files.append(path, intent.log.text);
  }
  let next = 0;
  const newId = (): string => intent.log.ids[next++] as string;
  files.append(path, appendedText(readTail(files, path), intent.log.events, { kbId: intent.log.kbId, newId }));
}

function checksum(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
