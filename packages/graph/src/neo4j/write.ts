import neo4j from 'neo4j-driver';
import type { Interner } from '../interner.ts';
import type { GraphReader, Staged } from '../reader.ts';
import { RELATION_TYPES } from '../relations.ts';
import type { StoredPrimitive } from '../stored.ts';
import type { Tx } from './connection.ts';
import { conceptRow } from './rows.ts';
import { CREATE, RELATE, RELEASE, REMOVE, UNRELATE, UPDATE } from './statements.ts';

export type Writing = {
  readonly tx: Tx;
  readonly graph: string;
  readonly reader: GraphReader;
  readonly interner: Interner;
  readonly revision: number;
};
type Row = readonly unknown[];

const ROWS_PER_STATEMENT = 5000;
/** Texts of one statement, in characters, beyond which the next statement takes the rest. */
const LENGTH_PER_STATEMENT = 4_000_000;
// A plain number would be stored with a fraction.
const LEVELS = [0, 1, 2, 3, 4].map((level) => neo4j.int(level));

/** Writes a judged batch: concepts with few statements, then relationships, which need both their ends. */
export async function writeStaged({ written, removed }: Staged, writing: Writing): Promise<void> {
  const { reader } = writing;
  await unrelate(written, writing);
  await runInParts(REMOVE, 'ids', removed, writing);
  const renamed = [...written].filter(([id, { key }]) => reader.has(id) && reader.get(id)?.key !== key);
  // Names may change hands within a batch, which unique keys would forbid halfway.
  await runInParts(
    RELEASE,
    'ids',
    renamed.map(([id]) => id),
    writing,
  );
  await runInParts(UPDATE, 'rows', rowsOf(written, true, writing), writing);
  await runInParts(CREATE, 'rows', rowsOf(written, false, writing), writing);
  await relate(written, writing);
}

/** Ids whose stored form `writeStaged` asks the reader for. */
export function askedByWriting({ written }: Staged, reader: GraphReader): void {
  for (const id of written.keys()) if (reader.has(id)) reader.get(id);
}

function* rowsOf(
  written: ReadonlyMap<string, StoredPrimitive>,
  isStored: boolean,
  { reader, revision, interner }: Writing,
): Iterable<Row> {
  for (const [id, stored] of written) if (reader.has(id) === isStored) yield conceptRow(stored, revision, interner);
}

async function runInParts(
  statement: string,
  name: 'ids' | 'rows',
  rows: Iterable<string | Row>,
  { tx, graph }: Writing,
): Promise<void> {
  let part: (string | Row)[] = [];
  let length = 0;
  const send = async (): Promise<void> => {
    if (part.length > 0) await tx.run(statement, { graph, [name]: part });
    part = [];
    length = 0;
  };
  for (const row of rows) {
    part.push(row);
    length += lengthOf(row);
    if (part.length >= ROWS_PER_STATEMENT || length >= LENGTH_PER_STATEMENT) await send();
  }
  await send();
}

function lengthOf(row: string | Row): number {
  if (typeof row === 'string') return row.length;
  const body = row[3];
  return typeof body === 'string' ? body.length : 0;
}

async function relate(written: ReadonlyMap<string, StoredPrimitive>, writing: Writing): Promise<void> {
  const rows = RELATE.map((): Row[] => []);
  for (const [id, stored] of written) {
    const before = relationships(writing.reader.get(id));
    for (const [key, edge] of relationships(stored)) if (!before.has(key)) rows[edge.type]?.push(edge.row);
  }
  await runEach(RELATE, rows, writing);
}

async function unrelate(written: ReadonlyMap<string, StoredPrimitive>, writing: Writing): Promise<void> {
  const rows = UNRELATE.map((): Row[] => []);
  for (const [id, stored] of written) {
    const before = relationships(writing.reader.get(id));
    if (before.size === 0) continue;
    const now = relationships(stored);
    for (const [key, edge] of before) if (!now.has(key)) rows[edge.type]?.push(edge.row);
  }
  await runEach(UNRELATE, rows, writing);
}

async function runEach(statements: readonly string[], rows: readonly Row[][], writing: Writing): Promise<void> {
  for (const [type, statement] of statements.entries()) await runInParts(statement, 'rows', rows[type] ?? [], writing);
}

type Relationship = { readonly type: number; readonly row: Row };
const NONE: ReadonlyMap<string, Relationship> = new Map();

/** A concept's relata as the rows of RELATE, by what tells them apart. */
function relationships(stored: StoredPrimitive | undefined): ReadonlyMap<string, Relationship> {
  if (stored === undefined || stored.targets.length === 0) return NONE;
  const { id, depths } = stored.primitive;
  const all = new Map<string, Relationship>();
  for (const { level, relata } of depths) {
    for (const { relation, target, targetDepth } of relata) {
      const type = RELATION_TYPES.indexOf(relation);
      const key = `${level}${type}${targetDepth}${target}`;
      all.set(key, { type, row: [id, target, LEVELS[level], LEVELS[targetDepth]] });
    }
  }
  return all;
}
