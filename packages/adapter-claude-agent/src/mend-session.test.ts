import type { Entry } from '@warrant/core';
import { recheckRecord } from '@warrant/submit-gate';
import { describe, expect, it } from 'vitest';
import { createClaudeEngine } from './engine.ts';
import { readGateRecord } from './gate-records.ts';
import type { Mode } from './mode.ts';
import type { SessionState } from './session-state.ts';
import { createMemorySessionStore } from './session-store.ts';
import { createSetup } from './settings.ts';
import { conversation, file } from './testing/conversation.ts';
import { warrantHooks } from './warrant-hooks.ts';

type Spoil = (state: SessionState) => unknown;
type How = { readonly mode?: Mode; readonly recorded?: boolean };

/** A session whose kept state can be spoiled between two events. */
function talk({ mode = 'enforce', recorded = true }: How = {}) {
  const entries: Entry[] = [];
  const journal = {
    append: async (_stream: string, more: readonly Entry[]) => {
      entries.push(...more);
      return { type: 'duplicate' as const, positions: [] };
    },
  };
  const store = createMemorySessionStore({ journal });
  const hooks = warrantHooks({
    store,
    mode,
    subagents: { reviewer: { tools: ['Read', 'Task'] }, '*': {} },
    ...(recorded ? { history: async () => entries } : {}),
  });
  let spoilt = 0;
  const spoil = async (change: Spoil, agent: string | null = null): Promise<void> => {
    spoilt += 1;
    await store.update({ session: 's', agent }, (state) => ({
      type: 'done',
      event: `spoil/${spoilt}`,
      told: { content: '', sources: [], mode },
      state: change(state as SessionState) as SessionState,
      records: [],
      value: null,
    }));
  };
  return {
    main: conversation(hooks),
    of: (agent: string) => conversation(hooks, { agent_id: agent }),
    spoil,
    entries,
    store,
  };
}

const WAYS: { readonly [what: string]: Spoil } = {
  'another version of the gate kept it': (state) => ({
    ...state,
    gate: { ...state.gate, version: 2, things: undefined },
  }),
  'a member of the gate is missing': ({ gate: { signals: _signals, ...gate }, ...state }) => ({ ...state, gate }),
  'what is open cannot be read': (state) => ({ ...state, gate: { ...state.gate, open: [7] } }),
  'another version of the session kept it': (state) => ({ ...state, version: 9 }),
  'members of the session are of other kinds': (state) => ({
    ...state,
    entities: 'x',
    blocks: null,
    confirmations: {},
  }),
  'nothing of it can be read': () => ({}),
};

describe.each(Object.entries(WAYS))('a kept session that cannot be gone on from: %s', (_what, way) => {
  it('goes on by its record: what is open is named, nothing counts as looked at, and a look closes it', async () => {
    const { main, spoil, entries } = talk();
    await main.prompt('Set both.');
    await main.run('Edit', { file_path: 'a.cfg', old_string: 'x', new_string: 'y' });
    await main.run('Read', { file_path: 'a.cfg' }, file('y'));
    await main.run('Edit', { file_path: 'b.cfg', old_string: 'x', new_string: 'y' });
    await spoil(way);
    const held = await main.stop('I set both.');
    expect(held).toMatchObject({ decision: 'block', reason: expect.stringContaining('b.cfg') });
    expect(held.reason).not.toContain('a.cfg (');
    await main.run('Read', { file_path: 'b.cfg' }, file('y'));
    expect(await main.stop('I set b.cfg.')).toEqual({});
    expect(entries.filter(({ type }) => type === 'claude.session-mended')).toMatchObject([
      { data: { how: 'replayed' } },
    ]);
    const { gate } = createSetup({ store: createMemorySessionStore() });
    const record = readGateRecord(entries, { session: 's', agent: null });
    if (record === null) throw new Error('there is no record');
    expect(recheckRecord(gate, record)).toMatchObject({ sameConfig: true, submits: [{ same: true }, { same: true }] });
  });

  it('goes on without a record with how much is open, which saying so ends', async () => {
    const { main, spoil, entries } = talk({ recorded: false });
    await main.prompt('Set it.');
    await main.run('Edit', { file_path: 'a.cfg', old_string: 'x', new_string: 'y' });
    await spoil(way);
    expect(await main.before('Read', { file_path: 'a.cfg' }, 'again')).toEqual({});
    expect(await main.stop('I set it.')).toMatchObject({
      decision: 'block',
      reason: expect.stringContaining('1 more that can no longer be named'),
    });
    expect(await main.stop('I set it, but could not verify that.')).toEqual({});
    expect(entries.filter(({ type }) => type === 'claude.session-mended')).toMatchObject([
      { data: { how: 'counted' } },
    ]);
  });

  it('stands in no way in observe, at any event', async () => {
    const { main, spoil } = talk({ mode: 'observe' });
    await main.run('Edit', { file_path: 'a.cfg', old_string: 'x', new_string: 'y' });
    for (const name of [
      'SessionStart',
      'UserPromptSubmit',
      'Stop',
      'PreCompact',
      'SubagentStart',
      'PostToolBatch',
    ] as const) {
      await spoil(way);
      expect([name, await main.event(name, { prompt: 'x', last_assistant_message: 'I set it.' })]).toEqual([name, {}]);
    }
    await spoil(way);
    expect(await main.run('Bash', { command: 'ls' }, { stdout: '', stderr: '' })).toEqual({});
  });
});

