import { readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Clock, IdSource } from '@warrant/core';
import { createReviewGate } from '../gate.ts';
import type { GateOptions, ReviewGate } from '../gate-types.ts';
import type { ParseOptions } from '../parse-policy.ts';
import { createFolderReviewStore, type FolderReviewStore } from './folder-store.ts';
import type { Flock } from './log-lock.ts';
import { createFolderSettings } from './settings.ts';

/** Name of the folder that makes a directory a knowledge base. */
export const KNOWLEDGE_FOLDER = '.vouch';

/** The `.vouch` folder of the directory or of the nearest one above it. */
export function findKnowledgeBase(from: string): string | undefined {
  let directory = resolve(from);
  for (;;) {
    const folder = join(directory, KNOWLEDGE_FOLDER);
    if (isFolder(folder)) return folder;
    const above = dirname(directory);
    if (above === directory) return undefined;
    directory = above;
  }
}

export type OpenKnowledgeBase = Pick<GateOptions, 'identify' | 'similar' | 'receiptsVerify' | 'inbox'> & {
  /** The `.vouch` folder, or the directory that holds it. */
  readonly root: string;
  readonly clock?: Clock;
  readonly ids?: IdSource;
  /** Takes vouch's own lock on the audit log around every commit. */
  readonly flock?: Flock;
  /** Compiles conditions of the extension `cel`; for servers, whose configuration may change while they run. */
  readonly compileExpression?: NonNullable<ParseOptions['compileExpression']>;
  /** Loads the compiler of the extension `cel`; called only when the configuration mentions it. */
  readonly loadCompiler?: () => Promise<NonNullable<ParseOptions['compileExpression']>>;
};

/**
 * The gate of a knowledge base, under the policy of its `config.yaml`.
 * @throws REVIEW_FOLDER_INVALID when the folder is missing or a part of it is a symbolic link
 */
export async function openKnowledgeBase(
  options: OpenKnowledgeBase,
): Promise<{ readonly root: string; readonly gate: ReviewGate; readonly store: FolderReviewStore }> {
  const { root: given, loadCompiler, clock, ids, flock, compileExpression, ...rest } = options;
  const inner = join(given, KNOWLEDGE_FOLDER);
  const root = isFolder(inner) ? inner : given;
  const time = { ...(clock && { clock }), ...(ids && { ids }) };
  const store = createFolderReviewStore({ root, ...time, ...(flock && { flock }) });
  const compile = compileExpression ?? (mentionsCel(root) ? await loadCompiler?.() : undefined);
  const settings = createFolderSettings(root, compile === undefined ? {} : { compileExpression: compile });
  return { root, store, gate: createReviewGate({ ...rest, ...time, store, settings }) };
}

function mentionsCel(root: string): boolean {
  try {
    return readFileSync(join(root, 'config.yaml'), 'utf8').includes('cel');
  } catch {
    // A configuration that cannot be read is the settings' to report.
    return false;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
