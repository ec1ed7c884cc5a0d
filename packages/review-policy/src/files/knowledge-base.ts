import { join } from 'node:path';
import type { ReviewChain, ReviewRecord } from '@warrant/core';
import { compareCodePoints } from '../text.ts';
import { ARTIFACT_FOLDERS, readArtifact } from './artifact-text.ts';
import { readLog, verifyLog } from './audit-log.ts';
import { createFileOps, type FileOps } from './file-ops.ts';
import type { FolderReviewStore } from './folder-store.ts';
import { LOG_FILE } from './intent.ts';
import type { SkippedFile } from './record-files.ts';
import { readMapping } from './record-text.ts';

/** Everything that a knowledge base holds, and all damage by file and reason. */
export type KnowledgeBase = {
  readonly proposals: readonly { readonly file: string; readonly record: ReviewRecord }[];
  readonly claims: readonly string[];
  readonly entities: readonly string[];
  readonly relations: readonly string[];
  readonly pages: readonly string[];
  readonly sources: readonly string[];
  readonly skipped: readonly SkippedFile[];
  readonly audit: {
    readonly lines: number;
    readonly events: readonly string[];
    readonly unparsable: readonly number[];
    readonly chain: ReviewChain;
  };
};

/** Reads a whole knowledge base. One bad file never hides the others. */
export async function inspectKnowledgeBase(
  store: FolderReviewStore,
  files: FileOps = createFileOps(),
): Promise<KnowledgeBase> {
  const skipped: SkippedFile[] = [...(await store.skipped())];
  const idsOf = (kind: string): readonly string[] => {
    const place = ARTIFACT_FOLDERS[kind] as { readonly folder: string; readonly ending: string };
    const names = files.list(join(store.root, place.folder)).filter((name) => name.endsWith(place.ending));
    return names.sort(compareCodePoints).flatMap((name) => {
      const file = `${place.folder}/${name}`;
      const read = readFile(files, store.root, file, (bytes) => readArtifact(kind, bytes));
      if (read.type === 'artifact') return [read.body['id'] as string];
      skipped.push({ file, reason: read.reason });
      return [];
    });
  };
  const log = readLog(files, join(store.root, LOG_FILE));
  return {
    proposals: await store.files(),
    claims: idsOf('claim'),
    entities: idsOf('entity'),
    relations: idsOf('relation'),
    pages: idsOf('page'),
    sources: sourceIds(files, store.root, skipped),
    skipped,
    audit: {
      lines: log.lines,
      events: log.events.map((event) => event.event),
      unparsable: log.unparsable,
      chain: verifyLog(files, join(store.root, LOG_FILE)),
    },
  };
}

type Skipped = { readonly type: 'skipped'; readonly reason: string };

function readFile<T>(files: FileOps, root: string, file: string, read: (bytes: Buffer) => T): T | Skipped {
  if (files.stat(join(root, file))?.kind !== 'file') return { type: 'skipped', reason: 'not a regular file' };
  const bytes = files.read(join(root, file));
  return bytes === null ? { type: 'skipped', reason: 'vanished' } : read(bytes);
}

function sourceIds(files: FileOps, root: string, skipped: SkippedFile[]): readonly string[] {
  return [...files.list(join(root, 'sources'))].sort(compareCodePoints).flatMap((name) => {
    const file = `sources/${name}/meta.yaml`;
    const read = readFile(files, root, file, readMapping);
    if (read.type === 'mapping') return [name];
    skipped.push({ file, reason: read.reason });
    return [];
  });
}
