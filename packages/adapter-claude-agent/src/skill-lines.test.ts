import { createMemoryInbox, type Entry } from '@warrant/core';
import { describe, expect, it } from 'vitest';
import { hookNameOf, readHookInput } from './index.ts';
import { allowNext } from './testing/allow-next.ts';
import { conversation, file, type Told } from './testing/conversation.ts';
import { nothingKnown } from './testing/nothing-known.ts';
import { type WarrantHooksOptions, warrantHooks } from './warrant-hooks.ts';

const LINE = { tool_name: 'Bash', tool_use_id: 't1:preamble-0', command_name: 'release', invoked_by: 'claude' };

function talk(options: WarrantHooksOptions = {}) {
  const entries: Entry[] = [];
  const append = async (_stream: string, more: readonly Entry[]) => {
    entries.push(...more);
    return { type: 'duplicate', positions: [] } as const;
  };
  const talking = conversation(warrantHooks({ ...options, journal: { append } }));
  const line = (command: string, more: object = {}): Promise<Told> =>
    talking.event('PreSkillShellCommand', { ...LINE, tool_input: { command }, ...more });
  return { ...talking, line, entries };
}

const guard = { grounder: nothingKnown, inbox: createMemoryInbox({}), actor: 'agent' };

describe('shell lines in the text of skills', () => {
  it('are calls that say in whose text they stand', () => {
    const input = { hook_event_name: 'PreSkillShellCommand', session_id: 's', tool_input: { command: 'ls' }, ...LINE };
    const event = readHookInput(input);
    expect(event).toMatchObject({
      type: 'tool-starting',
      call: { tool: 'Bash', arguments: { command: 'ls' } },
      skill: { name: 'release', typed: false },
    });
    expect(hookNameOf(event)).toBe('PreSkillShellCommand');
    expect(readHookInput({ ...input, invoked_by: 'user' })).toMatchObject({ skill: { typed: true } });
    expect(readHookInput({ ...input, hook_event_name: 'PreToolUse' })).toMatchObject({ skill: null });
  });

  it('are refused as calls are, also where others would be asked about', async () => {
    for (const mode of ['ask', 'enforce'] as const) {
      const { line, entries } = talk({ guard, mode });
      const told = await line('rm -rf src');
      expect(told.hookSpecificOutput).toMatchObject({
        hookEventName: 'PreSkillShellCommand',
        permissionDecision: 'deny',
        permissionDecisionReason: expect.stringContaining('"delete" is not in the graph'),
      });
      expect(entries.find(({ type }) => type === 'claude.answer')?.data).toMatchObject({
        skill: 'release',
        answer: 'deny',
        how: 'refused',
      });
    }
    expect(await talk({ guard, mode: 'observe' }).line('rm -rf src')).toEqual({});
  });

  it('say in ask how a person can be asked', async () => {
    const told = await talk({ guard, mode: 'ask' }).line('rm -rf src');
    expect(told.hookSpecificOutput?.permissionDecisionReason).toContain('as a call of its own');
  });

  it('have what they changed looked at: after the batch that loads the skill, or at once where a person typed it', async () => {
    for (const by of ['claude', 'other', 'user']) {
      const { event, line, run, stop } = talk();
      expect(await line('echo 30 > app.cfg', { invoked_by: by })).toEqual({});
      // A look beside the skill may come before its line has run.
      await run('Read', { file_path: '/repo/app.cfg' }, file('30'));
      await event('PostToolBatch', { tool_calls: [] });
      const first = await stop('I set it to 30.');
      expect([by, first.decision]).toEqual([by, by === 'user' ? undefined : 'block']);
      await run('Read', { file_path: '/repo/app.cfg' }, file('30'));
      expect(await stop('I set it to 30.')).toEqual({});
    }
  });

  it('that did not run are not looked for, and those of a batch that never ends are at the end of the turn', async () => {
    const refused = talk({ guard });
    await refused.line('echo 30 > app.cfg');
    expect((await refused.stop('I set it to 30.')).reason).not.toContain('app.cfg');
    const { line, run, stop } = talk();
    await line('echo 30 > app.cfg');
    expect((await stop('I set it to 30.')).reason).toContain('app.cfg (changed by Bash)');
    await run('Read', { file_path: '/repo/app.cfg' }, file('30'));
    expect(await stop('I set it to 30.')).toEqual({});
  });

  it('are no calls of the model, whatever their ids', async () => {
    const { before, line, entries } = talk({ guard });
    await before('Bash', { command: 'ls' }, 't1');
    await line('ls', { tool_use_id: 't1' });
    await line('ls', { tool_use_id: 't1' });
    const verdicts = entries.filter(({ type }) => type === 'guard.verdict').map(({ id }) => id);
    expect(new Set(verdicts).size).toBe(2);
  });

  it('that a person lets run in the inbox leave no leave to calls', async () => {
    const inbox = createMemoryInbox({});
    const { event, line } = talk({ guard: { ...guard, inbox }, mode: 'ask', ask: 'inbox', askTimeoutMs: 20_000 });
    const waiting = line('ls');
    await allowNext(inbox);
    expect((await waiting).hookSpecificOutput?.permissionDecision).toBe('allow');
    expect(await event('PermissionRequest', { tool_name: 'Bash', tool_input: { command: 'ls' } })).toEqual({});
  });

  it('of a subagent are bound as its calls are', async () => {
    const { event } = talk({ subagents: { reader: { tools: ['Read'] } } });
    const child = { agent_id: 'a1', agent_type: 'reader' };
    const told = await event('PreSkillShellCommand', { ...LINE, ...child, tool_input: { command: 'ls' } });
    expect(told.hookSpecificOutput?.permissionDecision).toBe('deny');
  });
});
