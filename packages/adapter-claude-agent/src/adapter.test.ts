import { createMemoryInbox, type Journal, type Json } from '@warrant/core';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createClaudeEngine,
  DEFAULT_TOOLS,
  findRule,
  HOOK_NAMES,
  hookNameOf,
  matchesTool,
  readCall,
  readHookInput,
} from './index.ts';
import { labelCall } from './labels/label-call.ts';
import { seenValues } from './labels/seen-values.ts';
import { entitiesOf } from './memory/entities.ts';
import { createMemorySessionStore, type SessionStore } from './session-store.ts';
import { allowNext } from './testing/allow-next.ts';
import { conversation, file } from './testing/conversation.ts';
import { nothingKnown } from './testing/nothing-known.ts';
import { warrantHooks } from './warrant-hooks.ts';

describe('the tool table', () => {
  it('matches names by pattern, from both ends', () => {
    expect(matchesTool('mcp__github__*', 'mcp__github__get')).toBe(true);
    expect(matchesTool('mcp__*__get_*', 'mcp__a__get_b')).toBe(true);
    expect(matchesTool('a*a', 'a')).toBe(false);
    expect(matchesTool('*', '')).toBe(true);
    expect(matchesTool('Read', 'Reader')).toBe(false);
    expect(matchesTool('x*y*z', 'xyz')).toBe(true);
    expect(matchesTool('x*yy*z', 'xyz')).toBe(false);
    expect(findRule(DEFAULT_TOOLS, 'Bash')?.effect).toBe('shell');
  });

  it('lets rules of one own go before its own, and takes what nobody knows for a change under its own name', () => {
    const call = { tool: 'mcp__db__query', arguments: { table: 'users' }, directory: '/repo' };
    expect(readCall(call)).toMatchObject({ concepts: ['mcp__db__query'], effect: 'write' });
    const tools = [
      { match: 'mcp__db__*', concepts: ['read', 'database'], effect: 'read', targets: ['/table'] },
    ] as const;
    expect(readCall(call, { tools })).toMatchObject({
      concepts: ['read', 'database'],
      effects: { class: 'read', reads: ['/repo/users'] },
    });
    expect(readCall(call, { tools, mutatingTools: ['mcp__db__*'] }).effects.class).toBe('write');
    expect(readCall({ tool: 'x', arguments: {} }, { readOnlyTools: ['x'] }).effects.class).toBe('read');
    expect(readCall({ tool: 'Bash', arguments: { command: 3 } }).concepts).toEqual(['unknown-command']);
  });
});

describe('labels', () => {
  const seen = (human: string, web: string) => ({
    human: seenValues(human, { words: true }).hashes,
    web: seenValues(web).hashes,
  });
  const label = (to: string, human: string, web: string) =>
    labelCall({ to }, seen(human, web), (text) => text)['/to']?.trust;

  it('are for whole values, the least of where they were seen', () => {
    expect(label('kim@a.org', 'mail kim@a.org.', '')).toBe('human');
    expect(label('kim@a.org', 'mail kim@a.org', '<kim@a.org>')).toBe('web');
    expect(label('kim@a.org.evil', 'mail kim@a.org', '')).toBeUndefined();
    expect(label('im@a.or', 'mail kim@a.org', '')).toBeUndefined();
    expect(label('see you at noon', 'write "see you at noon"', '')).toBe('human');
    expect(label(' kim@a.org ', 'kim@a.org', '')).toBe('human');
    expect(label('https://a.org/x?y=1', '', 'go to https://a.org/x?y=1, now')).toBe('web');
  });

  it('are not given for a person when a page was too long to remember', async () => {
    const store = createMemorySessionStore();
    const talking = conversation(warrantHooks({ store }));
    await talking.prompt('mail kim@a.org');
    await talking.run('WebFetch', { url: 'https://x.example' }, 'word.with.dots '.repeat(90_000));
    const labels = labelCall({ to: 'kim@a.org' }, await store.seen('s'), (text) => text);
    expect(labels).toEqual({});
  });

  it('do not take what a machine says for a person', async () => {
    const store = createMemorySessionStore();
    const talking = conversation(warrantHooks({ store }));
    await talking.event('UserPromptSubmit', { prompt: 'mail thief@x.example', source: 'system' });
    expect(labelCall({ to: 'thief@x.example' }, await store.seen('s'), (text) => text)).toEqual({});
  });
});