describe('a mended session', () => {
  it('believes no record in which a step is missing', async () => {
    for (const gone of [0, 1, 2, 3]) {
      const { main, spoil, entries } = talk();
      await main.run('Edit', { file_path: 'a.cfg', old_string: 'x', new_string: 'y' });
      await main.run('Edit', { file_path: 'b.cfg', old_string: 'x', new_string: 'y' });
      const steps = entries.filter(({ type }) => type === 'gate.started' || type === 'gate.observed');
      entries.splice(entries.indexOf(steps[gone] as Entry), 1);
      await spoil((state) => ({ ...state, gate: null }));
      expect([gone, (await main.stop('I set both.')).reason]).toEqual([
        gone,
        expect.stringContaining('can no longer be named'),
      ]);
    }
  });

  it('takes no check that has passed before for one that passes now', async () => {
    const { main, spoil } = talk();
    const passed = { stdout: 'Tests  12 passed (12)', stderr: '' };
    await main.prompt('Test it.');
    await main.run('Bash', { command: 'npx vitest run' }, passed);
    expect(await main.stop('All tests pass.')).toEqual({});
    await spoil((state) => ({ ...state, gate: null }));
    expect((await main.stop('All tests pass.')).decision).toBe('block');
    await main.run('Bash', { command: 'npx vitest run' }, passed);
    expect(await main.stop('All tests pass.')).toEqual({});
  });

  it('leaves what binds its subagents behind where another goes on from it', async () => {
    const { main, spoil, store } = talk();
    await main.run('Edit', { file_path: 'a.cfg', old_string: 'x', new_string: 'y' });
    await spoil(() => ({}));
    const fork = conversation(warrantHooks({ store, forkOf: 's' }), { session_id: 'fork' });
    await fork.event('SessionStart', { source: 'resume' });
    const state = await store.load({ session: 'fork', agent: null });
    expect([state?.lost, (await fork.stop('I set it.')).decision]).toEqual([undefined, 'block']);
  });

  it('is mended again where the same comes again', async () => {
    const { main, spoil, entries } = talk();
    await main.run('Edit', { file_path: 'a.cfg', old_string: 'x', new_string: 'y' });
    for (const _time of [1, 2]) {
      await spoil(() => ({}));
      expect((await main.stop('I set it.')).reason).toContain('a.cfg');
    }
    expect(new Set(entries.filter(({ type }) => type === 'claude.session-mended').map(({ id }) => id)).size).toBe(2);
  });

  it('binds subagents by all that there is, where nobody knows any more who called them', async () => {
    const { main, of, spoil } = talk();
    await main.before('Task', { subagent_type: 'reviewer' }, 't1');
    const child = of('r');
    await child.event('SubagentStart', { agent_type: 'reviewer' });
    await spoil((state) => ({ ...state, agents: { r: 5 } }));
    const told = await child.before('Edit', { file_path: 'a' }, 'e1');
    expect(told.hookSpecificOutput?.permissionDecision).toBe('deny');
    expect(await child.before('Read', { file_path: 'a' }, 'e2')).toEqual({});
  });

  it('is shown by its status before it is mended, too', async () => {
    const { store, spoil, main } = talk();
    await main.prompt('Set it.');
    await spoil(() => ({}));
    expect(await createClaudeEngine({ store }).status()).toMatchObject([
      { exitedUnverified: false, judged: false, open: ['what was kept of this session cannot be read'] },
    ]);
  });
});
