import { readYaml } from '@warrant/chart/yaml';
import { createVirtualClock, createVirtualTimer } from '@warrant/core';
import { createMemoryJournal } from '@warrant/journal';
import { expect, test } from 'vitest';
import { agentDataModel } from '../src/cel/index.ts';
import { firstEnabled } from '../src/deciders/guard.ts';
import { createAgentHost } from '../src/host/host.ts';
import { collect } from './collect.ts';

const chart = readYaml(`format: warrant.chart/1
states:
  review:
    extensions: [{ local: decide, attribute: rule }]
    on: { approve: done, reject: done }
  done: { type: final }
`);

test('an agent runs to its end by a rule, and a second host reads the same state', async () => {
  const clock = createVirtualClock();
  const journal = createMemoryJournal({ clock });
  const host = createAgentHost({
    journal,
    clock,
    timer: createVirtualTimer(),
    agents: [{ name: 'review', chart, dataModel: agentDataModel() }],
    deciders: { rule: firstEnabled('reject') },
  });
  await host.spawn('urn:agent:1', 'review');
  await host.settled();
  const state = await host.state('urn:agent:1');
  expect(state.status).toBe('done');
  const entries = await collect(journal.read('agents/urn:agent:1'));
  expect(entries.map(({ id, type }) => `${id} ${type}`)).toEqual(['start agent.start', '1.0 agent.decision']);
  const second = createAgentHost({ journal, clock, agents: [{ name: 'review', chart, dataModel: agentDataModel() }] });
  expect(await second.state('urn:agent:1')).toEqual(state);
});
