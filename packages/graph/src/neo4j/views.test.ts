import type { Primitive } from '@warrant/core';
import { expect, test } from 'vitest';
import { createInterner } from '../interner.ts';
import { type StoredPrimitive, storePrimitive } from '../stored.ts';
import { createConceptCache } from './cache.ts';
import type { Connection, Rows } from './connection.ts';
import type { Session } from './head.ts';
import { conceptRow } from './rows.ts';
import { CHANGED_SINCE, HEAD } from './statements.ts';
import { createViews, type Views } from './views.ts';

const provenance = { source: 'authored', at: '2026-01-01T00:00:00Z' } as const;
const interner = createInterner();

function concept(id: string, targets: readonly string[] = [], text = ''): StoredPrimitive {
  const relata = targets.map((target) => ({ relation: 'requires', target, targetDepth: 0, provenance }) as const);
  const primitive: Primitive = {
    id,
    name: id,
    depths: [{ level: 0, properties: { text }, relata, provenance }],
    provenance,
  };
  return storePrimitive(primitive, interner);
}
const rows = (values: readonly (readonly unknown[])[]): Rows =>
  values.map((row) => ({ get: (index: number) => row[index] })) as unknown as Rows;

/** What a server shows, which a test may change before any statement is answered: commits become visible bit by bit. */
type Shown = {
  revision: number;
  settled: number;
  readonly batches: [revision: number, changed: readonly string[]][];
  readonly texts: Map<string, { readonly stored: StoredPrimitive; readonly revision: number }>;
};

function scripted(
  shown: Shown,
  before: (statement: string, count: number) => void,
): { readonly views: Views; readonly asked: string[] } {
  const asked: string[] = [];
  const read: Connection['read'] = async (statement, parameters) => {
    const kind = statement === HEAD ? 'head' : statement === CHANGED_SINCE ? 'changed' : 'concepts';
    asked.push(kind);
    before(kind, asked.filter((one) => one === kind).length);
    if (kind === 'head') return rows([['epoch', shown.revision, shown.settled, 1]]);
    if (kind === 'changed') {
      const { from, to } = parameters as { readonly from: number; readonly to: number };
      return rows(shown.batches.filter(([revision]) => revision > from && revision <= to));
    }
    const named = (parameters['ids'] ?? parameters['keys']) as readonly string[];
    const found = named.flatMap((id) => shown.texts.get(id) ?? []);
    const texts = found.map(({ stored, revision }) => conceptRow(stored, revision, interner));
    return rows(texts.map(([id, , name, body, digest]) => [id, name, body, digest]));
  };
  const connection: Connection = {
    read,
    execute: async () => [],
    close: async () => undefined,
    write: async (work) => {
      asked.push('settle');
      before('settle', asked.filter((one) => one === 'settle').length);
      shown.settled = shown.revision;
      return (await work({ run: async () => [] })).value;
    },
  };
  const session: Session = { connection, graph: 'g', readOnly: false, connectMs: 1000, statementMs: 1000 };
  return { views: createViews(session, createConceptCache(1e6), interner), asked };
}

const textOf = (one: Primitive): unknown => one.depths[0]?.properties['text'];

test('a text that is newer than the revision being read is not taken: the view is of one revision', async () => {
  const shown: Shown = { revision: 1, settled: 1, batches: [], texts: new Map() };
  shown.texts.set('a', { stored: concept('a', ['b'], 'old'), revision: 1 });
  shown.texts.set('b', { stored: concept('b', [], 'old'), revision: 1 });
  const { views } = scripted(shown, (kind, count) => {
    // Between the two levels of the closure a commit begins to show: first a text, much later the rest.
    if (kind === 'concepts' && count === 2) shown.texts.set('b', { stored: concept('b', [], 'new'), revision: 2 });
    if (kind === 'settle') {
      shown.texts.set('a', { stored: concept('a', ['b'], 'new'), revision: 2 });
      shown.batches.push([2, ['a', 'b']]);
      shown.revision = 2;
    }
  });
  const view = await views.view(['a'], {});
  expect(view.version.revision).toBe(2);
  expect(view.snapshot().primitives.map(textOf)).toEqual(['new', 'new']);
});

test('a concept that was not found while the graph changed is looked for again', async () => {
  const shown: Shown = { revision: 1, settled: 1, batches: [], texts: new Map() };
  const { views } = scripted(shown, (kind, count) => {
    if (kind !== 'head' || count !== 2) return;
    shown.texts.set('a', { stored: concept('a'), revision: 2 });
    shown.batches.push([2, ['a']]);
    shown.revision = 2;
    shown.settled = 2;
  });
  expect((await views.view(['a'], {})).snapshot().primitives).toHaveLength(1);
});

test('a revision that nobody called complete is completed before anything is read', async () => {
  const shown: Shown = { revision: 2, settled: 1, batches: [], texts: new Map() };
  const { views, asked } = scripted(shown, (kind) => {
    if (kind === 'settle') shown.texts.set('a', { stored: concept('a'), revision: 2 });
  });
  expect((await views.view(['a'], {})).snapshot().primitives).toHaveLength(1);
  expect(asked).toEqual(['head', 'settle', 'head', 'concepts']);
});

test('a prerequisite that is not there in an unchanged graph is damage, not a gap', async () => {
  const shown: Shown = { revision: 1, settled: 1, batches: [], texts: new Map() };
  shown.texts.set('a', { stored: concept('a', ['b']), revision: 1 });
  const { views } = scripted(shown, () => undefined);
  await expect(views.view(['a'], {})).rejects.toMatchObject({ code: 'GRAPH_STORE_CORRUPT', data: { primitive: 'b' } });
});

test('an unchanged graph costs one probe, whatever was asked before', async () => {
  const shown: Shown = { revision: 1, settled: 1, batches: [], texts: new Map() };
  shown.texts.set('a', { stored: concept('a', ['b']), revision: 1 });
  shown.texts.set('b', { stored: concept('b'), revision: 1 });
  const { views, asked } = scripted(shown, () => undefined);
  await views.view(['a', 'unknown'], {});
  asked.length = 0;
  for (const names of [['a', 'unknown'], ['a', 'unknown'], ['b'], ['UNKNOWN', 'B']]) await views.view(names, {});
  expect(asked).toEqual(['head', 'head', 'head', 'head']);
});

test('a probe that another call overtook does not take the graph back', async () => {
  const shown: Shown = { revision: 1, settled: 1, batches: [], texts: new Map() };
  shown.texts.set('a', { stored: concept('a', [], 'old'), revision: 1 });
  const { views } = scripted(shown, (kind, count) => {
    if (kind === 'head' && count === 2) {
      shown.texts.set('a', { stored: concept('a', [], 'new'), revision: 2 });
      shown.batches.push([2, ['a']]);
      shown.revision = 2;
      shown.settled = 2;
    }
    // The third probe was answered late: it tells of the time before.
    if (kind === 'head') shown.revision = count === 3 ? 1 : Math.max(shown.batches.length + 1, 1);
  });
  await views.view(['a'], {});
  expect((await views.version({})).revision).toBe(2);
  expect((await views.version({})).revision).toBe(2);
});
