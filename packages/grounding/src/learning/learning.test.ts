import {
  createVirtualClock,
  type Gap,
  type GraphStore,
  type JsonObject,
  type Proposal,
  type ProposalKind,
  type Reviewer,
} from '@warrant/core';
import { createMemoryGraphStore } from '@warrant/graph';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { concept, graphs, known, queries, relatum, store, view } from '../../test/graphs.ts';
import { ground } from '../ground.ts';
import { createGrounder } from '../grounder.ts';
import { templateForGap } from './candidate.ts';
import { checkCandidate, learnGap, reachabilityPrerequisites } from './learn.ts';
import { listLearned } from './learned.ts';
import { learningProposalKind, proposeLearning } from './proposal.ts';
import { unlearn } from './unlearn.ts';

const clock = createVirtualClock();
const query = { concepts: ['copy', 'file'] };
const depthGap: Gap = { type: 'depth', concept: 'file', required: 3, current: 0, missing: [1, 2, 3], remedy: {} };
const fileAt = (deepest: 0 | 1 | 2 | 3) => store(createMemoryGraphStore(), [known('file', deepest)]);
const levels = (...numbers: readonly number[]) => ({
  type: 'depth',
  levels: numbers.map((level) => ({ level, properties: { says: level } })),
});
const learn = (graph: GraphStore, gap: Gap, candidate: unknown, proposalId = 'p') =>
  learnGap(graph, { gap, candidate, query }, { proposalId, clock });

async function codes(graph: GraphStore, gap: Gap, candidate: unknown): Promise<readonly string[]> {
  const outcome = await learn(graph, gap, candidate);
  expect(outcome.type).toBe('refused');
  return outcome.type === 'refused' ? outcome.reasons.map((reason) => reason.code) : [];
}

describe('learning levels', () => {
  it.each([
    ['another kind', { type: 'existence', name: 'file', identity: null }, ['learning.kind-mismatch']],
    ['nothing', levels(), ['learning.no-content']],
    ['an empty level', { type: 'depth', levels: [{ level: 1, properties: {} }] }, ['learning.no-content']],
    ['a level twice', levels(1, 1), ['learning.duplicate-level']],
    ['more than the gap asks', levels(1, 2, 3, 4), ['learning.beyond-required']],
    ['what is known already', levels(0, 1), ['learning.level-known']],
    ['a level above a hole', levels(1, 3), ['learning.not-contiguous']],
    ['text', 'D1', ['learning.malformed']],
    ['null', null, ['learning.malformed']],
    [
      'a level that is no number',
      { type: 'depth', levels: [{ level: Number.NaN, properties: { a: 1 } }] },
      ['learning.malformed'],
    ],
    ['text for levels', { type: 'depth', levels: '1' }, ['learning.malformed']],
    [
      'content that is not JSON',
      { type: 'depth', levels: [{ level: 1, properties: { f: () => 1 } }] },
      ['learning.malformed'],
    ],
    [
      'content with a lone surrogate',
      { type: 'depth', levels: [{ level: 1, properties: { a: '\uDC00' } }] },
      ['learning.malformed'],
    ],
  ])('refuses %s and changes nothing', async (_, candidate, expected) => {
    const graph = await fileAt(0);
    const before = await graph.version();
    expect(await codes(graph, depthGap, candidate)).toEqual(expected);
    expect(await graph.version()).toEqual(before);
  });

  it('takes a part from below, then says what is still missing', async () => {
    const graph = await fileAt(0);
    expect((await learn(graph, depthGap, levels(2, 1))).type).toBe('learned');
    const { gaps } = await createGrounder({ graph }).check({ concepts: ['file'], minDepth: 3 });
    expect(gaps).toMatchObject([{ type: 'depth', current: 2, missing: [3] }]);
    expect(await codes(graph, depthGap, levels(2))).toEqual(['learning.level-known']);
  });

  it('wakes deeper levels above the hole it fills, and replaces a level that says nothing', async () => {
    const graph = await store(createMemoryGraphStore(), [concept('file', { 0: true, 1: false, 2: true, 3: true })]);
    expect((await learn(graph, depthGap, levels(1))).type).toBe('learned');
    expect((await createGrounder({ graph }).check({ concepts: ['file'], minDepth: 3 })).grounded).toBe(true);
  });

  it('stamps what it learned with source, proposal and time, and leaves the rest as it was', async () => {
    const graph = await fileAt(0);
    await learn(graph, depthGap, levels(1));
    const [file] = (await graph.view(['file'])).snapshot().primitives;
    expect(file?.depths.map((depth) => depth.provenance)).toEqual([
      { source: 'authored', at: '2026-01-01T00:00:00.000Z' },
      { source: 'learned', at: '2026-01-01T00:00:00.000Z', proposalId: 'p' },
    ]);
  });

  it('treats a relational gap as one of the target', async () => {
    const graph = await store(createMemoryGraphStore(), [
      known('copy', 1, { 1: [['requires', 'file', 2]] }),
      known('file', 0),
    ]);
    const gap = (await createGrounder({ graph }).check({ concepts: ['copy'] })).gaps[0] as Gap;
    expect(templateForGap(gap)).toEqual({
      type: 'relational',
      levels: [1, 2].map((level) => ({ level, properties: {} })),
    });
    expect((await learn(graph, gap, { ...levels(1, 2), type: 'relational' })).type).toBe('learned');
    expect((await createGrounder({ graph }).check({ concepts: ['copy'] })).grounded).toBe(true);
  });

  it('answers already-closed when someone else was faster', async () => {
    expect(await learn(await fileAt(3), depthGap, levels(1))).toEqual({ type: 'already-closed' });
  });
});

