import type { DepthLevel, Primitive, Provenance } from '@warrant/core';
import { createMemoryGraphStore } from '@warrant/graph';
import { createGrounder, listLearned, unlearn } from '@warrant/grounding';
import { describe, expect, it } from 'vitest';
import { type Fill, learningLoop } from './learning-loop.ts';

const AUTHORED: Provenance = { source: 'authored', at: '2026-01-01T00:00:00.000Z' };
const query = { concepts: ['delete', 'file'], minDepth: 2 as const };

function concept(name: string, deepest: DepthLevel): Primitive {
  const depths = Array.from({ length: deepest + 1 }, (_, level) => ({
    level: level as DepthLevel,
    properties: { note: `what D${level} of ${name} says` },
    relata: [],
    provenance: AUTHORED,
  }));
  return { id: name, name, depths, provenance: AUTHORED };
}

async function startingGraph() {
  const graph = createMemoryGraphStore();
  await graph.apply([{ type: 'put-primitive', primitive: concept('file', 0) }], { id: 'start', expected: 'any' });
  return graph;
}

/** What a model would do: say something about every level that is asked for, and relate the action to its object. */
const fill: Fill = (template) => {
  switch (template.type) {
    case 'existence':
      return { ...template, identity: { level: 1, properties: { is: 'removing something for good' } } };
    case 'depth':
    case 'relational':
      return {
        ...template,
        levels: template.levels.map(({ level }) => ({ level, properties: { says: `D${level}` } })),
      };
    case 'reachability':
      return {
        type: 'reachability',
        source: 'delete',
        target: 'file',
        relation: 'applies-to',
        sourceDepth: 2,
        targetDepth: 2,
      };
  }
};

describe('the learning loop', () => {
  it('ends grounded, one approved proposal a gap', async () => {
    const graph = await startingGraph();
    const { grounded, turns } = await learningLoop({ graph, query, fill, approve: () => true, mostTurns: 20 });
    expect(turns).toEqual([
      { gap: 'existence delete', outcome: 'learned' },
      { gap: 'depth delete', outcome: 'learned' },
      { gap: 'depth file', outcome: 'learned' },
      { gap: 'reachability file', outcome: 'learned' },
    ]);
    expect(grounded).toBe(true);
  });

  it('stops without writing when nobody approves', async () => {
    const graph = await startingGraph();
    const before = await graph.version();
    const { grounded, turns } = await learningLoop({ graph, query, fill, approve: () => false, mostTurns: 20 });
    expect({ grounded, turns }).toEqual({
      grounded: false,
      turns: [{ gap: 'existence delete', outcome: 'not-approved' }],
    });
    expect(await graph.version()).toEqual(before);
  });

  it('takes a proposal back, and its gap is there again', async () => {
    const graph = await startingGraph();
    await learningLoop({ graph, query, fill, approve: () => true, mostTurns: 20 });
    expect((await listLearned(graph, { proposalId: 'turn-4' })).map((item) => item.type)).toEqual(['relatum']);
    expect((await unlearn(graph, 'turn-4')).type).toBe('unlearned');
    const { gaps } = await createGrounder({ graph }).check(query);
    expect(gaps.map((gap) => gap.type)).toEqual(['reachability']);
  });
});