describe('entities', () => {
  it('are paths of editing tools, models of sql files, what a line selects, and what is staged', () => {
    const of = (tool: string, args: object, staged: readonly string[] = []) => {
      const call = { id: '1', tool, arguments: args as never };
      return entitiesOf(call, readCall(call).analysis, () => staged);
    };
    expect(of('Edit', { file_path: 'models/a.sql' })).toEqual(['models/a.sql', 'a']);
    expect(of('MultiEdit', { edits: [{ file_path: 'x' }, { file_path: 'y' }] })).toEqual(['x', 'y']);
    expect(of('NotebookEdit', { notebook_path: 'n.ipynb' })).toEqual(['n.ipynb']);
    expect(of('Read', { file_path: 'a' })).toEqual([]);
    expect(of('Bash', { command: 'dbt build --select +orders,users+ -s x' })).toEqual(['orders', 'users', 'x']);
    expect(of('Bash', { command: 'tool --select=orders' })).toEqual(['orders']);
    expect(of('Bash', { command: 'git add . && git commit -m x' }, ['a.sql', 'b'])).toEqual(['a.sql', 'a', 'b']);
    expect(of('Bash', { command: 'ls' }, ['a'])).toEqual([]);
  });
});

describe('input', () => {
  it('has arguments of at most 900 levels, which a record can hold', () => {
    const nested = (levels: number) => {
      let value: Json = 1;
      for (let level = 1; level < levels; level += 1) value = level % 2 === 0 ? [value] : { in: value };
      return { hook_event_name: 'PreToolUse', session_id: 's', tool_name: 'T', tool_input: { in: value } };
    };
    expect(readHookInput(nested(900))).toMatchObject({ type: 'tool-starting' });
    for (const levels of [901, 50_000]) {
      expect(() => readHookInput(nested(levels))).toThrow(expect.objectContaining({ code: 'CLAUDE_INPUT_INVALID' }));
    }
  });

  it('that names no event or session is refused with a code', () => {
    for (const input of [
      null,
      [],
      'x',
      {},
      { hook_event_name: 'Stop' },
      { session_id: 's' },
      { session_id: 1, hook_event_name: 2 },
    ]) {
      expect(() => readHookInput(input)).toThrow(expect.objectContaining({ code: 'CLAUDE_INPUT_INVALID' }));
    }
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.constantFrom('tool_name', 'tool_input', 'tool_calls', 'agent_id', 'cwd', 'prompt'),
          fc.jsonValue(),
        ),
        fc.constantFrom(...HOOK_NAMES),
        (more, name) => {
          const event = readHookInput({ ...more, hook_event_name: name, session_id: 's' });
          expect([event.session, hookNameOf(event)]).toEqual(['s', name]);
        },
      ),
    );
    expect(HOOK_NAMES).toHaveLength(16);
    expect(readHookInput({ session_id: 'a/b', hook_event_name: 'Later' }).session).not.toContain('/');
  });
});