describe('learning a concept', () => {
  const gap: Gap = { type: 'existence', concept: 'File', remedy: {} };
  it.each([
    [
      'another spelling',
      { type: 'existence', name: 'file', identity: { level: 1, properties: { a: 1 } } },
      'learning.other-name',
    ],
    ['no identity', { type: 'existence', name: 'File', identity: null }, 'learning.no-content'],
    [
      'an empty identity',
      { type: 'existence', name: 'File', identity: { level: 1, properties: {} } },
      'learning.no-content',
    ],
    [
      'an identity at level 2',
      { type: 'existence', name: 'File', identity: { level: 2, properties: { a: 1 } } },
      'learning.wrong-level',
    ],
  ])('refuses %s', async (_, candidate, code) => {
    expect(await codes(createMemoryGraphStore(), gap, candidate)).toEqual([code]);
  });

  it('takes null for content, makes level 0, and finds the concept in another spelling afterwards', async () => {
    const graph = createMemoryGraphStore();
    const candidate = { type: 'existence', name: 'File', identity: { level: 1, properties: { a: null } } };
    expect((await learn(graph, gap, candidate)).type).toBe('learned');
    expect((await createGrounder({ graph }).check({ concepts: ['fILE'], minDepth: 1 })).grounded).toBe(true);
    expect((await learn(graph, { ...gap, concept: 'FILE' }, { ...candidate, name: 'FILE' })).type).toBe(
      'already-closed',
    );
  });
});

