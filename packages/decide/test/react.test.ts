import { createMemoryJournal } from '@warrant/journal';
import { expect, test } from 'vitest';
import { createScriptedProvider } from '../src/providers/scripted.ts';
import { agentFromTools } from '../src/react/index.ts';
import { collect } from './collect.ts';

test('functions and a model are an agent; a fork and a replay ask nobody', async () => {
  const model = createScriptedProvider([
    { content: { event: 'call.add', payload: { a: 1 } } },
    { content: { event: 'call.add', payload: { a: 1, b: 2 } } },
    { content: { event: 'finish', payload: 'three' } },
  ]);
  const schema = {
    type: 'object',
    properties: { a: { type: 'integer' }, b: { type: 'integer' } },
    required: ['a', 'b'],
    additionalProperties: false,
  };
  const agent = agentFromTools({
    tools: { add: { arguments: schema, call: ({ a, b }: { a: number; b: number }) => a + b } },
    model,
    maxDecisions: 5,
  });
  const journal = createMemoryJournal();
  const result = await agent.run('What is 1 + 2?', { journal, actor: 'urn:agent:1' });
  expect(result).toMatchObject({ type: 'finished', answer: 'three' });
  expect(model.requests).toHaveLength(3);
  expect(result.usage.calls).toBe(3);
  const entries = await collect(journal.read('agents/urn:agent:1'));
  expect(entries.map(({ type }) => type)).toEqual([
    'agent.start',
    'agent.decision',
    'agent.decision',
    'agent.tool.result',
    'agent.decision',
  ]);
});
