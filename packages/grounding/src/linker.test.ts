import type { GraphStore, GraphView, Primitive } from '@warrant/core';
import { describe, expect, it } from 'vitest';
import { concept } from '../test/graphs.ts';
import { deepFreeze } from './freeze.ts';
import { ground } from './ground.ts';
import { createGrounder } from './grounder.ts';

const bare = deepFreeze(concept('file', {}));
const shallow = deepFreeze(concept('copy', { 1: true }));

const viewOf = (primitives: readonly Primitive[]): GraphView => ({
  version: { epoch: 'one', revision: 0 },
  digest: `sha256:${'0'.repeat(64)}`,
  snapshot: () => ({ names: [], primitives }),
});

/** Views that cannot be taken over as a whole, by what stands in the way. */
const broken: readonly (readonly [what: string, primitives: readonly Primitive[]])[] = [
  ['a primitive stands in it twice', [bare, shallow, bare]],
  ['two have one id', [bare, shallow, deepFreeze({ ...concept('other', { 0: true }), id: bare.id })]],
  ['two have one name', [bare, shallow, deepFreeze({ ...concept('FILE', { 0: true }), id: 'another' })]],
  ['one can still change', [bare, shallow, concept('free', { 0: true })]],
  ['one is no primitive', [bare, shallow, deepFreeze({ ...concept('odd', {}), depths: 7 } as unknown as Primitive)]],
];

describe('a grounder after a view that could not be taken over, because', () => {
  it.each(broken)('%s', async (_, primitives) => {
    let at = viewOf(primitives);
    const grounder = createGrounder({ graph: { view: async () => at } as unknown as GraphStore, metrics: false });
    const query = { concepts: ['file', 'copy'] };
    await grounder.check(query).catch(() => undefined);
    at = viewOf([bare, shallow]);
    const answer = await grounder.check(query);
    expect({ ...answer, view: 0 }).toEqual({ ...ground(at, query), view: 0 });
    expect(answer.gaps.map(({ type }) => type)).toEqual(['depth', 'depth', 'reachability']);
  });
});