describe('learning an edge', () => {
  const gap: Gap = { type: 'reachability', concept: 'file', remedy: {} };
  const edge = (change: JsonObject = {}) => ({
    type: 'reachability',
    source: 'copy',
    target: 'file',
    relation: 'applies-to',
    sourceDepth: 2,
    targetDepth: 1,
    ...change,
  });
  const apart = () => store(createMemoryGraphStore(), [known('copy', 1), known('file', 0)]);

  it('names the levels to fill first, source before target, and is refused until they are', async () => {
    const graph = await apart();
    const needed = await reachabilityPrerequisites(graph, { gap, candidate: edge(), query });
    expect(needed).toMatchObject({
      gaps: [
        { concept: 'copy', required: 2, current: 1, missing: [2] },
        { concept: 'file', required: 1, current: 0, missing: [1] },
      ],
    });
    expect(await codes(graph, gap, edge())).toEqual(['learning.missing-depth', 'learning.missing-depth']);
    for (const [index, open] of (needed.type === 'prerequisites' ? needed.gaps : []).entries()) {
      const { missing } = open as Extract<Gap, { type: 'depth' }>;
      expect((await learn(graph, open, levels(...missing), `fill-${index}`)).type).toBe('learned');
    }
    expect((await learn(graph, gap, edge())).type).toBe('learned');
    expect((await createGrounder({ graph }).check(query)).grounded).toBe(true);
  });

  it.each([
    ['a slot left open', edge({ relation: null }), 'learning.malformed'],
    ['a relation of its own', edge({ relation: 'likes' }), 'learning.malformed'],
    ['an edge elsewhere', edge({ target: 'copy' }), 'learning.unrelated-edge'],
    ['an end that nobody knows', edge({ source: 'ghost' }), 'learning.unknown-concept'],
  ])('refuses %s', async (_, candidate, code) => {
    const graph = await apart();
    expect(await codes(graph, gap, candidate)).toEqual([code]);
    expect((await reachabilityPrerequisites(graph, { gap, candidate, query })).type).toBe('refused');
  });

  it("passes the store's refusal of a cycle on as a value", async () => {
    const wide = { concepts: ['copy', 'file', 'disk'] };
    const graph = await store(createMemoryGraphStore(), [
      known('disk', 1, { 1: [['includes', 'copy', 0]] }),
      known('copy', 1),
      known('file', 0),
      concept('far', { 0: true }),
    ]);
    const cyclic = { gap, query: wide, candidate: edge({ relation: 'requires', sourceDepth: 0, targetDepth: 0 }) };
    expect((await learnGap(graph, cyclic, { proposalId: 'fine' })).type).toBe('learned');
    const graphWithWay = await store(createMemoryGraphStore(), [
      known('file', 2, { 2: [['requires', 'copy', 0]] }),
      known('copy', 0),
    ]);
    const hole = await graphWithWay.apply(
      [{ type: 'put-primitive', primitive: concept('file', { 0: true, 2: [['requires', 'copy', 0]] }) }],
      { id: 'hole', expected: 'any' },
    );
    expect(hole.type).toBe('applied');
    const back = edge({ source: 'copy', target: 'file', relation: 'requires', sourceDepth: 0, targetDepth: 0 });
    expect(await codes(graphWithWay, gap, back)).toEqual(['graph.cycle']);
  });
});

describe('taking back', () => {
  it('removes what one proposal brought and nothing else', async () => {
    const graph = await fileAt(0);
    await learn(graph, depthGap, levels(1), 'one');
    await learn(graph, depthGap, levels(2), 'two');
    expect(await listLearned(graph, { proposalId: 'two' })).toMatchObject([
      { type: 'level', concept: 'file', level: 2 },
    ]);
    expect((await unlearn(graph, 'two')).type).toBe('unlearned');
    expect((await listLearned(graph)).map((item) => item.proposalId)).toEqual(['one']);
    expect((await unlearn(graph, 'two')).type).toBe('nothing-learned');
  });

  it('refuses while others stand on it, and names them', async () => {
    const graph = createMemoryGraphStore();
    const existence: Gap = { type: 'existence', concept: 'file', remedy: {} };
    const candidate = { type: 'existence', name: 'file', identity: { level: 1, properties: { a: 1 } } };
    await learn(graph, existence, candidate, 'made');
    await learn(graph, { ...depthGap, current: 1 }, levels(2), 'deepened');
    expect(await unlearn(graph, 'made')).toMatchObject({
      type: 'refused',
      reasons: [{ code: 'learning.built-upon', data: { concept: 'file', level: 2 } }],
    });
    await unlearn(graph, 'deepened');
    const [file] = (await graph.view(['file'])).snapshot().primitives;
    const leaning = relatum('requires', 'file', 0);
    const [bottom] = known('disk', 0).depths;
    const depths = bottom === undefined ? [] : [{ ...bottom, relata: [{ ...leaning, target: file?.id ?? '' }] }];
    await graph.apply([{ type: 'put-primitive', primitive: { ...known('disk', 0), depths } }], {
      id: 'lean',
      expected: 'any',
    });
    expect(await unlearn(graph, 'made')).toMatchObject({ type: 'refused', reasons: [{ code: 'graph.dangling' }] });
  });

  it('does not learn a proposal anew that was taken back', async () => {
    const graph = await fileAt(0);
    await learn(graph, depthGap, levels(1), 'once');
    await unlearn(graph, 'once');
    const again = await learn(graph, depthGap, levels(1), 'once');
    expect(again).toMatchObject({ type: 'refused', reasons: [{ code: 'learning.proposal-spent' }] });
    expect((await learn(graph, depthGap, levels(1), 'anew')).type).toBe('learned');
  });
});

