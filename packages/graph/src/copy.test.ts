import type { GraphChange, GraphStore, Primitive } from '@warrant/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { copyGraph, graphDigest } from './copy.ts';
import { createMemoryGraphStore } from './memory-store.ts';

const provenance = { source: 'authored', at: '2026-01-01T00:00:00Z' } as const;

function concept(id: string, targets: readonly string[] = []): Primitive {
  const relata = targets.map((target) => ({ relation: 'includes', target, targetDepth: 1, provenance }) as const);
  return { id, name: `name of ${id}`, depths: [{ level: 1, properties: { id }, relata, provenance }], provenance };
}
async function holding(...primitives: readonly Primitive[]): Promise<GraphStore> {
  const store = createMemoryGraphStore();
  const changes = primitives.map((primitive): GraphChange => ({ type: 'put-primitive', primitive }));
  await store.apply(changes, { id: 'all', expected: 'any' });
  return store;
}
/** More than go in one batch; each names one far off, so that no order of batches would do without a second pass. */
const many = (): readonly Primitive[] =>
  Array.from({ length: 12 }, (_, index) => concept(`n${index}`, [`n${(index + 6) % 12}`]));

test('a copy has the digest of its source, and a second one has nothing to do', async () => {
  const [from, to] = [await holding(concept('a', ['b']), concept('b', ['a'])), await holding()];
  const digest = await graphDigest(from);
  expect(await copyGraph(from, to)).toEqual({ type: 'copied', concepts: 2, digest });
  const version = await to.version();
  expect(await copyGraph(from, to)).toEqual({ type: 'same', concepts: 2, digest });
  expect(await to.version()).toEqual(version);
});

test('an empty graph is copied too, and its digest is no other graph’s', async () => {
  const digest = await graphDigest(await holding());
  expect(await copyGraph(await holding(), await holding())).toEqual({ type: 'same', concepts: 0, digest });
  expect(digest).not.toBe(await graphDigest(await holding(concept('a'))));
});

test('a target with concepts of its own is left alone, whether they are others or the same ones said otherwise', async () => {
  const from = await holding(concept('a', ['b']), concept('b'));
  for (const own of [concept('c'), concept('b', ['b']), { ...concept('a'), name: 'another name' }]) {
    const to = await holding(own);
    const before = await to.version();
    expect(await copyGraph(from, to)).toEqual({ type: 'occupied', names: [own.name] });
    expect(await to.version()).toEqual(before);
  }
});

test('a large graph goes in several batches; one that was interrupted between any two of them is completed', async () => {
  const from = await holding(...many());
  let writes = 0;
  const counted = await holding();
  const counting: GraphStore = {
    ...counted,
    apply: (...batch) => {
      writes += 1;
      return counted.apply(...batch);
    },
  };
  await copyGraph(from, counting, { perBatch: 5 });
  expect(writes).toBe(6);
  for (let kept = 0; kept < writes; kept += 1) {
    const to = await holding();
    let left = kept;
    const failing: GraphStore = {
      ...to,
      apply: (...batch) => {
        left -= 1;
        return left < 0 ? Promise.reject(new Error('cut')) : to.apply(...batch);
      },
    };
    await expect(copyGraph(from, failing, { perBatch: 5 })).rejects.toThrow('cut');
    expect(await copyGraph(from, to, { perBatch: 5 })).toMatchObject({
      type: 'copied',
      digest: await graphDigest(from),
    });
  }
});

test('a source that changes meanwhile, and a target that another writes to, are found out', async () => {
  const [from, to] = [await holding(concept('a')), await holding()];
  const more = (): Promise<unknown> =>
    from.apply([{ type: 'put-primitive', primitive: concept('b') }], { id: 'more', expected: 'any' });
  const moving: GraphStore = {
    ...to,
    apply: async (...batch) => {
      await more();
      return to.apply(...batch);
    },
  };
  expect(await copyGraph(from, moving)).toEqual({ type: 'moved' });
  expect(await copyGraph(from, to)).toMatchObject({ type: 'copied', concepts: 2 });
  const target = await holding();
  const shared: GraphStore = {
    ...target,
    apply: async (changes, how) => {
      await target.apply([{ type: 'put-primitive', primitive: concept('x') }], { id: 'x', expected: 'any' });
      return target.apply(changes, how);
    },
  };
  const differs = await copyGraph(from, shared);
  expect(differs).toMatchObject({ type: 'different', source: await graphDigest(from) });
});

test('what the target refuses is told', async () => {
  const to = await holding();
  const reasons = [{ code: 'graph.limit', message: 'too much', data: {} }];
  const refusing: GraphStore = { ...to, apply: async () => ({ type: 'refused', reasons }) };
  expect(await copyGraph(await holding(concept('a')), refusing)).toEqual({ type: 'refused', reasons });
});

test('the digest is that of the content, whatever its order of arrival', async () => {
  await fc.assert(
    fc.asyncProperty(fc.shuffledSubarray(['a', 'b', 'c', 'd'], { minLength: 4 }), async (ids) => {
      const store = await holding(...ids.map((id) => concept(id, ['a'])));
      const sorted = await holding(...[...ids].sort().map((id) => concept(id, ['a'])));
      expect(await graphDigest(store)).toBe(await graphDigest(sorted));
    }),
  );
});
