import { join } from 'node:path';
import { type ReviewRecord, WarrantError } from '@warrant/core';
import { isSafeId } from '../ids.ts';
import { ARTIFACT_FOLDERS } from './artifact-text.ts';
import type { FileOps } from './file-ops.ts';

/** The folders of records, in listing order. */
export const RECORD_FOLDERS = ['proposed', 'decided'] as const;

/** A pending record stays in its file, whatever that is called; a decided one goes to `decided/` under its id. */
export function recordPath(record: ReviewRecord, places: readonly { readonly path: string }[]): string {
  const { id } = record.proposal;
  if (!isSafeId(id)) {
    throw new WarrantError('REVIEW_ID_UNSAFE', 'the id cannot name a file of the folder', { data: {} });
  }
  if (record.status !== 'pending') return `decided/${id}.yaml`;
  return places[0]?.path ?? `proposed/${id}.yaml`;
}

/** Where an artifact lies; `null` when its kind or id has no place in the folder. */
export function artifactPath(kind: string, id: string): string | null {
  const place = Object.hasOwn(ARTIFACT_FOLDERS, kind) ? ARTIFACT_FOLDERS[kind] : undefined;
  return place === undefined || !isSafeId(id) ? null : `${place.folder}/${id}${place.ending}`;
}

const FRESH_MS = 300_000;

/** True for an id as we and vouch make it that was made within five minutes: no file of another name can hold it yet. */
export function isFreshId(id: string, now: number): boolean {
  const parts = /^(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)-[0-9a-f]{8}$/.exec(id);
  if (parts === null) return false;
  const [, year, month, day, hour, minute, second] = parts as unknown as readonly string[];
  const made = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Math.abs(made - now) < FRESH_MS;
}

/** @throws REVIEW_FOLDER_INVALID */
export function checkFolders(files: FileOps, root: string): void {
  const names = ['', ...RECORD_FOLDERS, ...Object.values(ARTIFACT_FOLDERS).map((place) => place.folder)];
  for (const name of names) {
    const kind = files.stat(join(root, name))?.kind;
    if (kind === 'directory' || (kind === undefined && name !== '')) continue;
    const message = name === '' ? 'there is no such folder' : 'a part of the folder is not a plain directory';
    throw new WarrantError('REVIEW_FOLDER_INVALID', message, { data: { part: name } });
  }
}