describe('a graph that others change', () => {
  it('is looked at again until the write fits', async () => {
    const graph = await fileAt(0);
    let disturbed = 0;
    const busy: GraphStore = {
      ...graph,
      view: async (names) => {
        const seen = await graph.view(names);
        if (disturbed < 3) {
          disturbed += 1;
          const primitive = known(`other-${disturbed}`, 0);
          await graph.apply([{ type: 'put-primitive', primitive }], { id: `d${disturbed}`, expected: 'any' });
        }
        return seen;
      },
    };
    expect((await learn(busy, depthGap, levels(1))).type).toBe('learned');
    expect(disturbed).toBe(3);
  });

  it('makes learning give up with a retryable code when it never fits', async () => {
    const graph = await fileAt(0);
    const refusing: GraphStore = { ...graph, apply: async () => ({ type: 'conflict', actual: await graph.version() }) };
    await expect(learn(refusing, depthGap, levels(1))).rejects.toMatchObject({
      code: 'GROUNDING_CONFLICT',
      retryable: true,
    });
  });

  it('lets one of two proposals for the same gap win and tells the other', async () => {
    const graph = await fileAt(0);
    const gap: Gap = { ...depthGap, required: 1, missing: [1] };
    const outcomes = await Promise.all([learn(graph, gap, levels(1), 'a'), learn(graph, gap, levels(1), 'b')]);
    expect(outcomes.map((outcome) => outcome.type).sort()).toEqual(['already-closed', 'learned']);
  });
});

describe('a learning proposal', () => {
  /** Approves at once and applies, as a reviewer with a lenient rule would. */
  function lenientReviewer(graph: GraphStore): { reviewer: Reviewer; filed: Proposal[] } {
    const filed: Proposal[] = [];
    const kind: ProposalKind = learningProposalKind({ graph, clock });
    const file = async (proposal: Proposal) => {
      filed.push(proposal);
      const reasons = await kind.check(proposal.payload);
      const applied = reasons.length === 0 ? await kind.apply(proposal) : { type: 'refused' as const, reasons };
      return { type: applied.type === 'applied' ? 'approved' : 'invalid', reasons: applied.reasons } as never;
    };
    return { reviewer: { file } as unknown as Reviewer, filed };
  }

  it('is checked, applied once however often it is applied, and carries evidence and confidence', async () => {
    const graph = await fileAt(0);
    const { reviewer, filed } = lenientReviewer(graph);
    const learning = {
      gap: depthGap,
      candidate: levels(1),
      query,
      proposedBy: 'agent',
      evidence: ['manual'],
      confidence: 0.7,
    };
    expect((await proposeLearning(reviewer, learning, { clock })).type).toBe('approved');
    const [proposal] = filed as [Proposal];
    const kind = learningProposalKind({ graph, clock });
    expect([kind.evidence(proposal.payload), kind.confidence(proposal.payload)]).toEqual([['manual'], 0.7]);
    const version = await graph.version();
    expect(await kind.apply(proposal)).toEqual({ type: 'applied', reasons: [] });
    expect(await graph.version()).toEqual(version);
    expect(await listLearned(graph, { proposalId: proposal.id })).toHaveLength(1);
  });

  it.each([
    ['nothing', {}],
    ['a query of text', { gap: depthGap, candidate: levels(1), query: { concepts: 'file' } }],
    ['a gap of another world', { gap: { type: 'moral' }, candidate: levels(1), query }],
  ])('with %s for a payload is refused with reasons', async (_, payload) => {
    const kind = learningProposalKind({ graph: await fileAt(0), clock });
    const reasons = await kind.check(payload as unknown as JsonObject);
    expect(reasons.map((reason) => reason.code)).toEqual(['learning.malformed']);
    expect(kind.evidence(payload as unknown as JsonObject)).toBeNull();
  });
});

