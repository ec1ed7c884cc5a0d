import { createHash } from 'node:crypto';
import {
  type Digest,
  type GraphChange,
  type GraphVersion,
  isWarrantError,
  type Primitive,
  type Provenance,
} from '@warrant/core';
import type { SqliteDb } from '@warrant/core/sqlite';
import { type ApplyOptions, isExpected } from '../apply-options.ts';
import { encodeBody, sourceBits } from '../body.ts';
import type { Interner } from '../interner.ts';
import { createPlace, normalizePrimitive, type Place } from '../normalize.ts';
import { type StoredPrimitive, storePrimitive } from '../stored.ts';
import { isAcyclic, type Links } from './acyclic.ts';
import { type BulkInsert, createBulkInsert } from './bulk-insert.ts';
import type { Provenances } from './provenances.ts';
import { INTO_NODES, insertLinks } from './rows.ts';

/** The one thing that this way of writing says about a batch it cannot take; the usual way finds out why. */
export class NotPlain extends Error {}

export type BulkContext = {
  readonly db: SqliteDb;
  readonly version: GraphVersion;
  readonly provenances: Provenances;
  readonly interner: Interner;
};
type Import = BulkContext & {
  readonly place: Place;
  /** The rows of the batch's primitives by id. */
  readonly rows: ReadonlyMap<string, number>;
  /** Their ids, in order. */
  readonly ids: readonly string[];
  readonly first: number;
  readonly stored: Map<string, number>;
  readonly nodes: BulkInsert;
  readonly links: number[];
  readonly prerequisites: Links;
  readonly numberOf: (provenance: Provenance) => number;
};

/**
 * Writes a large batch of nothing but new, faultless primitives, one after another: none is kept in memory, which saves
 * most of what the collector would cost. Nothing stored can lead to a new primitive, so a cycle lies within the batch.
 * @returns the batch's digest
 * @throws NotPlain, to roll back, for every other batch
 */
export function importNew(changes: readonly GraphChange[], how: ApplyOptions, context: BulkContext): Digest {
  const { db, version, provenances, interner } = context;
  if (!isExpected(how.expected, version) || isKnown(db, how.id)) throw new NotPlain();
  const last = db.get<{ last: number | null }>('SELECT max(row) AS last FROM graph_node')?.last ?? 0;
  const rows = assignRows(changes, last + 1);
  const run: Import = {
    ...context,
    place: createPlace(interner),
    rows,
    ids: [...rows.keys()],
    first: last + 1,
    stored: new Map(),
    nodes: createBulkInsert(db, INTO_NODES),
    links: [],
    prerequisites: { starts: [], targets: [] },
    numberOf: (provenance) => provenances.number(db, provenance),
  };
  try {
    const digest = importAll(changes, run);
    if (!isAcyclic(run.prerequisites)) throw new NotPlain();
    insertLinks(run.links, db);
    return digest;
  } catch (error) {
    // A name or an id that is there already.
    throw isWarrantError(error) && error.code === 'SQLITE_CONSTRAINT' ? new NotPlain() : error;
  }
}

function isKnown(db: SqliteDb, batch: string): boolean {
  return db.get('SELECT 1 FROM graph_batch WHERE id = ?', batch) !== undefined;
}

function assignRows(changes: readonly GraphChange[], first: number): ReadonlyMap<string, number> {
  const rows = new Map<string, number>();
  for (let index = 0; index < changes.length; index += 1) {
    const change = changes[index];
    if (change?.type !== 'put-primitive') throw new NotPlain();
    rows.set(change.primitive?.id, first + index);
  }
  if (rows.size !== changes.length) throw new NotPlain();
  return rows;
}

const HASHED_AT_ONCE = 16_384;

/** The same digest as the usual way's: over what stands for each change, joined by newlines. */
function importAll(changes: readonly GraphChange[], run: Import): Digest {
  const hash = createHash('sha256');
  let text = '';
  for (let index = 0; index < changes.length; index += 1) {
    const change = changes[index] as Extract<GraphChange, { type: 'put-primitive' }>;
    const primitive = normalizePrimitive(change.primitive, run.place);
    if (primitive === undefined || primitive.id !== run.ids[index]) throw new NotPlain();
    const stored = storePrimitive(primitive, run.interner);
    text += index === 0 ? stored.digest : `\n${stored.digest}`;
    if (text.length > HASHED_AT_ONCE) {
      hash.update(text);
      text = '';
    }
    importOne(run.first + index, primitive, stored, run);
  }
  run.nodes.flush();
  return `sha256:${hash.update(text).digest('hex')}`;
}

function importOne(row: number, primitive: Primitive, stored: StoredPrimitive, run: Import): void {
  const { starts, targets } = run.prerequisites;
  starts.push(targets.length);
  for (const id of stored.targets) run.links.push(targetRow(id, run), row);
  let prerequisites = '';
  for (const id of stored.prerequisites) {
    const target = targetRow(id, run);
    prerequisites += prerequisites === '' ? target : `,${target}`;
    targets.push(target - run.first);
  }
  const body = encodeBody(primitive, run.numberOf, run.interner.textOf);
  const digest = stored.digest.slice('sha256:'.length);
  const { id, name } = primitive;
  run.nodes.add([row, id, stored.key, name, body, digest, `[${prerequisites}]`, sourceBits(primitive)]);
}

function targetRow(id: string, { rows, stored, db }: Import): number {
  const known = rows.get(id) ?? stored.get(id);
  if (known !== undefined) return known;
  const row = db.get<{ row: number }>('SELECT row FROM graph_node WHERE id = ?', id)?.row;
  if (row === undefined) throw new NotPlain();
  stored.set(id, row);
  return row;
}
