import type { GraphApplied, GraphChange, Primitive, Reason } from '@warrant/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMemoryGraphStore, graphDigest } from '../src/index.ts';
import { neo4jHarness } from './neo4j-harness.ts';
import { describeWithNeo4j } from './neo4j-server.ts';

const RUNS = process.env['WARRANT_SOAK'] === undefined ? 10 : 300;
const authored = { source: 'authored', at: '2026-01-01T00:00:00Z' } as const;
const learned = { source: 'learned', at: '2026-01-02T00:00:00Z', proposalId: 'p' } as const;

const id = fc.constantFrom('a', 'b', 'c', 'd', 'é', '😀');
const name = fc.constantFrom('Alpha', 'ALPHA', 'ß', 'ss', 'Ⅷ', 'd', '__proto__', 'nul\u0000');
const level = fc.constantFrom(0, 1, 2, 3, 4) as fc.Arbitrary<0 | 1 | 2 | 3 | 4>;
const provenance = fc.constantFrom(authored, learned);
const relation = fc.constantFrom(
  'requires',
  'depends-on',
  'constrained-by',
  'applies-to',
  'includes',
) as fc.Arbitrary<'requires'>;
const target = fc.oneof({ weight: 9, arbitrary: id }, { weight: 1, arbitrary: fc.constant('ghost') });
const properties = fc.constantFrom({}, { text: 'x' }, { text: 'y', list: [1, -0, null, { z: 'ﬁ' }] });
const relatum = fc.record({ relation, target, targetDepth: level, provenance });
const depth = fc.record({ level, properties, relata: fc.array(relatum, { maxLength: 3 }), provenance });
const depths = fc.uniqueArray(depth, { maxLength: 3, selector: (one) => one.level });
const edge = fc.record({ source: id, sourceDepth: level, relation, target, targetDepth: level });
const change: fc.Arbitrary<GraphChange> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .record({ id, name, depths, provenance })
      .map((primitive) => ({ type: 'put-primitive' as const, primitive })),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('put-depth' as const), primitive: id, depth }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('put-relatum' as const), edge, provenance }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('remove-relatum' as const), edge, provenance }) },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('remove-primitive' as const),
      primitive: id,
      dangling: fc.constantFrom('refuse' as const, 'remove' as const),
    }),
  },
);
const batch = fc.record({ changes: fc.array(change, { minLength: 1, maxLength: 5 }), again: fc.boolean() });

/** What is left of an answer without the version, which has an epoch of its own; a cycle may be found at any of its ends. */
function told(applied: GraphApplied): unknown {
  if (applied.type === 'refused') return { type: applied.type, reasons: applied.reasons.map(plain).sort() };
  if (applied.type === 'conflict') return { type: applied.type, revision: applied.actual.revision };
  const notes = applied.type === 'applied' ? (applied.notes ?? []).map(plain).sort() : [];
  return { type: applied.type, revision: applied.version.revision, notes };
}

function plain({ code, data }: Reason): string {
  return code === 'graph.cycle' ? code : JSON.stringify([code, data]);
}

describeWithNeo4j('the stores in memory and in Neo4j', () => {
  test('give the same answers, reasons and views to any sequence of batches', { timeout: 600_000 }, async () => {
    const property = fc.asyncProperty(fc.array(batch, { minLength: 1, maxLength: 6 }), async (batches) => {
      const harness = await neo4jHarness();
      const stores = [createMemoryGraphStore(), harness.store] as const;
      try {
        for (const [index, { changes, again }] of batches.entries()) {
          for (let time = 0; time <= (again ? 1 : 0); time += 1) {
            const answers = await Promise.all(
              stores.map((store) => store.apply(changes, { id: `${index}`, expected: 'any' })),
            );
            expect(told(answers[1] as GraphApplied)).toEqual(told(answers[0] as GraphApplied));
          }
          const views = await Promise.all(stores.map((store) => store.view(['alpha', 'SS', 'viii', 'd', '__proto__'])));
          expect(views[1]?.digest).toBe(views[0]?.digest);
          expect(views[1]?.snapshot().primitives.map((one: Primitive) => one.id)).toEqual(
            views[0]?.snapshot().primitives.map((one: Primitive) => one.id),
          );
        }
        expect(await graphDigest(stores[1])).toBe(await graphDigest(stores[0]));
      } finally {
        await harness.dispose();
      }
    });
    await fc.assert(property, { numRuns: RUNS });
  });
});