describe('the loop over templates', () => {
  it('closes a gap with every accepted candidate, on any graph', async () => {
    await fc.assert(
      fc.asyncProperty(graphs, queries, async (graph, asked) => {
        const live = await store(createMemoryGraphStore(), graph);
        for (let turn = 0; turn < 60; turn += 1) {
          const { gaps } = await createGrounder({ graph: live, metrics: false }).check(asked);
          const gap = gaps[0];
          if (gap === undefined) return;
          const filled = fill(gap);
          const request = { gap, candidate: filled, query: asked };
          expect((await checkCandidate(live, request)).map((reason) => reason.code)).toEqual([]);
          expect((await learnGap(live, request, { proposalId: `t${turn}`, clock })).type).toBe('learned');
        }
        throw new Error('the loop does not end');
      }),
      { numRuns: process.env['WARRANT_SOAK'] === undefined ? 60 : 3_000 },
    );
  });

  function fill(gap: Gap): unknown {
    const template = templateForGap(gap);
    if (template.type === 'existence') return { ...template, identity: { level: 1, properties: { a: 1 } } };
    if (template.type !== 'reachability') {
      return { ...template, levels: template.levels.map(({ level }) => ({ level, properties: { a: 1 } })) };
    }
    const [target] = gap.remedy['to'] as readonly string[];
    const source = gap.type === 'reachability' ? gap.concept : '';
    return { type: 'reachability', source, target, relation: 'applies-to', sourceDepth: 0, targetDepth: 0 };
  }
});

describe('a remedy', () => {
  it('names the known concepts that a stray one could be related to', () => {
    const { gaps } = ground(
      view(known('copy', 1), known('file', 1), known('mail', 1, { 1: [['includes', 'file', 0]] })),
      {
        concepts: ['copy', 'mail', 'file'],
      },
    );
    expect(gaps).toEqual([
      { type: 'reachability', concept: 'copy', remedy: { action: 'connect', concept: 'copy', to: ['mail', 'file'] } },
    ]);
  });
});

describe('an edge for a reachability gap', () => {
  const edge = (source: string, target: string) => ({
    type: 'reachability',
    source,
    target,
    relation: 'applies-to',
    sourceDepth: 0,
    targetDepth: 0,
  });

  it.each([
    ['an end that the query does not resolve', 'disk', 'learning.out-of-scope'],
    ['the concept itself', 'file', 'learning.self-edge'],
  ])('is refused to %s, and nothing is written', async (_what, target, code) => {
    const graph = await store(createMemoryGraphStore(), [known('copy', 0), known('file', 0), known('disk', 0)]);
    const result = await createGrounder({ graph, metrics: false }).check(query);
    const gap = result.gaps.find((found) => found.type === 'reachability');
    expect(gap).toMatchObject({ concept: 'file' });
    const before = await graph.version();
    expect(await codes(graph, gap as Gap, edge('file', target))).toEqual([code]);
    expect(await graph.version()).toEqual(before);
  });
});
