import type { GraphStore, GraphView, Primitive } from '@warrant/core';
import { createMemoryGraphStore } from '@warrant/graph';
import { describe, expect, it } from 'vitest';
import { AUTHORED, concept, idOf, known, relatum, store, view } from '../test/graphs.ts';
import { ground } from './ground.ts';
import { createGrounder } from './grounder.ts';
import { renderMarkdown } from './render/markdown.ts';
import { renderTree } from './render/tree.ts';

describe('hostile graphs', () => {
  it('walks a chain of 1,000 prerequisites to its end, where the gap is', () => {
    const chain = Array.from({ length: 1_000 }, (_, index) =>
      known(`c${index}`, 1, index < 999 ? { 1: [['requires', `c${index + 1}`, index === 998 ? 4 : 1]] } : {}),
    );
    const shared = view(...chain);
    const result = ground(shared, { concepts: ['c0'] });
    expect(result.primitives).toHaveLength(1_000);
    expect(result.gaps).toMatchObject([{ type: 'relational', source: 'c998', target: 'c999', missing: [2, 3, 4] }]);
  });

  it('answers on a hub with 100,000 edges, dropping the half that leads out', () => {
    const spokes = Array.from({ length: 100_000 }, (_, index) => `s${index}`);
    const relata = spokes.map((name, index) => relatum(index % 2 === 0 ? 'requires' : 'applies-to', name, 0));
    const hub: Primitive = {
      id: idOf('hub'),
      name: 'hub',
      provenance: AUTHORED,
      depths: [{ level: 0, properties: {}, relata, provenance: AUTHORED }],
    };
    const shared = view(hub, ...spokes.map((name) => known(name, 0)));
    ground(shared, { concepts: ['s1'] });
    const result = ground(shared, { concepts: ['hub', 's0'] });
    expect([result.grounded, result.pathway.length, result.primitives.length]).toEqual([true, 50_000, 50_001]);
    expect(result.primitives[0]?.depths[0]?.relata).toHaveLength(50_000);
    expect(ground(shared, { concepts: ['hub'], minDepth: 4 }).gaps).toHaveLength(1);
  });

  it('takes a query of 100,000 concepts, known and unknown, each with its place', () => {
    const concepts = Array.from({ length: 100_000 }, (_, index) =>
      index % 2 === 0 ? 'file' : `ghost ${index % 4_000}`,
    );
    const result = ground(view(known('file', 1)), { concepts });
    expect([result.resolved.length, result.gaps.length]).toEqual([100_000, 2_000]);
  });

  it.each([
    '__proto__',
    'constructor',
    'toString',
    '\u0000',
    '\u202Eelif',
    'fi\u200Ble',
    'pаypal',
    'x'.repeat(1_000_000),
  ])('treats the name %j as any other', (name) => {
    const named = view(concept(name, { 0: true, 1: [['requires', name, 4]] }), known('file', 1));
    expect(ground(named, { concepts: [name] }).gaps).toMatchObject([{ type: 'relational', source: name }]);
    expect(ground(view(known('file', 1)), { concepts: [name] }).gaps).toMatchObject([{ type: 'existence' }]);
  });

  it('has a code for a name no store can hold, and an answer for the empty one', async () => {
    const grounder = createGrounder({ graph: await store(createMemoryGraphStore(), [known('file', 1)]) });
    expect((await grounder.check({ concepts: [''] })).gaps).toMatchObject([{ type: 'existence', concept: '' }]);
    await expect(grounder.check({ concepts: ['x'.repeat(1_000_000)] })).rejects.toMatchObject({ code: 'GRAPH_LIMIT' });
  });

  it('refuses a view with a level that is no level, instead of taking it for level 0', () => {
    const primitive = { ...known('file', 0), depths: [{ ...known('file', 0).depths[0], level: Number.NaN }] };
    const handMade = {
      version: { epoch: 'x', revision: 0 },
      digest: 'sha256:00',
      snapshot: () => ({ names: [], primitives: [primitive] }),
    };
    const invalid = expect.objectContaining({ code: 'GROUNDING_VIEW_INVALID' });
    expect(() => ground(handMade as unknown as GraphView, { concepts: ['file'] })).toThrow(invalid);
  });

  const level = known('file', 0).depths[0] as Primitive['depths'][number];
  const { provenance } = level;
  const edge = { relation: 'requires', target: 'x', targetDepth: 0, provenance };
  it.each([
    ['no snapshot', null],
    ['no primitives', { names: [] }],
    ['primitives that are no list', { names: [], primitives: 'abc' }],
    ['null among them', { names: ['file'], primitives: [null] }],
    ['no provenance', { names: ['file'], primitives: [{ ...known('file', 0), provenance: undefined }] }],
    ['a level without provenance', viewed({ ...level, provenance: null })],
    ['a level whose provenance is a text', viewed({ ...level, provenance: 'me' })],
    ['a relatum without provenance', viewed({ ...level, relata: [{ ...edge, provenance: undefined }] })],
  ])('says typed what no store can give: %s', async (_, snapshot) => {
    const strange = { version: { epoch: 'x', revision: 0 }, digest: 'sha256:00', snapshot: () => snapshot };
    const grounder = createGrounder({ graph: { view: async () => strange, count: () => {} } as unknown as GraphStore });
    const invalid = expect.objectContaining({ code: 'GROUNDING_VIEW_INVALID' });
    await expect(grounder.check({ concepts: ['file'] })).rejects.toEqual(invalid);
    expect(() => ground(strange as unknown as GraphView, { concepts: ['file'] })).toThrow(invalid);
  });

  function viewed(...depths: readonly unknown[]): unknown {
    return { names: ['file'], primitives: [{ ...known('file', 0), depths }] };
  }

  it('looks again at a view that can change, and hands out nothing through which it could be changed', () => {
    const file = structuredClone(known('file', 0)) as Primitive & { depths: unknown[] };
    const snapshot = { names: [], primitives: [file] };
    const loose = { version: { epoch: 'x', revision: 0 }, digest: 'sha256:00', snapshot: () => snapshot } as GraphView;
    const before = ground(loose, { concepts: ['file'], minDepth: 1 });
    file.depths.push(...structuredClone(known('file', 1).depths.slice(1)));
    expect([before.grounded, ground(loose, { concepts: ['file'], minDepth: 1 }).grounded]).toEqual([false, true]);
    expect(before.primitives[0]).not.toBe(file);
    expect(Object.isFrozen(before.primitives[0]?.depths)).toBe(true);
  });
});

describe('hostile names in what is rendered', () => {
  it.each(['a\nb', 'a\r\u001B[2Jb', 'a\u202Eb', 'a\u2028b', 'a\uD800b'])('cannot forge a line: %j', (name) => {
    const result = ground(view(known('file', 1)), { concepts: ['file'] });
    const renamed = {
      ...result,
      resolved: [name],
      primitives: result.primitives.map((primitive) => ({ ...primitive, name })),
    };
    const tree = renderTree(renamed, { actor: name });
    expect(tree.split('\n')).toHaveLength(3);
    const markdown = renderMarkdown(renamed, { maxTokens: 1_000, countTokens: (text) => text.length });
    const unsafe = ['\u001B', '\r', '\u2028', '\u202E', '\uD800'];
    for (const text of [tree, markdown]) expect(unsafe.filter((character) => text.includes(character))).toEqual([]);
  });
});
