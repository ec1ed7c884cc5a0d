import type { Entry } from '@warrant/core';
import { describe, expect, it } from 'vitest';
import { createClaudeEngine } from './engine.ts';
import { readHookInput, toHookOutput } from './index.ts';
import type { Mode } from './mode.ts';
import { createMemorySessionStore } from './session-store.ts';
import type { ClaudeOptions } from './settings.ts';
import type { Told } from './testing/conversation.ts';

/** Hooks of several modes over one store, each told of every event, in this order. */
function hooks(modes: readonly Mode[], options: Partial<ClaudeOptions> = {}) {
  const entries: Entry[] = [];
  const append = async (_stream: string, more: readonly Entry[]) => {
    entries.push(...more);
    return { type: 'duplicate', positions: [] } as const;
  };
  const store = createMemorySessionStore({ journal: { append } });
  const engines = modes.map((mode) => createClaudeEngine({ ...options, store, mode }));
  const send = async (name: string, more: object = {}): Promise<readonly Told[]> => {
    const answers: Told[] = [];
    for (const [at, engine] of engines.entries()) {
      const input = { session_id: 's', cwd: '/repo', hook_event_name: name, ...more };
      const event = readHookInput(input, { source: `place-${at}` });
      answers.push(toHookOutput(event, await engine.handle(event)));
    }
    return answers;
  };
  const count = (type: string): number => entries.filter((entry) => entry.type === type).length;
  return { send, count, status: () => (engines[0] as (typeof engines)[0]).status() };
}

const edit = {
  tool_name: 'Edit',
  tool_use_id: 't1',
  tool_input: { file_path: 'a', old_string: 'x', new_string: 'y' },
};
const DONE = { last_assistant_message: 'I set a to y.', stop_hook_active: false };

async function edited(modes: readonly Mode[], options: Partial<ClaudeOptions> = {}) {
  const talking = hooks(modes, options);
  await talking.send('UserPromptSubmit', { prompt: 'Set a.', prompt_id: 'p1' });
  await talking.send('PreToolUse', edit);
  await talking.send('PostToolUse', { ...edit, tool_response: {} });
  return talking;
}

describe('two hooks of which the first only watches', () => {
  it('refuse the end of a turn as often as one alone, and let it go then', async () => {
    for (const modes of [
      ['enforce'],
      ['observe', 'enforce'],
      ['enforce', 'observe'],
      ['observe', 'ask', 'enforce'],
    ] as const) {
      const { send } = await edited(modes, { maxBlocks: 2 });
      const ends: string[] = [];
      for (let at = 0; at < 3; at += 1) {
        const told = await send('Stop', DONE);
        const said = told.filter((one) => Object.keys(one).length > 0);
        expect(said.length).toBeGreaterThan(0);
        ends.push(...new Set(said.map((one) => one.decision ?? one.systemMessage?.slice(0, 7) ?? '')));
      }
      expect([modes, ends]).toEqual([modes, ['block', 'block', 'Warrant']]);
    }
  });

  it('tell a gate of each claim once', async () => {
    const { send, count } = await edited(['observe', 'enforce'], { maxBlocks: 2 });
    await send('Stop', DONE);
    await send('Stop', DONE);
    expect(count('gate.submitted')).toBe(2);
  });

  it('end a turn for the memory when it has ended', async () => {
    const outcomes: string[] = [];
    const memory = {
      prepareTurn: async () => null,
      entityContext: async () => null,
      pinned: async () => [],
      finalizeTurn: async ({ outcome }: { readonly outcome: string }) => void outcomes.push(outcome),
    };
    const { send } = await edited(['enforce'], { maxBlocks: 1, memory });
    for (let at = 0; at < 2; at += 1) await send('Stop', DONE);
    expect(outcomes).toEqual(['unverified']);
    await send('UserPromptSubmit', { prompt: 'Once more.', prompt_id: 'p2' });
    await send('Stop', DONE);
    expect(outcomes).toEqual(['unverified']);
  });

  it('show at the next prompt what nobody has looked at, once', async () => {
    for (const modes of [['enforce'], ['observe', 'enforce'], ['enforce', 'observe']] as const) {
      const { send, count } = await edited(modes, { maxBlocks: 0 });
      await send('Stop', DONE);
      const told = await send('UserPromptSubmit', { prompt: 'Go on.', prompt_id: 'p2' });
      const shown = told.filter((one) => one.hookSpecificOutput?.additionalContext?.includes('a (changed by Edit)'));
      expect([modes, shown.length, count('gate.turn-began')]).toEqual([modes, 1, 2]);
      expect(shown[0]?.hookSpecificOutput?.additionalContext).not.toContain('was not judged');
    }
  });
});
