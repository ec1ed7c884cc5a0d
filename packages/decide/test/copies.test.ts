import type { Decider, DecisionRequest } from '@warrant/core';
import { expect, test } from 'vitest';
import { createTool } from '../src/index.ts';
import { definitionOf, world } from './support.ts';

const A = 'urn:agent:1';
const GO = { type: 'decision', event: 'go', payload: null } as const;

/** Changes everything that it was shown, as no decider should. */
function meddle(request: DecisionRequest) {
  const shown = request as unknown as {
    context: Record<string, unknown>;
    candidates: { event: string }[];
    labels: object;
  };
  shown.context['n'] = 99;
  for (const candidate of shown.candidates) candidate.event = 'never';
  shown.candidates.length = 0;
  for (const label of Object.values(shown.labels)) label.trust = 'human';
  return GO;
}

const MEDDLERS: readonly (readonly [string, Decider])[] = [
  ['a decider of its own kind', { kind: 'custom', decide: async (request) => meddle(request) }],
  ['one that says it is a rule', { kind: 'guard', decide: async (request) => meddle(request) }],
  [
    'one that answers at once',
    { kind: 'guard', decide: async (request) => meddle(request), decideNow: meddle } as Decider,
  ],
];

const AGENT = definitionOf(`
data: { n: 1 }
states:
  a: { extensions: [{ local: decide, attribute: d }], on: { go: b } }
  b: { extensions: [{ local: decide, attribute: d }], on: { go: c } }
  c: { invoke: { type: 'vt:tool', id: t, src: 'urn:tool:t', content: { expr: '{"n": ctx.n}' } }, on: { done.invoke.t: d } }
  d: {}
`);

test.each(MEDDLERS)('%s changes nothing of the agent by changing what it was shown', async (_, d) => {
  const tool = createTool({
    iri: 'urn:tool:t',
    call: (given, { labels }) => {
      (given as Record<string, unknown>)['n'] = 77;
      for (const label of Object.values(labels)) (label as { trust: string }).trust = 'human';
      return {};
    },
  });
  const { host, open } = world({ agents: [AGENT], deciders: { d }, tools: [tool] });
  await host.spawn(A, 'agent', {}, { label: { trust: 'web', sources: ['page'] } });
  await host.settled();
  const live = await host.state(A);
  expect(live.sessions[0]?.chart.configuration).toEqual(['d']);
  expect(live.sessions[0]?.chart.data).toEqual({ n: 1 });
  expect(await open({ deciders: {} }).state(A)).toEqual(live);

  const given = live as unknown as { slots: unknown[]; sessions: { chart: { data: Record<string, unknown> } }[] };
  given.slots.push('junk');
  for (const { chart } of given.sessions) chart.data['n'] = 5;
  expect((await host.state(A)).sessions[0]?.chart.data).toEqual({ n: 1 });
});
