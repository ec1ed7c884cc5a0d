import type { Cancel, GraphApplied, GraphChange, GraphVersion, Reason } from '@warrant/core';
import { graphError } from './errors.ts';
import { GRAPH_LIMITS } from './limits.ts';
import { isText } from './text.ts';

/** How a batch is to be applied. */
export type ApplyOptions = { readonly id: string; readonly expected: GraphVersion | 'any' } & Cancel;

/**
 * Checks what no reason can stand for.
 * @throws GRAPH_INVALID for changes that are no list, an id that is no text, an expected version that is none
 * @throws GRAPH_LIMIT for more than 1,000,000 changes
 */
export function checkApply(changes: readonly GraphChange[], options: ApplyOptions): void {
  if (!Array.isArray(changes)) throw graphError('GRAPH_INVALID', 'the changes of a batch are a list');
  if (changes.length > GRAPH_LIMITS.changes) {
    throw graphError('GRAPH_LIMIT', `more than ${GRAPH_LIMITS.changes} changes in one batch`, {
      limit: GRAPH_LIMITS.changes,
    });
  }
  if (!isText(options?.id, GRAPH_LIMITS.idLength)) {
    throw graphError('GRAPH_INVALID', `the id of a batch is a text of 1 to ${GRAPH_LIMITS.idLength} characters`);
  }
  if (!isExpectation(options.expected)) {
    throw graphError('GRAPH_INVALID', "the expected version is one that version() gave, or 'any'", { id: options.id });
  }
}

function isExpectation(expected: unknown): boolean {
  if (expected === 'any') return true;
  const version = expected as GraphVersion | null | undefined;
  return typeof version?.epoch === 'string' && Number.isSafeInteger(version.revision);
}

/** True when the writer's picture of the graph is the present one. */
export function isExpected(expected: GraphVersion | 'any', actual: GraphVersion): boolean {
  return expected === 'any' || (expected.epoch === actual.epoch && expected.revision === actual.revision);
}

/** @returns the error for one id that stands for two batches */
export function idReused(id: string): Error {
  return graphError('GRAPH_ID_REUSED', `the id ${id} was used for other changes before`, { id });
}

/** What an applied batch is answered with. */
export function appliedAs(version: GraphVersion, notes: readonly Reason[]): GraphApplied {
  return notes.length === 0 ? { type: 'applied', version } : { type: 'applied', version, notes };
}