describe('the hooks object', () => {
  it('blocks on failure where something is guarded, in enforce only', async () => {
    const guarded = Object.entries(warrantHooks({ mode: 'enforce' }).hooks).filter(
      ([, [one]]) => one?.onFailure === 'block',
    );
    expect(guarded.map(([name]) => name).sort()).toEqual([
      'PermissionRequest',
      'PreSkillShellCommand',
      'PreToolUse',
      'UserPromptSubmit',
    ]);
    for (const mode of ['observe', 'ask'] as const) {
      const hooks = Object.values(warrantHooks({ mode }).hooks);
      expect(hooks.every(([one]) => one?.onFailure === undefined)).toBe(true);
    }
  });

  it('throws when its store fails, except where it only watches', async () => {
    const store = { ...createMemorySessionStore(), update: () => Promise.reject(new Error('disk full')) };
    await expect(conversation(warrantHooks({ store })).before('Read', { file_path: 'a' }, '1')).rejects.toThrow(
      'disk full',
    );
    const reports: string[] = [];
    const onReport = ({ what }: { readonly what: string }) => void reports.push(what);
    expect(await conversation(warrantHooks({ store, mode: 'observe', onReport })).before('Read', {}, '1')).toEqual({});
    expect(reports).toEqual(['tool-starting']);
    for (const mode of ['enforce', 'observe'] as const) {
      const [matcher] = warrantHooks({ mode, onReport }).hooks.PreToolUse;
      const told = matcher?.hooks[0]?.({ hook_event_name: 'PreToolUse' });
      if (mode === 'observe') expect(await told).toEqual({});
      else await expect(told).rejects.toMatchObject({ code: 'CLAUDE_INPUT_INVALID' });
    }
    expect(reports).toEqual(['tool-starting', 'input']);
  });

  it('lets nothing happen that the journal could not record', async () => {
    const journal = { append: () => Promise.reject(new Error('no room')) };
    await expect(conversation(warrantHooks({ journal })).before('Edit', { file_path: 'a' }, '1')).rejects.toThrow(
      'no room',
    );
  });

  it('carries answers of a person, of which only a plain yes counts', async () => {
    for (const [answer, behavior] of [
      [true, 'allow'],
      [false, 'deny'],
      ['yes', 'deny'],
      [undefined, 'deny'],
    ] as const) {
      const { canUseTool } = warrantHooks({ onQuestion: () => answer as boolean });
      expect(await canUseTool?.('Edit', { file_path: 'a' }, { decisionReason: 'why' })).toMatchObject({ behavior });
    }
    expect(warrantHooks({}).canUseTool).toBeUndefined();
  });

  it('refuses options that make no sense', () => {
    const wrong = [
      { maxBlocks: 9 },
      { maxBlocks: -1 },
      { maxBlocks: 1.5 },
      { mode: 'soft' },
      { ask: 'inbox' },
      { ask: 'x' },
    ];
    for (const options of wrong) {
      expect(() => warrantHooks(options as never)).toThrow(expect.objectContaining({ code: 'CLAUDE_OPTIONS_INVALID' }));
    }
  });
});

describe('subagents', () => {
  const subagents = {
    helper: { tools: ['Read', 'Edit', 'Task'] },
    deep: { tools: ['*'] },
    reader: { concepts: ['read', 'file'] },
  };

  it('may do what their kind may, and never more than who called them', async () => {
    const hooks = warrantHooks({ subagents });
    const main = conversation(hooks);
    const helper = conversation(hooks, { agent_id: 'a1', agent_type: 'helper' });
    const deep = conversation(hooks, { agent_id: 'a2', agent_type: 'deep' });
    const reader = conversation(hooks, { agent_id: 'a3', agent_type: 'reader' });
    await main.prompt('Go.');
    await main.before('Task', { subagent_type: 'helper' }, 'm1');
    await helper.event('SubagentStart');
    await helper.before('Task', { subagent_type: 'deep' }, 'h1');
    await deep.event('SubagentStart');
    await main.before('Task', { subagent_type: 'reader' }, 'm2');
    await reader.event('SubagentStart');
    const refused = async (talking: typeof main, tool: string, input: object, id: string) =>
      (await talking.before(tool, input, id)).hookSpecificOutput?.permissionDecision === 'deny';
    expect(await refused(helper, 'Read', { file_path: 'a' }, 'h2')).toBe(false);
    expect(await refused(helper, 'Bash', { command: 'ls' }, 'h3')).toBe(true);
    expect(await refused(deep, 'Bash', { command: 'ls' }, 'd1')).toBe(true);
    expect(await refused(deep, 'Edit', { file_path: 'a' }, 'd2')).toBe(false);
    expect(await refused(reader, 'Read', { file_path: 'a' }, 'r1')).toBe(false);
    expect(await refused(reader, 'Edit', { file_path: 'a' }, 'r2')).toBe(true);
    expect(await refused(main, 'Bash', { command: 'ls' }, 'm3')).toBe(false);
  });

  it('are held at their end where that is wanted', async () => {
    const hooks = warrantHooks({ gateSubagents: true });
    const child = conversation(hooks, { agent_id: 'a1', agent_type: 'helper' });
    await child.run('Edit', { file_path: 'a', old_string: 'x', new_string: 'y' });
    const end = { last_assistant_message: 'I changed a.', stop_hook_active: false };
    expect((await child.event('SubagentStop', end)).decision).toBe('block');
    await child.run('Read', { file_path: 'a' }, file('y'));
    expect(await child.event('SubagentStop', end)).toEqual({});
  });
});

