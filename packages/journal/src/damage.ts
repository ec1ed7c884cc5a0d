import type { JsonObject } from '@warrant/core';
import { isTwofold, type Row, rowDigest } from './row.ts';

/**
 * - `changed`: the entry is not what was digested
 * - `removed`: an entry that others build on is gone
 * - `reordered`: an entry lies at another position than the one it was written at
 * - `inserted`: an entry lies where the chain has no room for one
 * - `truncated`: entries at the end are gone, told by the recorded head or by a checkpoint
 * - `forked-head`: the log or a stream goes another way than its head, its parent or a checkpoint says
 */
export type DamageKind = 'changed' | 'removed' | 'reordered' | 'inserted' | 'truncated' | 'forked-head';
export type Damage = {
  readonly kind: DamageKind;
  readonly stream?: string;
  readonly position?: number;
  readonly id?: string;
  readonly message: string;
  readonly data: JsonObject;
};

/** What the first row that does not fit is held against. */
export type Misfit = {
  readonly stream: string;
  /** Position and digest that the chain has come to. */
  readonly position: number;
  readonly digest: string;
  /** The row before it and that one's predecessor's digest, where there is one. */
  readonly before: Row | undefined;
  /** The row that does not fit, and the next one. */
  readonly row: Row;
  readonly after: Row | undefined;
  /** Position of the entry with this digest in the stream, anywhere. */
  readonly find: (digest: string) => Promise<number | undefined>;
  /** Position of the recorded head. */
  readonly head: number;
};

/** Names the damage at the first row that does not continue its chain. */
export async function nameDamage(misfit: Misfit): Promise<Damage> {
  const { row, stream, position, digest } = misfit;
  const expected = position + 1;
  if (row.position === expected && row.previous === digest && isEmptied(row)) {
    return report('changed', stream, expected, row.id, 'its data is gone, and it names no archive');
  }
  if (row.position === expected && row.previous === digest && isTwofold(row)) {
    const place = row.segment === undefined ? 'its ciphertext' : 'the archive that it names';
    return report('changed', stream, expected, row.id, `it has data beside ${place}`);
  }
  const origin = originOf(misfit);
  if (row.position > expected && (origin === undefined || origin === row.position)) return missing(misfit);
  if (origin === undefined) return changedOrInserted(misfit);
  if (origin === row.position && row.position === expected) {
    // The row is as it was written; it builds on something else than what lies before it.
    return beforeIsWrong(misfit);
  }
  const linked = await misfit.find(row.previous);
  if (row.previous === digest) return report('removed', stream, expected, row.id, 'entries before it are gone');
  if (misfit.before !== undefined && origin === misfit.before.position && row.previous === misfit.before.previous) {
    return report('inserted', stream, position, misfit.before.id, `entry ${origin} was pushed aside`);
  }
  if (linked === undefined)
    return report('removed', stream, expected, undefined, `the entry before the one written at ${origin} is gone`);
  return report('reordered', stream, row.position, row.id, `it was written at position ${origin}`);
}

/** A gap in the positions: its entries are gone, or lie elsewhere in the stream. */
async function missing(misfit: Misfit): Promise<Damage> {
  const { row, stream, position } = misfit;
  const moved = await misfit.find(row.previous);
  if (moved !== undefined && moved > row.position) {
    return report('reordered', stream, moved, undefined, `it was written at position ${row.position - 1}`);
  }
  const gone = row.position - position - 1;
  return report('removed', stream, position + 1, undefined, `${gone} entries are gone before position ${row.position}`);
}

function changedOrInserted(misfit: Misfit): Damage {
  const { row, stream, position, digest, after } = misfit;
  const pushedAside = after !== undefined && after.previous === digest && isIntactAt(after, position + 1);
  if (pushedAside) return report('inserted', stream, row.position, row.id, `entry ${position + 1} was pushed aside`);
  if (row.position > misfit.head)
    return report('inserted', stream, row.position, row.id, 'it lies beyond the recorded head');
  return report('changed', stream, row.position, row.id, 'its content is not what its digest covers');
}

function beforeIsWrong(misfit: Misfit): Damage {
  const { before, row, stream, position } = misfit;
  if (before === undefined) {
    return position === 0
      ? report('removed', stream, 1, undefined, 'it was written after another entry')
      : report('forked-head', stream, row.position, row.id, 'it builds on another entry than its parent has');
  }
  return report('changed', stream, before.position, before.id, 'the next entry builds on another digest');
}

/** Where the row was written, found by trying: nearby positions first. Undefined for a row that was changed. */
function originOf(misfit: Misfit): number | undefined {
  const { row } = misfit;
  if (row.data === undefined && row.sealed === undefined) return row.position;
  const furthest = Math.max(misfit.head, row.position) + 1;
  for (let distance = 0; distance <= furthest; distance += 1) {
    if (isIntactAt(row, row.position + distance)) return row.position + distance;
    if (row.position - distance > 0 && isIntactAt(row, row.position - distance)) return row.position - distance;
  }
  return undefined;
}

function isEmptied(row: Row): boolean {
  return row.data === undefined && row.sealed === undefined && row.segment === undefined;
}

function isIntactAt(row: Row, position: number): boolean {
  return rowDigest(row, { stream: row.stream, position, time: row.time, previous: row.previous }) === row.digest;
}

/** @internal */
export function report(
  kind: DamageKind,
  stream: string,
  position: number,
  id: string | undefined,
  message: string,
  data: JsonObject = {},
): Damage {
  return { kind, stream, position, ...(id === undefined ? {} : { id }), message, data };
}
