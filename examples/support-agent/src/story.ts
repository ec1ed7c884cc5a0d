import { canonicalJson, type Journal, type Json } from '@warrant/core';
import { createAgentHost } from '@warrant/decide';
import { memoryOutside, supportKit, TICKET } from './kit.ts';
import { ACTOR, journalLines } from './run.ts';

const FORK = `${ACTOR}/fork-1`;

/** The run, a fork of it, and a look at it with nobody bound. */
export async function runStory(
  journal: Journal,
  print: (line: string) => void,
): Promise<{ readonly faults: readonly string[] }> {
  const faults: string[] = [];
  const expect = (holds: boolean, what: string) => void (holds || faults.push(what));
  const outside = memoryOutside();
  const kit = supportKit(outside);
  const host = createAgentHost({ ...kit, journal });
  await host.spawn(ACTOR, 'support');
  await host.send(ACTOR, { name: 'task', data: TICKET });
  await host.settled();
  const state = await host.state(ACTOR);
  print(`done: ${JSON.stringify(state.result)}`);
  for (const line of await journalLines(journal)) print(line);
  const { calls, prompt_tokens: prompt, completion_tokens: completion } = state.usage;
  print(`models: ${calls} calls, ${prompt} + ${completion} tokens`);
  expect(state.status === 'done' && calls === 5, 'the run ends after five calls of models');

  const asked = kit.asked.length;
  const settled = { type: 'decision', event: 'finish', payload: { text: 'Settled by a supervisor.' } } as const;
  await host.fork(ACTOR, 5, FORK, [{ correlation: '5.0', answer: settled }]);
  await host.settled();
  const forked = await host.state(FORK);
  print(`fork ends: ${JSON.stringify(forked.result)}; models asked since: ${kit.asked.length - asked}`);
  expect(forked.status === 'done' && kit.asked.length === asked, 'a fork asks no model');
  await host.close();

  const bare = createAgentHost({ agents: kit.agents, journal });
  const same = canonicalJson((await bare.state(ACTOR)) as unknown as Json) === canonicalJson(state as unknown as Json);
  print(`opened with nobody bound: ${same ? 'the same state' : 'another state'}`);
  expect(same, 'a host with nobody bound reads the same state');
  await bare.close();
  return { faults };
}