describe('an event that is told again', () => {
  it('is answered and counted once, whatever was told in between', async () => {
    const ids: string[] = [];
    const journal: Pick<Journal, 'append'> = {
      append: async (_stream, entries) => {
        ids.push(...entries.map(({ id }) => id));
        return { type: 'duplicate', positions: [] };
      },
    };
    const store = createMemorySessionStore({ journal });
    const talking = conversation(warrantHooks({ store, subagents: {} }));
    await talking.prompt('Set it.');
    const edit = { file_path: 'a', old_string: 'x', new_string: 'y' };
    await talking.before('Edit', edit, 'e1');
    const before = await store.load({ session: 's', agent: null });
    await talking.before('Edit', edit, 'e1');
    expect(await store.load({ session: 's', agent: null })).toEqual(before);
    const ended = { tool_name: 'Edit', tool_use_id: 'e1', tool_input: edit, tool_response: {} };
    await talking.event('PostToolUse', ended);
    const after = await store.load({ session: 's', agent: null });
    await talking.event('PostToolUse', ended);
    await talking.before('Edit', edit, 'e1');
    expect(await store.load({ session: 's', agent: null })).toEqual(after);
    expect(ids).toEqual([...new Set(ids)]);
  });
});

describe('ids that stand beside the input, as older versions of the SDK give them', () => {
  it('tell equal calls apart that run at the same time', async () => {
    const { hooks } = warrantHooks({});
    const send = (name: 'PreToolUse' | 'PostToolUse' | 'Stop', id: string | undefined, more: object = {}) =>
      hooks[name][0]?.hooks[0]?.({ hook_event_name: name, session_id: 's', cwd: '/repo', ...more }, id);
    const edit = { tool_name: 'Edit', tool_input: { file_path: 'a', old_string: 'x', new_string: 'y' } };
    await send('PreToolUse', 'c1', edit);
    await send('PreToolUse', 'c2', edit);
    await send('PostToolUse', 'c1', { ...edit, tool_response: {} });
    const held = await send('Stop', undefined, { last_assistant_message: 'I changed a.' });
    expect(held?.['reason']).toContain('(s/c2) has not reported its end');
  });
});

describe('ids that come again with another call', () => {
  const decisionOf = (told: { readonly hookSpecificOutput?: { readonly permissionDecision?: string } }) =>
    told.hookSpecificOutput?.permissionDecision;

  it('let nothing through: each call is judged, and a refused one is refused each time', async () => {
    const ids: string[] = [];
    const journal: Pick<Journal, 'append'> = {
      append: async (_stream, entries) => {
        ids.push(...entries.map(({ id }) => id));
        return { type: 'duplicate', positions: [] };
      },
    };
    const hooks = warrantHooks({ journal, subagents: { helper: { tools: ['Read', 'Edit'] } } });
    const helper = conversation(hooks, { agent_id: 'a1', agent_type: 'helper' });
    expect(await helper.before('Read', { file_path: 'a' }, 'call_0')).toEqual({});
    expect(decisionOf(await helper.before('Bash', { command: 'rm -rf /' }, 'call_0'))).toBe('deny');
    expect(decisionOf(await helper.before('Bash', { command: 'rm -rf /' }, 'call_0'))).toBe('deny');
    expect(ids.filter((id) => id.endsWith('/answer'))).toHaveLength(2);
    expect(ids).toEqual([...new Set(ids)]);
  });

  it('hide no change from the gate', async () => {
    const talking = conversation(warrantHooks({}));
    await talking.prompt('Set both.');
    for (const path of ['a.cfg', 'b.cfg']) {
      const edit = { file_path: path, old_string: 'x', new_string: 'y' };
      await talking.before('Edit', edit, 'call_0');
      await talking.event('PostToolUse', {
        tool_name: 'Edit',
        tool_use_id: 'call_0',
        tool_input: edit,
        tool_response: {},
      });
    }
    const held = await talking.stop('I set both.');
    expect(held.reason).toContain('a.cfg');
    expect(held.reason).toContain('b.cfg');
  });

  it('are no one call where two agents use them', async () => {
    const hooks = warrantHooks({ subagents: { helper: { tools: ['Read'] } } });
    const edit = { file_path: 'a', old_string: 'x', new_string: 'y' };
    expect(await conversation(hooks).before('Edit', edit, 'call_0')).toEqual({});
    const helper = conversation(hooks, { agent_id: 'a1', agent_type: 'helper' });
    expect(decisionOf(await helper.before('Edit', edit, 'call_0'))).toBe('deny');
  });
});

