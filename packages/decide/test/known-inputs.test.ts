import type { Decider } from '@warrant/core';
import { expect, test } from 'vitest';
import { firstEnabled } from '../src/index.ts';
import { collect } from './collect.ts';
import { definitionOf, world } from './support.ts';

const A = 'urn:agent:1';
const AGENT = definitionOf(`
states:
  review: { extensions: [{ local: decide, attribute: d }], on: { approve: done, reject: done } }
  done: { type: final }
`);
/** Never answers by itself. */
const silent: Decider = { kind: 'human', decide: () => new Promise(() => undefined) };

test('an event that comes again is known, though a rule has an answer to add by now', async () => {
  const { open, journal } = world({ agents: [AGENT] });
  const first = open({ host: 'h', deciders: { d: silent } });
  await first.spawn(A, 'agent');
  expect(await first.send(A, { name: 'noise', id: 'x' })).toEqual({ type: 'applied', position: 2 });
  await first.close();

  const again = open({ host: 'h', deciders: { d: firstEnabled('reject') } });
  expect(await again.send(A, { name: 'noise', id: 'x' })).toEqual({ type: 'duplicate' });
  await again.settled();
  const ids = (await collect(journal.read(`agents/${A}`))).map(({ id }) => id);
  expect(ids).toEqual(['start', 'event:x', '1.0']);
  expect(await open({ deciders: {} }).state(A)).toEqual(await again.state(A));
});
