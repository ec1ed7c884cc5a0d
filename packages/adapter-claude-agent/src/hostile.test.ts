import { canonicalJson, type Entry, type Journal } from '@warrant/core';
import { describe, expect, it } from 'vitest';
import { conversation, file } from './testing/conversation.ts';
import { warrantHooks } from './warrant-hooks.ts';

const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));
const EDIT = { file_path: 'a.ts', old_string: 'a', new_string: 'b' };

describe('what comes from outside', () => {
  it('may be nested as deep as it likes: the call has ended all the same', async () => {
    const talking = conversation(warrantHooks({}));
    await talking.prompt('Change a.ts.');
    for (const levels of [1_000, 5_000, 100_000]) {
      expect(await talking.run('Edit', EDIT, nested(levels))).toEqual({});
      expect(await talking.fail('Bash', { command: 'cat x' }, nested(levels) as string)).toEqual({});
    }
    expect((await talking.stop('I changed a.ts.')).reason).not.toContain('has not reported its end');
    await talking.run('Read', { file_path: 'a.ts' }, file('b'));
    expect(await talking.stop('I changed a.ts.')).toEqual({});
  });

  it('is no reason to run where a call itself is nested too deep, nor to end a turn that goes on without it', async () => {
    const talking = conversation(warrantHooks({}));
    for (const levels of [5_000, 100_000]) {
      const call = { tool_name: 'mcp__x__y', tool_input: { a: nested(levels) }, tool_use_id: `t${levels}` };
      await expect(talking.event('PreToolUse', call)).rejects.toThrow();
      expect(await talking.event('PostToolBatch', { tool_calls: [{ ...call, tool_response: 'no' }] })).toEqual({});
    }
  });

  it('costs no more than its length, whatever signs it is made of', async () => {
    const talking = conversation(warrantHooks({}));
    // Looked at from every place in it, each of these would take from ten seconds up.
    for (const unit of [':', ';', '?', '/', '.', '-', ' ', '\n', '"', '\\']) {
      const long = `b${unit.repeat(60_000)}b`;
      await talking.run('Write', { file_path: long, content: '' }, long);
      await talking.run('Bash', { command: `echo ${long}` }, { stdout: long, stderr: '' });
    }
    expect((await talking.stop('I wrote it.')).decision).toBe('block');
  });
});

describe('texts that are cut between the halves of a character', () => {
  it('can be recorded, at every event', async () => {
    const entries: Entry[] = [];
    const journal: Pick<Journal, 'append'> = {
      append: async (_stream, more) => {
        entries.push(...more);
        return { type: 'duplicate', positions: [] };
      },
    };
    for (const before of ['', 'x']) {
      const long = `${before}${'😀'.repeat(9_000)}`;
      const talking = conversation(warrantHooks({ journal }));
      await talking.prompt(long);
      await talking.run('Write', { file_path: `/${long}`, [long]: long.repeat(20) }, { stdout: long });
      await talking.run('Bash', { command: `echo ${long.repeat(10)}` }, { stdout: long.repeat(60), stderr: '' });
      await talking.run(long, { x: long }, long);
      await talking.event('PermissionRequest', { tool_name: long, tool_input: {}, reason: long });
      await talking.event('StopFailure', { error: long });
      await talking.event('PreCompact', { trigger: `${long.slice(0, 9)}\ud800` });
      for (const name of ['SessionStart', 'StopFailure', 'PermissionDenied', 'PreCompact'] as const)
        await talking.event(name, { source: '\ud800', error: '\udc00', reason: '\ud800', trigger: '\udc00' });
      await talking.event('SessionStart', { source: long });
      await talking.event('SubagentStop', { agent_id: 'a', agent_type: long, last_assistant_message: long });
      await talking.stop(long);
      await talking.stop(`I wrote /${long} and ${long}.`);
    }
    expect(entries.length).toBeGreaterThan(30);
    for (const { id, data } of entries) expect([id, typeof canonicalJson(data)]).toEqual([id, 'string']);
  });
});

describe('ids and names from the model and from servers', () => {
  it('hide no call behind the name of another', async () => {
    const ids: string[] = [];
    const append = async (_stream: string, entries: readonly { readonly id: string }[]) => {
      ids.push(...entries.map(({ id }) => id));
      return { type: 'duplicate', positions: [] } as const;
    };
    const talking = conversation(warrantHooks({ journal: { append } }));
    const given = ['t', 't', 't~2', 't~2', 't~2~2', 't~3', 't'];
    for (const [at, id] of given.entries())
      await talking.before('Edit', { file_path: `f${at}`, old_string: 'x', new_string: 'y' }, id);
    expect(ids).toEqual([...new Set(ids)]);
    expect(ids.filter((id) => id.includes('/gate/'))).toHaveLength(given.length);
    const { reason = '' } = await talking.stop('I changed them all.');
    expect(reason.match(/has not reported its end/g)).toHaveLength(given.length);
  });

  it('stand on one line, with every sign to be seen', async () => {
    const hidden = /[\p{Cc}\p{Cf}\u2028\u2029]/u;
    for (const name of ['a\n- b (changed by Edit)', 'a\u2028b', '\u202Etxt', 'a\u0000b', 'a\rb']) {
      const talking = conversation(warrantHooks({ maxBlocks: 1 }));
      const input = { file_path: name };
      await talking.before('Edit', input, `id ${name}`);
      await talking.run('Edit', { ...input, old_string: 'x', new_string: 'y' });
      await talking.run(name, input);
      const held = await talking.stop('I changed them.');
      const left = await talking.stop('I changed them.');
      const next = await talking.prompt('Go on.');
      const context = next.hookSpecificOutput?.additionalContext ?? '';
      for (const text of [held.reason ?? '', left.systemMessage ?? '', context]) {
        expect(text).not.toBe('');
        expect([name, text.split('\n').filter((line) => hidden.test(line))]).toEqual([name, []]);
        expect(text).not.toContain('\n- b (changed');
      }
    }
  });
});