describe('two hooks in different modes', () => {
  const inMode = (store: SessionStore, mode: 'observe' | 'enforce') => {
    const engine = createClaudeEngine({ store, mode, subagents: { helper: { tools: ['Read'] } } });
    return (name: string, more: object) =>
      engine.handle(
        readHookInput(
          { session_id: 's', cwd: '/repo', prompt_id: 'p', hook_event_name: name, ...more },
          { source: mode },
        ),
      );
  };

  it('refuse where the stricter one does, whichever comes first', async () => {
    const call = { tool_name: 'Bash', tool_input: { command: 'ls' }, agent_id: 'a1', agent_type: 'helper' };
    for (const order of [
      ['observe', 'enforce'],
      ['enforce', 'observe'],
    ] as const) {
      const store = createMemorySessionStore();
      const answers = [];
      for (const mode of order) answers.push(await inMode(store, mode)('PreToolUse', { ...call, tool_use_id: 't' }));
      expect(answers.map((answer) => answer.permission?.decision).filter(Boolean)).toEqual(['deny']);
      const edit = { tool_name: 'Edit', tool_input: { file_path: 'a', old_string: 'x', new_string: 'y' } };
      for (const name of ['PreToolUse', 'PostToolUse'])
        for (const mode of order) await inMode(store, mode)(name, { ...edit, tool_use_id: 'e', tool_response: {} });
      const ends = [];
      for (const mode of order) ends.push(await inMode(store, mode)('Stop', { last_assistant_message: 'I set it.' }));
      expect(ends.map((end) => end.block).filter(Boolean)).toHaveLength(1);
    }
  });
});

describe('sessions', () => {
  it('go on where another was forked, without what runs there', async () => {
    const store = createMemorySessionStore();
    const first = conversation(warrantHooks({ store }));
    await first.prompt('Set it.');
    await first.run('Edit', { file_path: 'a', old_string: 'x', new_string: 'y' });
    const fork = conversation(warrantHooks({ store, forkOf: 's' }), { session_id: 'fork' });
    await fork.event('SessionStart', { source: 'fork' });
    const told = await fork.prompt('Go on.');
    expect(told.hookSpecificOutput?.additionalContext).toContain('a (changed by Edit)');
    expect((await fork.stop('I set it.')).decision).toBe('block');
    const other = conversation(warrantHooks({ store }), { session_id: 'other' });
    expect(await other.prompt('Go on.')).toEqual({});
  });

  it('keep what is open when their settings change', async () => {
    const store = createMemorySessionStore();
    const before = conversation(warrantHooks({ store }));
    await before.prompt('Set it.');
    await before.run('Edit', { file_path: 'a', old_string: 'x', new_string: 'y' });
    const after = conversation(
      warrantHooks({ store, readOnlyTools: ['mcp__x__*'], gate: { preset: 'coding', cap: 9 } }),
    );
    expect((await after.stop('I set it.')).reason).toContain('a (changed by Edit)');
  });

  it('ask a verifier that can only lower a claim', async () => {
    const talking = conversation(
      warrantHooks({
        gate: { preset: 'coding', verifier: {} },
        verifier: async ({ criteria }) => (criteria.length > 0 ? 0.1 : 1),
      }),
    );
    await talking.prompt('Set it.');
    await talking.run('Edit', { file_path: 'a', old_string: 'x', new_string: 'y' });
    await talking.run('Read', { file_path: 'a' }, file('y'));
    expect((await talking.stop('I set it.')).decision).toBe('block');
  });

  it('refuse where the verifier throws or says nothing that counts, and pass where it abstains', async () => {
    const answers: readonly (readonly [() => Promise<number | null>, string | undefined])[] = [
      [() => Promise.reject(new Error('away')), 'block'],
      [async () => Number.NaN, 'block'],
      [async () => 7, 'block'],
      [async () => 'yes' as never, 'block'],
      [async () => null, undefined],
      [async () => 0.7, undefined],
    ];
    for (const [verifier, decision] of answers) {
      const talking = conversation(warrantHooks({ verifier, verifierThreshold: 0.6 }));
      await talking.prompt('Set it.');
      await talking.run('Edit', { file_path: 'a', old_string: 'x', new_string: 'y' });
      await talking.run('Read', { file_path: 'a' }, file('y'));
      expect((await talking.stop('I set it.')).decision).toBe(decision);
    }
  });
});

