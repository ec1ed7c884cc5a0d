import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import type { ReviewEvent } from '@warrant/core';
import { parseLine } from '../chain.ts';
import { isMapping } from '../faults.ts';
import { appendedText, readTail } from './audit-log.ts';
import { type FileOps, replaceFile } from './file-ops.ts';
import { versionOf } from './record-files.ts';

/**
 * Everything that one commit changes, written down before the first change. From then on the commit has happened: whoever
 * works in the folder next carries it out from here, and carrying it out twice changes nothing.
 */
export type Intent = {
  /** Paths are relative to the folder. */
  readonly puts: readonly Put[];
  readonly removes: readonly Removal[];
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

/** A file that gets a new text; `before` is the digest of its old one, empty when there was none. */
export type Put = { readonly path: string; readonly text: string; readonly before: string };

/** `version` is the digest of what is removed. */
export type Removal = { readonly path: string; readonly version: string };

export const LOG_FILE = 'audit.log.jsonl';

const DONE = '-';

/** Writes the intent into its file, which is kept for the next one, and makes it last. */
export async function writeIntent(files: FileOps, path: string, intent: Intent): Promise<void> {
  const isNew = files.stat(path) === null;
  const body = Buffer.from(JSON.stringify(intent));
  // Over the one before, whose end may stay behind it: a file that keeps its size reaches the disk soonest.
  files.overwrite(path, Buffer.concat([Buffer.from(`${checksum(body)} ${body.length}\n`), body]));
  const folders = [dirname(path), dirname(dirname(path)), dirname(dirname(dirname(path)))];
  await files.flush(isNew ? [path, ...folders] : [path]);
}

/** Notes that the intent is carried out. Should the note not last, carrying it out again changes nothing. */
export function closeIntent(files: FileOps, path: string): void {
  files.overwrite(path, DONE);
}

/** True when a commit is under way or was left behind. */
export function isIntentOpen(files: FileOps, path: string): boolean {
  const first = files.first(path);
  return first !== null && first !== DONE.charCodeAt(0);
}

/** A torn intent counts as none: nothing was changed on its account yet. */
export function readIntent(files: FileOps, path: string): Intent | null {
  const bytes = files.read(path);
  const end = bytes?.indexOf('\n') ?? -1;
  if (bytes === null || end < 0) return null;
  const [sum, length] = bytes.subarray(0, end).toString('latin1').split(' ');
  const body = bytes.subarray(end + 1, end + 1 + Number(length));
  if (checksum(body) !== sum) return null;
  const value: unknown = JSON.parse(body.toString('utf8'));
  return isMapping(value) ? (value as Intent) : null;
}

/**
 * Carries an intent out, from wherever an earlier attempt stopped, and makes it last. The log comes last: when its events
 * are there, everything was done, but a loss of power may have taken some of it back.
 */
export async function carryOutIntent(files: FileOps, root: string, intent: Intent): Promise<void> {
  const wasLogged = isLogged(files, root, intent);
  const touched = new Set<string>();
  for (const put of intent.puts) {
    const path = join(root, put.path);
    if (!wasLogged || isTakenBack(files, path, put)) {
      if (files.stat(dirname(path)) === null) {
        files.makeDirectory(dirname(path));
        touched.add(root);
      }
      replaceFile(files, path, put.text);
    }
    touched.add(path).add(dirname(path));
  }
  for (const { path: name, version } of intent.removes) {
    const path = join(root, name);
    if (!wasLogged || isStill(files, path, version)) files.remove(path);
    touched.add(dirname(path));
  }
  if (!wasLogged) appendLog(files, root, intent);
  touched.add(join(root, LOG_FILE));
  if (intent.log.offset === 0) touched.add(root);
  await files.flush([...touched]);
}

// A loss of power leaves the old text, nothing, or a part of the new one. Anything else was written by somebody since.
function isTakenBack(files: FileOps, path: string, put: Put): boolean {
  const found = files.read(path);
  if (found === null || versionOf(found) === put.before) return true;
  const kept = withoutNulls(found);
  const wanted = Buffer.from(put.text);
  return kept.length < wanted.length && wanted.subarray(0, kept.length).equals(kept);
}

// Bytes whose place was noted before they were written read as zeros; no text of ours has any.
function withoutNulls(bytes: Buffer): Buffer {
  let length = bytes.length;
  while (length > 0 && bytes[length - 1] === 0) length -= 1;
  return bytes.subarray(0, length);
}

function isStill(files: FileOps, path: string, version: string): boolean {
  const found = files.read(path);
  return found !== null && versionOf(found) === version;
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
  const written =
    size > intent.log.offset ? withoutNulls(files.readFrom(path, intent.log.offset)).toString('utf8') : null;
  if (written !== null && intent.log.text.startsWith(written)) {
    // Our own append was cut off.
    files.truncate(path, intent.log.offset);
    return files.append(path, intent.log.text);
  }
  let next = 0;
  const newId = (): string => intent.log.ids[next++] as string;
  files.append(path, appendedText(readTail(files, path), intent.log.events, { kbId: intent.log.kbId, newId }));
}

function checksum(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
