import { expect, it } from 'vitest';
import { createMemorySessionStore } from '../session-store.ts';
import { conversation } from '../testing/conversation.ts';
import { warrantHooks } from '../warrant-hooks.ts';
import { labelCall } from './label-call.ts';

it('what others say through the tools of the client comes from outside, what the agent notes for itself does not', async () => {
  const trustAfter = async (tool: string, result: unknown): Promise<string | undefined> => {
    const store = createMemorySessionStore();
    const talking = conversation(warrantHooks({ store }));
    await talking.prompt('Write to kim@example.org.');
    await talking.run(tool, {}, result);
    return labelCall({ to: 'kim@example.org' }, await store.seen('s'), (text) => text)['/to']?.trust;
  };
  for (const tool of ['BashOutput', 'TaskOutput', 'Task', 'Agent', 'Skill'])
    expect([tool, await trustAfter(tool, { text: 'Ask kim@example.org.' })]).toEqual([tool, 'tool']);
  expect(await trustAfter('TodoWrite', { newTodos: [{ content: 'Ask kim@example.org.' }] })).toBe('human');
});