describe('memory', () => {
  it('gives what is recalled with a prompt, and is told how the turn ended', async () => {
    const told: string[] = [];
    const memory = {
      prepareTurn: async ({ query }: { readonly query: string }) => `recalled for ${query}`,
      entityContext: async () => null,
      finalizeTurn: async (turn: { readonly query: string; readonly response: string; readonly outcome: string }) =>
        void told.push(`${turn.query} -> ${turn.response} (${turn.outcome})`),
      pinned: async () => [],
    };
    const talking = conversation(warrantHooks({ memory, maxBlocks: 1 }));
    const first = await talking.prompt('set it');
    expect(first.hookSpecificOutput?.additionalContext).toBe('recalled for set it');
    await talking.run('Edit', { file_path: 'a', old_string: 'x', new_string: 'y' });
    await talking.stop('I set it.');
    expect(told).toEqual([]);
    await talking.stop('I set it.');
    expect(told).toEqual(['set it -> I set it. (unverified)']);
    const next = await talking.prompt('again');
    expect(next.hookSpecificOutput?.additionalContext).toContain('a (changed by Edit)');
    expect(next.hookSpecificOutput?.additionalContext).toContain('recalled for again');
    await talking.run('Read', { file_path: 'a' }, file('y'));
    await talking.stop('I set it.');
    expect(told[1]).toBe('again -> I set it. (verified)');
  });

  it('that fails stops nothing but a compaction, and that in enforce only', async () => {
    const fails = () => Promise.reject(new Error('no memory'));
    const memory = {
      prepareTurn: fails,
      entityContext: fails,
      finalizeTurn: fails,
      pinned: fails,
      conversationStarted: fails,
    };
    for (const mode of ['observe', 'ask', 'enforce'] as const) {
      const talking = conversation(warrantHooks({ memory, mode }));
      expect(await talking.event('SessionStart', { source: 'startup' })).toEqual({});
      expect(await talking.prompt('go')).toEqual({});
      expect(await talking.before('Edit', { file_path: 'a' }, '1')).toEqual({});
      expect((await talking.event('PreCompact', { trigger: 'auto' })).decision).toBe(
        mode === 'enforce' ? 'block' : undefined,
      );
    }
  });
});

describe('the inbox', () => {
  it('lets an ungrounded call run in ask, once, after a person said so', async () => {
    const inbox = createMemoryInbox({});
    const hooks = warrantHooks({
      guard: { grounder: nothingKnown, inbox, actor: 'agent' },
      mode: 'ask',
      ask: 'inbox',
      askTimeoutMs: 20_000,
    });
    const talking = conversation(hooks);
    const waiting = talking.before('mcp__x__y', { a: 1 }, '1');
    await allowNext(inbox);
    expect((await waiting).hookSpecificOutput?.permissionDecision).toBe('allow');
    const asks = (given: object) => talking.event('PermissionRequest', { tool_name: 'mcp__x__y', tool_input: given });
    expect(await asks({ a: 2 })).toEqual({});
    expect(await asks({ a: 1 })).toEqual({
      hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'allow' } },
    });
    expect(await asks({ a: 1 })).toEqual({});
    const quick = conversation(
      warrantHooks({
        guard: { grounder: nothingKnown, inbox, actor: 'agent' },
        mode: 'ask',
        ask: 'inbox',
        askTimeoutMs: 20,
      }),
    );
    expect((await quick.before('mcp__x__y', { a: 1 }, '2')).hookSpecificOutput?.permissionDecision).toBe('deny');
    expect(await inbox.pending()).toEqual([]);
  });
});
