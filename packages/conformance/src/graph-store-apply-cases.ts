import assert from 'node:assert/strict';
import type { Edge, GraphChange } from '@warrant/core';
import {
  AUTHORED,
  applied,
  batchId,
  closure,
  collect,
  depth,
  expectCode,
  type GraphStoreCase,
  LEARNED,
  plain,
  primitive,
  put,
  refusedCodes,
  relatum,
} from './graph-store-harness.ts';

const edge = (source: string, sourceDepth: number, text: string): Edge => {
  const { relation, target, targetDepth } = relatum(text);
  return { source, sourceDepth: sourceDepth as Edge['sourceDepth'], relation, target, targetDepth };
};
const putRelatum = (source: string, level: number, text: string): GraphChange => ({
  type: 'put-relatum',
  edge: edge(source, level, text),
  provenance: LEARNED,
});
const remove = (id: string, dangling: 'refuse' | 'remove'): GraphChange => ({
  type: 'remove-primitive',
  primitive: id,
  dangling,
});

export const graphStoreApplyCases: readonly GraphStoreCase[] = [
  {
    name: 'moves the version with every change, and with nothing else',
    run: async ({ store }) => {
      const empty = await store.version();
      await applied(store, put(primitive('a', [])));
      const first = await store.version();
      assert.equal(first.epoch, empty.epoch);
      assert.ok(first.revision > empty.revision);
      await applied(store, put(primitive('a', [])));
      assert.deepEqual(await store.version(), first, 'putting the same again changes nothing');
      store.count([{ concept: 'a', outcome: 'grounded' }]);
      await store.view(['a', 'nothing']);
      assert.deepEqual(await store.version(), first, 'counting and looking change nothing');
      await applied(store, put(primitive('a', [], [])));
      assert.ok((await store.version()).revision > first.revision);
    },
  },
  {
    name: 'refuses a writer with a stale version, and says the present one',
    run: async ({ store }) => {
      const stale = await store.version();
      await applied(store, put(primitive('a')));
      const actual = await store.version();
      const result = await store.apply(put(primitive('b')), { id: batchId(), expected: stale });
      assert.deepEqual(result, { type: 'conflict', actual });
      assert.deepEqual(await closure(store, 'b'), []);
      const foreign = { epoch: `${actual.epoch}x`, revision: actual.revision };
      assert.equal((await store.apply(put(primitive('b')), { id: batchId(), expected: foreign })).type, 'conflict');
      assert.equal((await store.apply(put(primitive('b')), { id: batchId(), expected: actual })).type, 'applied');
    },
  },
  {
    name: 'applies a batch at most once per id, whatever is expected the second time',
    run: async ({ store }) => {
      const [id, stale] = [batchId(), await store.version()];
      await store.apply(put(primitive('a')), { id, expected: stale });
      await applied(store, [remove('a', 'refuse')]);
      const version = await store.version();
      const again = await store.apply(put(primitive('a')), { id, expected: stale });
      assert.deepEqual(again, { type: 'duplicate', version });
      assert.deepEqual(await closure(store, 'a'), [], 'the batch is not applied again');
      await expectCode(() => store.apply(put(primitive('b')), { id, expected: 'any' }), 'GRAPH_ID_REUSED');
    },
  },
  {
    name: 'forgets the id of a batch that was refused',
    run: async ({ store }) => {
      const id = batchId();
      const refused = await store.apply(put(primitive('a', ['requires b'])), { id, expected: 'any' });
      assert.equal(refused.type, 'refused');
      await applied(store, put(primitive('b')));
      assert.equal((await store.apply(put(primitive('a', ['requires b'])), { id, expected: 'any' })).type, 'applied');
    },
  },
  {
    name: 'applies all of a batch or nothing',
    run: async ({ store }) => {
      assert.deepEqual(await refusedCodes(store, put(primitive('a'), primitive('b', ['includes ghost']))), [
        'graph.unknown-target',
      ]);
      assert.deepEqual(await collect(store.primitives()), []);
    },
  },
  {
    name: 'refuses a cycle of transitive relations with its path, also through a mix of them and to itself',
    run: async ({ store }) => {
      await applied(
        store,
        put(primitive('C', ['constrained-by a']), primitive('B', ['depends-on c']), primitive('A', [], [])),
      );
      const result = await store.apply([putRelatum('a', 1, 'requires b')], { id: batchId(), expected: 'any' });
      assert.equal(result.type, 'refused');
      const path = result.type === 'refused' ? (result.reasons[0]?.data['path'] as readonly string[]) : [];
      assert.equal(path.length, 4);
      assert.equal(path[0], path[3]);
      assert.deepEqual([...new Set(path)].sort(), ['A', 'B', 'C']);
      assert.deepEqual(await refusedCodes(store, [putRelatum('a', 0, 'requires a')]), ['graph.cycle']);
      await applied(store, [putRelatum('a', 0, 'includes a'), putRelatum('a', 0, 'applies-to b')]);
    },
  },
  {
    name: 'judges cycles, names and targets on the final state of a batch',
    run: async ({ store }) => {
      await applied(store, put(primitive('a', ['requires b']), primitive('b')));
      await applied(store, put(primitive('b', ['requires a']), primitive('a', [])));
      await applied(store, [
        ...put({ ...primitive('a'), name: 'b' }, { ...primitive('b', ['includes c']), name: 'a' }),
        ...put(primitive('c')),
      ]);
      assert.deepEqual(await closure(store, 'a'), ['a']);
      const [swapped] = (await store.view(['A'])).snapshot().primitives;
      assert.equal(swapped?.id, 'b');
    },
  },
  {
    name: 'refuses a cycle among primitives that are new in one batch',
    run: async ({ store }) => {
      const ring = put(
        primitive('a', ['requires b']),
        primitive('b', ['depends-on c']),
        primitive('c', ['requires a']),
      );
      assert.deepEqual(await refusedCodes(store, ring), ['graph.cycle']);
      assert.deepEqual(await refusedCodes(store, put(primitive('x', ['requires x']))), ['graph.cycle']);
    },
  },
  {
    name: 'lets a name go to another primitive within a batch, and finds it there at once',
    run: async ({ store }) => {
      await applied(store, put(primitive('a', []), primitive('b', [])));
      assert.deepEqual(await closure(store, 'a', 'b', 'new'), ['a', 'b']);
      await applied(store, [remove('a', 'refuse'), ...put({ ...primitive('c', []), name: 'A' })]);
      await applied(
        store,
        put({ ...primitive('c', []), name: 'B' }, { ...primitive('b', []), name: 'A' }, primitive('new')),
      );
      const found = (await store.view(['a', 'b', 'new'])).snapshot().primitives;
      assert.deepEqual(
        found.map((one) => [one.id, one.name]),
        [
          ['b', 'A'],
          ['c', 'B'],
          ['new', 'new'],
        ],
      );
    },
  },
  {
    name: 'keeps names unique under full case folding',
    run: async ({ store }) => {
      await applied(store, put({ ...primitive('one'), name: 'Straße' }, { ...primitive('two'), name: 'ΣΊΣΥΦΟΣ' }));
      for (const name of ['STRASSE', 'straße', 'σίσυφος', 'Σίσυφοσ']) {
        assert.deepEqual(await refusedCodes(store, put({ ...primitive('three'), name })), ['graph.name-taken'], name);
        assert.equal((await closure(store, name)).length, 1, name);
      }
      assert.deepEqual(await refusedCodes(store, put(primitive('x'), { ...primitive('y'), name: 'X' })), [
        'graph.name-taken',
      ]);
      await applied(store, put({ ...primitive('one'), name: 'STRASSE' }));
    },
  },
  {
    name: 'stores equal relata once, and lets the first provenance stand',
    run: async ({ store }) => {
      const twice = { ...primitive('a'), depths: [depth(0, ['applies-to b 2', 'applies-to b 2', 'applies-to b 1'])] };
      await applied(store, put(twice, primitive('b')));
      await applied(store, [putRelatum('a', 0, 'applies-to b 1')]);
      const [stored] = (await store.view(['a'])).snapshot().primitives;
      assert.deepEqual(plain(stored?.depths[0]?.relata), plain([relatum('applies-to b 2'), relatum('applies-to b 1')]));
      assert.deepEqual(stored?.depths[0]?.relata[1]?.provenance, AUTHORED);
    },
  },
  {
    name: 'puts and removes single levels and relata',
    run: async ({ store }) => {
      await applied(store, put(primitive('a', [], ['includes b']), primitive('b')));
      const learned = depth(1, ['requires b'], { properties: { says: ['x', null] }, provenance: LEARNED });
      await applied(store, [{ type: 'put-depth', primitive: 'a', depth: learned }, putRelatum('a', 0, 'includes b 3')]);
      await applied(store, [{ ...putRelatum('a', 1, 'requires b'), type: 'remove-relatum' } as GraphChange]);
      const [stored] = (await store.view(['a'])).snapshot().primitives;
      const expected = [
        depth(0, [], { relata: [relatum('includes b 3', { provenance: LEARNED })] }),
        { ...learned, relata: [] },
      ];
      assert.deepEqual(plain(stored?.depths), plain(expected));
      const missing = { ...putRelatum('a', 1, 'requires b'), type: 'remove-relatum' } as GraphChange;
      assert.deepEqual(await refusedCodes(store, [missing]), ['graph.unknown-relatum']);
      assert.deepEqual(await refusedCodes(store, [putRelatum('a', 4, 'requires b')]), ['graph.unknown-level']);
      assert.deepEqual(await refusedCodes(store, [putRelatum('x', 0, 'requires b')]), ['graph.unknown-primitive']);
    },
  },
  {
    name: 'refuses to remove what others name, says who, and removes their relata when told to',
    run: async ({ store }) => {
      await applied(
        store,
        put(primitive('A', ['includes c']), primitive('B', [], ['requires c', 'requires a']), primitive('c')),
      );
      const result = await store.apply([remove('c', 'refuse')], { id: batchId(), expected: 'any' });
      assert.equal(result.type, 'refused');
      const data = result.type === 'refused' ? result.reasons[0]?.data : undefined;
      const dependants = (data?.['dependants'] ?? []) as readonly string[];
      assert.deepEqual([...dependants].sort(), ['A', 'B']);
      await applied(store, [remove('c', 'remove')]);
      assert.deepEqual(await closure(store, 'b', 'c'), ['B', 'A']);
      for (const one of await collect(store.primitives())) {
        const targets = one.depths.flatMap((level) => level.relata.map((item) => item.target));
        assert.ok(!targets.includes('c'), `${one.name} still names what was removed`);
      }
      await applied(store, [...put(primitive('b')), remove('a', 'refuse')]);
      assert.deepEqual(await refusedCodes(store, [remove('a', 'remove')]), ['graph.unknown-primitive']);
    },
  },
  {
    name: 'refuses malformed primitives with the place of the fault',
    run: async ({ store }) => {
      const good = primitive('a', ['includes a']);
      const bad: readonly unknown[] = [
        null,
        { ...good, name: '' },
        { ...good, name: 'lone \ud800' },
        { ...good, id: 7 },
        { ...good, extra: true },
        { ...good, depths: [depth(Number.NaN)] },
        { ...good, depths: [depth(5)] },
        { ...good, depths: [depth(1.5)] },
        { ...good, depths: [depth(0), depth(0)] },
        { ...good, depths: [depth(0, ['includes a 7'])] },
        { ...good, depths: [depth(0, ['causes a'])] },
        { ...good, depths: [depth(0, [], { properties: { when: new Date(0) } as never })] },
        { ...good, depths: [depth(0, [], { properties: { much: Number.POSITIVE_INFINITY } })] },
        { ...good, provenance: { source: 'guessed', at: AUTHORED.at } },
        { ...good, provenance: { source: 'authored', at: 'yesterday' } },
      ];
      for (const one of bad) {
        const codes = await refusedCodes(store, [...put(primitive('b')), ...put(one as never)]);
        assert.deepEqual([...new Set(codes)], ['graph.invalid'], JSON.stringify(one));
      }
      assert.deepEqual(await collect(store.primitives()), []);
    },
  },
  {
    name: 'takes a chain of a thousand prerequisites and a hub of many',
    run: async ({ store }) => {
      const chain = Array.from({ length: 1000 }, (_, index) =>
        primitive(`n${index}`, index === 999 ? [] : [`requires n${index + 1}`]),
      );
      await applied(store, put(...chain));
      assert.equal((await closure(store, 'n0')).length, 1000);
      assert.deepEqual(await refusedCodes(store, [putRelatum('n999', 0, 'requires n0')]), ['graph.cycle']);
      await applied(
        store,
        put(
          primitive(
            'hub',
            chain.map((one) => `depends-on ${one.id}`),
          ),
        ),
      );
      assert.equal((await closure(store, 'hub')).length, 1001);
    },
  },
];
