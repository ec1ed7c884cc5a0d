import type { Edge, GroundingResult, Primitive } from '@warrant/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planPolicies } from './decide.ts';
import { createPlanMemo } from './plan-memo.ts';
import type { PolicySet } from './policy-set.ts';
import { readGrounding } from './read-grounding.ts';
import { createPolicyRegistry } from './registry.ts';

const provenance = { source: 'authored', at: '2026-01-01T00:00:00.000Z' } as const;
const names = ['delete', 'file', 'folder'];
const primitive = (name: string, id = `id-${name}`): Primitive => Object.freeze({ id, name, depths: [], provenance });
const edge = (source: string, target: string): Edge =>
  Object.freeze({
    source: `id-${source}`,
    sourceDepth: 3,
    relation: 'applies-to',
    target: `id-${target}`,
    targetDepth: 1,
  });

/** The same few objects, as a grounder over a graph that hardly changes hands them out. */
const primitives = [...names.map((name) => primitive(name)), primitive('erase', 'id-delete')];
const edges = [edge('delete', 'file'), edge('delete', 'folder')];

function policies(...keys: readonly string[]): PolicySet {
  const registry = createPolicyRegistry();
  for (const key of keys) {
    const target = key.startsWith('folder') ? 'folder' : 'file';
    const triggerCardinality = key.endsWith('many') ? 'multiple' : null;
    registry.register({ key, source: 'delete', target, sourceDepth: 3, triggerCardinality }, () => ({ passed: true }));
  }
  return registry.freeze();
}
const sets = [policies('file'), policies('folder', 'file-many'), policies()];
const gap = { type: 'existence', concept: 'ghost', remedy: {} } as const;

const results: fc.Arbitrary<GroundingResult> = fc.record({
  grounded: fc.boolean(),
  resolved: fc.subarray(names),
  gaps: fc.constantFrom([], [], [gap]),
  pathway: fc.subarray(edges),
  primitives: fc.subarray(primitives),
  graph: fc.constant({ epoch: 'e', revision: 1 }),
  view: fc.constant(`sha256:${'0'.repeat(64)}` as const),
});
const calls = fc.record({
  grounding: results,
  policies: fc.constantFrom(...sets),
  cardinality: fc.constantFrom(null, 'single', 'multiple'),
});

describe('the memory of a plan', () => {
  it('never changes what is planned, whatever came before', () => {
    fc.assert(
      fc.property(fc.array(calls, { maxLength: 6 }), (sequence) => {
        const memo = createPlanMemo();
        // Each call twice, so that there is something to remember.
        for (const call of sequence.flatMap((one) => [one, one])) {
          const facts = memo.facts(call.grounding);
          expect(facts).toEqual(readGrounding(call.grounding));
          expect(memo.plan(facts, call.policies, call.cardinality)).toEqual(
            planPolicies(facts, call.policies, call.cardinality),
          );
        }
      }),
      { numRuns: 300 },
    );
  });

  const grounding: GroundingResult = {
    grounded: true,
    resolved: ['delete', 'file'],
    gaps: [],
    pathway: edges,
    primitives,
    graph: { epoch: 'e', revision: 1 },
    view: `sha256:${'0'.repeat(64)}`,
  };

  it('gives the same plan for the same facts, policies and cardinality, and a new one for others', () => {
    const memo = createPlanMemo();
    const [first, second] = sets as [PolicySet, PolicySet];
    const facts = memo.facts(grounding);
    const plan = memo.plan(facts, first, null);
    expect(memo.facts({ ...grounding, pathway: [...edges], primitives: [...primitives] })).toBe(facts);
    expect(memo.plan(facts, first, null)).toBe(plan);
    expect(memo.plan(facts, first, 'single')).not.toBe(plan);
    expect(memo.plan(facts, second, 'single').questions.map(({ placement }) => placement.key)).toEqual(['folder']);
    expect(memo.facts({ ...grounding, gaps: [gap] }).grounded).toBe(false);
  });

  it('reads anew what may have changed: parts and policies that are not frozen', () => {
    const memo = createPlanMemo();
    const mutable = { ...edge('delete', 'file') };
    const open = { ...grounding, pathway: [mutable] };
    expect(memo.facts(open).edges[0]?.target).toBe('file');
    (mutable as { target: string }).target = 'id-folder';
    const facts = memo.facts(open);
    expect(facts.edges[0]?.target).toBe('folder');
    const set: { -readonly [Key in keyof PolicySet]: PolicySet[Key] } = { ...(sets[1] as PolicySet) };
    expect(memo.plan(facts, set, null).questions).toHaveLength(1);
    set.on = () => [];
    expect(memo.plan(facts, set, null).questions).toHaveLength(0);
  });
});
