import type { Decider } from '@warrant/core';
import { expect, test } from 'vitest';
import { collect } from './collect.ts';
import { definitionOf, world } from './support.ts';

const A = 'urn:agent:1';
const agents = [
  definitionOf(
    'states: { a: { extensions: [{ local: decide, attribute: d }], on: { yes: b, vt.decide.refused: r } }, b: {}, r: {} }',
  ),
];

test.each<readonly [string, unknown]>([
  ['nothing', undefined],
  ['null', null],
  ['a text', 'yes'],
  ['a list', []],
  ['something of no type', { event: 'yes' }],
  ['something of another type', { type: 'review', event: 'yes' }],
])('who answers %s has refused, be it a decider or a rule', async (_, said) => {
  const deciders: readonly Decider[] = [
    { kind: 'custom', decide: async () => said as never },
    { kind: 'guard', decide: async () => said as never, decideNow: () => said } as Decider,
  ];
  for (const d of deciders) {
    const { host, journal } = world({ agents, deciders: { d } });
    await host.spawn(A, 'agent');
    await host.settled();
    expect((await host.state(A)).sessions[0]?.chart.configuration).toEqual(['r']);
    const [, entry] = await collect(journal.read(`agents/${A}`));
    expect(entry?.data).toMatchObject({ input: { type: 'refusal', data: { reason: 'not-an-answer' } } });
  }
});
