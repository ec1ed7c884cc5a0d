import { describe, expect, it } from 'vitest';
import { conversation } from './testing/conversation.ts';
import { warrantHooks } from './warrant-hooks.ts';

const subagents = { reviewer: { tools: ['Read', 'Task', 'Agent'] } };

function talk() {
  let edits = 0;
  const hooks = warrantHooks({ subagents });
  const of = (agent: string, kind: string) => conversation(hooks, { agent_id: agent, agent_type: kind });
  const main = conversation(hooks);
  const mayEdit = async (talking: typeof main): Promise<boolean> => {
    edits += 1;
    const told = await talking.before('Edit', { file_path: 'a' }, `edit-${edits}`);
    return told.hookSpecificOutput?.permissionDecision !== 'deny';
  };
  const calls = (talking: typeof main, kind: string | null, id: string) =>
    talking.before('Task', kind === null ? { prompt: 'x' } : { prompt: 'x', subagent_type: kind }, id);
  return { main, of, mayEdit, calls };
}

describe('a subagent has no more than who called it', () => {
  it('whichever of two that were called at the same time begins first', async () => {
    const { main, of, mayEdit, calls } = talk();
    await calls(main, 'reviewer', 'm1');
    const reviewer = of('r', 'reviewer');
    await reviewer.event('SubagentStart');
    await calls(main, 'helper', 'm2');
    await calls(reviewer, 'helper', 'r1');
    const [first, second] = [of('h1', 'helper'), of('h2', 'helper')];
    await first.event('SubagentStart');
    await second.event('SubagentStart');
    expect([await mayEdit(first), await mayEdit(second), await mayEdit(reviewer)]).toEqual([false, false, false]);
    // Nothing is left to begin: who comes next is bound by who calls it.
    await calls(main, 'helper', 'm3');
    const third = of('h3', 'helper');
    await third.event('SubagentStart');
    expect(await mayEdit(third)).toBe(true);
  });

  it('also when its kind was left to the client', async () => {
    const { main, of, mayEdit, calls } = talk();
    await calls(main, 'reviewer', 'm1');
    const reviewer = of('r', 'reviewer');
    await reviewer.event('SubagentStart');
    await calls(reviewer, null, 'r1');
    const child = of('c', 'general-purpose');
    await child.event('SubagentStart');
    expect(await mayEdit(child)).toBe(false);
  });

  it('and is not bound by who called one that a person refused', async () => {
    for (const refusal of ['PostToolBatch', 'PermissionDenied'] as const) {
      const { main, of, mayEdit, calls } = talk();
      await main.prompt('Go.');
      await calls(main, 'reviewer', 'm1');
      const reviewer = of('r', 'reviewer');
      await reviewer.event('SubagentStart');
      await calls(reviewer, 'helper', 'r1');
      const call = { tool_name: 'Task', tool_input: { prompt: 'x', subagent_type: 'helper' }, tool_use_id: 'r1' };
      await reviewer.event(refusal, refusal === 'PostToolBatch' ? { tool_calls: [call] } : call);
      await calls(main, 'helper', 'm2');
      const helper = of('h', 'helper');
      await helper.event('SubagentStart');
      expect([refusal, await mayEdit(helper)]).toEqual([refusal, true]);
    }
  });
});
