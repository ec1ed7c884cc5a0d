import assert from 'node:assert/strict';
import { digest, foldName, type GraphStore, type GraphView, type Json } from '@warrant/core';
import {
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
  relatum,
} from './graph-store-harness.ts';

/** The digest that any reader can work out from a view's content. */
export function viewDigestOf(view: GraphView): string {
  const { names, primitives } = view.snapshot();
  return digest({
    names: [...new Set(names.map(foldName))].sort(),
    primitives: primitives.map((one) => digest(one as Json)).sort(),
  });
}

function isFrozen(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return Object.isFrozen(value) && Object.values(value).every(isFrozen);
}

const small = put(
  primitive('delete', [], ['requires permission'], ['applies-to file', 'depends-on os 2']),
  primitive('permission', ['constrained-by os']),
  primitive('file', [], ['requires path']),
  primitive('path'),
  primitive('os', [], ['includes file']),
);

export const graphStoreViewCases: readonly GraphStoreCase[] = [
  {
    name: 'views the transitive closure: whole primitives, names first, then breadth-first, unknown names absent',
    run: async ({ store }) => {
      await applied(store, small);
      const view = await store.view(['DELETE', 'mystery', 'delete']);
      const { names, primitives } = view.snapshot();
      assert.deepEqual(names, ['DELETE', 'mystery', 'delete']);
      assert.deepEqual(
        primitives.map((one) => one.name),
        ['delete', 'permission', 'os'],
      );
      const sent = small.flatMap((change) => (change.type === 'put-primitive' ? [change.primitive] : []));
      for (const one of primitives) assert.deepEqual(plain(one), plain(sent.find((other) => other.id === one.id)));
      assert.deepEqual(await closure(store, 'path', 'file'), ['path', 'file']);
      assert.deepEqual(await closure(store), []);
      assert.deepEqual(view.version, await store.version());
    },
  },
  {
    name: 'names a view by the digest of its names and primitives, whatever their order and case',
    run: async ({ store }) => {
      await applied(store, small);
      const view = await store.view(['delete', 'Mystery']);
      assert.equal(view.digest, viewDigestOf(view));
      assert.equal((await store.view(['MYSTERY', 'Delete', 'delete'])).digest, view.digest);
      await applied(store, put(primitive('other', ['requires delete'])));
      assert.equal((await store.view(['delete', 'mystery'])).digest, view.digest, 'an unrelated change');
      await applied(store, put(primitive('os', [], ['includes file', 'includes path'])));
      const after = await store.view(['delete', 'mystery']);
      assert.notEqual(after.digest, view.digest);
      assert.equal(after.digest, viewDigestOf(after));
      assert.equal(view.digest, viewDigestOf(view), 'a view that was given stays as it was');
    },
  },
  {
    name: 'hands out frozen primitives, the identical ones while they do not change',
    run: async ({ store }) => {
      const sent = {
        ...primitive('a', ['requires b']),
        depths: [depth(0, ['requires b'], { properties: { list: [{}] } })],
      };
      await applied(store, put(sent, primitive('b')));
      const before = (await store.view(['a'])).snapshot();
      assert.ok(isFrozen(before));
      await applied(store, put(primitive('c', ['requires a'])));
      const after = (await store.view(['c'])).snapshot();
      assert.equal(after.primitives[1], before.primitives[0]);
      assert.equal(after.primitives[2], before.primitives[1]);
      assert.ok((await collect(store.primitives())).every(isFrozen));
    },
  },
  {
    name: 'keeps what it was given apart from the caller',
    run: async ({ store }) => {
      const sent = JSON.parse(JSON.stringify(primitive('a', []))) as { depths: { properties: object }[] };
      await applied(store, put(sent as never));
      Object.assign(sent.depths[0]?.properties as object, { injected: true });
      assert.deepEqual((await store.view(['a'])).snapshot().primitives[0]?.depths[0]?.properties, {});
    },
  },
  {
    name: 'returns text of any script, NUL, and keys like __proto__ as they were',
    run: async ({ store }) => {
      const properties = JSON.parse(
        '{"__proto__":{"x":1},"constructor":"\\u0000","\\u202e":"\u05d0","a":-0,"n":1e300}',
      ) as never;
      const names = ['nul\u0000name', '__proto__', '\u202eabc', '😀', 'аdmin', 'admin', 'ﬁle'];
      const odd = names.map((name, index) => ({
        ...primitive(`p${index}`, []),
        name,
        depths: [depth(0, [], { properties })],
      }));
      await applied(store, put(...odd));
      for (const name of names) {
        const [found] = (await store.view([name])).snapshot().primitives;
        assert.equal(found?.name, name);
        assert.equal(digest(found?.depths[0]?.properties as Json), digest(properties));
      }
      assert.deepEqual(await closure(store, 'nul', 'FILE'), ['ﬁle']);
    },
  },
  {
    name: 'lists primitives by id in code point order, from any point, by source of any part',
    run: async ({ store }) => {
      const ids = ['b', 'a', 'Z', 'ａ', '😀', 'é'];
      await applied(store, put(...ids.map((id) => ({ ...primitive(id, []), id, name: `name of ${id}` }))));
      const listed = (await collect(store.primitives())).map((one) => one.id);
      assert.deepEqual(listed, ['Z', 'a', 'b', 'é', 'ａ', '😀']);
      const rest = (await collect(store.primitives({ after: 'b' }))).map((one) => one.id);
      assert.deepEqual(rest, ['é', 'ａ', '😀']);
      assert.deepEqual(await collect(store.primitives({ provenance: 'learned' })), []);
      const learned = depth(0, [], { relata: [relatum('includes a', { provenance: LEARNED })] });
      await applied(store, [{ type: 'put-depth', primitive: 'b', depth: learned }]);
      const found = (await collect(store.primitives({ provenance: 'learned' }))).map((one) => one.id);
      assert.deepEqual(found, ['b']);
    },
  },
  {
    name: 'refuses names that are no list of texts',
    run: async ({ store }) => {
      const bad: readonly unknown[] = ['delete', null, [7], [''], ['lone \udc00'], ['a', undefined]];
      for (const names of bad) await expectCode(() => store.view(names as never), 'GRAPH_INVALID');
      await expectCode(() => store.view(['x'.repeat(1_000_000)]), 'GRAPH_LIMIT');
      const options = { id: batchId(), expected: 'any' } as const;
      await expectCode(() => store.apply('no' as never, options), 'GRAPH_INVALID');
      await expectCode(() => store.apply([], { ...options, id: '' }), 'GRAPH_INVALID');
      await expectCode(() => store.apply([], { ...options, expected: {} as never }), 'GRAPH_INVALID');
    },
  },
  {
    name: 'rejects once aborted, and after close with GRAPH_CLOSED',
    run: async ({ store }) => {
      await applied(store, small);
      const { signal } = abortedController();
      await assert.rejects(() => store.view(['os'], { signal }));
      await assert.rejects(() => store.apply([], { id: batchId(), expected: 'any', signal }));
      await assert.rejects(() => collect(store.primitives({ signal })));
      await store.close();
      await store.close();
      store.count([{ concept: 'os', outcome: 'depth' }]);
      await expectCode(() => store.view(['os']), 'GRAPH_CLOSED');
      await expectCode(() => store.version(), 'GRAPH_CLOSED');
      await expectCode(() => collect(store.primitives()), 'GRAPH_CLOSED');
      await expectCode(() => store.apply([], { id: batchId(), expected: 'any' }), 'GRAPH_CLOSED');
    },
  },
  {
    name: 'lets one of many writers with the same expected version through',
    run: async ({ store }) => {
      const expected = await store.version();
      const results = await Promise.all(
        Array.from({ length: 8 }, (_, index) => store.apply(put(primitive(`w${index}`)), { id: batchId(), expected })),
      );
      assert.equal(results.filter((result) => result.type === 'applied').length, 1);
      assert.equal(results.filter((result) => result.type === 'conflict').length, 7);
      assert.equal((await collect(store.primitives())).length, 1);
    },
  },
  {
    name: 'shows one handle what another wrote, and lets no two break a rule together',
    needs: 'sharing',
    run: async ({ store, another }) => {
      const other = await (another as () => Promise<GraphStore>)();
      await applied(store, put(primitive('a', []), primitive('b', [])));
      const before = (await other.view(['a', 'b'])).snapshot();
      assert.deepEqual(await closure(other, 'late'), []);
      await applied(store, put(primitive('late')));
      assert.deepEqual(await closure(other, 'late'), ['late']);
      await applied(store, put(primitive('a', ['requires b'])));
      const after = (await other.view(['a', 'c'])).snapshot();
      assert.equal(after.primitives[0]?.depths[0]?.relata.length, 1);
      assert.equal(after.primitives[1], before.primitives[1], 'what did not change stays identical');
      const codes = await other.apply(put(primitive('b', ['requires a'])), { id: batchId(), expected: 'any' });
      assert.equal(codes.type, 'refused');
      await applied(other, [{ type: 'remove-primitive', primitive: 'a', dangling: 'refuse' }]);
      assert.deepEqual(await closure(store, 'a', 'b'), ['b']);
      assert.deepEqual(await other.version(), await store.version());
      await other.close();
    },
  },
  {
    name: 'holds after a restart what it held before, ids of batches included',
    needs: 'restart',
    run: async ({ store, reopen }) => {
      const id = batchId();
      await store.apply(small, { id, expected: 'any' });
      const [version, view] = [await store.version(), await store.view(['delete'])];
      const again = await (reopen as () => Promise<GraphStore>)();
      assert.deepEqual(await again.version(), version);
      assert.equal((await again.view(['delete'])).digest, view.digest);
      assert.deepEqual(plain((await again.view(['delete'])).snapshot()), plain(view.snapshot()));
      assert.equal((await again.apply(small, { id, expected: 'any' })).type, 'duplicate');
    },
  },
];

function abortedController(): AbortController {
  const controller = new AbortController();
  controller.abort();
  return controller;
}
