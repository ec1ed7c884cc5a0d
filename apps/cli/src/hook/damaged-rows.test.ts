import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspacePaths } from '@warrant/workspace';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import {
  bashResult,
  Conversation,
  commandHook,
  decisionOf,
  project,
  ran,
  readResult,
} from '../../test/claude-client.ts';
import { RM } from '../../test/story-policies.ts';

const EDIT = { file_path: 'a.cfg', old_string: 'x', new_string: 'y' };

function spoil(directory: string, statement: string): void {
  const db = new Database(workspacePaths(directory).database);
  db.exec(statement);
  db.close();
}

describe('rows of the hook that are damaged', () => {
  it('end in no refusal of everything: calls are judged, and what is open is known by the record', async () => {
    const directory = await project({ policies: RM });
    const { send } = await commandHook.start(directory);
    const talking = new Conversation(send, directory);
    await talking.prompt('Set it.');
    await talking.run('Edit', EDIT, {});
    spoil(directory, "UPDATE claude_sessions SET state = '{'; UPDATE claude_seen SET hashes = x'00', trust = 'x'");
    expect(JSON.parse(await ran(directory, ['status', '--json']))).toMatchObject({
      claude: { exitedUnverified: false, sessions: [{ open: ['what was kept of this session cannot be read'] }] },
    });
    expect(await talking.run('Bash', { command: 'ls' }, bashResult(''))).toEqual({});
    expect(decisionOf(await talking.before('Bash', { command: 'rm -rf build' }))).toBe('deny');
    expect((await talking.stop('I set it.')).reason).toContain('a.cfg (changed by Edit)');
    await talking.run('Read', { file_path: 'a.cfg' }, readResult('a.cfg', 'y'));
    expect(await talking.stop('I set it.')).toEqual({});
    expect(await ran(directory, ['journal', 'read', 'claude', '--json'])).toContain('claude.session-mended');
  });

  it('of the memory stop nothing but a compaction, and that in enforce only', async () => {
    const directory = await project({ policies: RM, claude: '  memory: true' });
    mkdirSync(workspacePaths(directory).memory, { recursive: true });
    writeFileSync(join(workspacePaths(directory).memory, 'memory.db'), randomBytes(9_000));
    for (const mode of ['observe', 'ask', 'enforce'] as const) {
      const { send } = await commandHook.start(directory, { mode });
      const talking = new Conversation(send, directory, { session_id: mode });
      expect(await talking.event('SessionStart', { source: 'startup' })).toEqual({});
      expect(await talking.prompt('Go on.')).toEqual({});
      expect(await talking.before('Edit', EDIT)).toEqual({});
      const refused = mode === 'observe' ? undefined : mode === 'ask' ? 'ask' : 'deny';
      expect(decisionOf(await talking.before('Bash', { command: 'rm -rf build' }))).toBe(refused);
      const held = await talking.event('PreCompact', { trigger: 'auto' });
      expect(held.reason ?? '').toContain(mode === 'enforce' ? 'not a SQLite database' : '');
      expect(held.decision).toBe(mode === 'enforce' ? 'block' : undefined);
    }
  });

  it('let nothing pass where nobody knows how an event was answered', async () => {
    const directory = await project({ policies: RM });
    const watching = await commandHook.start(directory, { mode: 'observe', source: 'user' });
    const enforcing = await commandHook.start(directory);
    for (const damage of ["sources = '['", "mode = 'x'", "sources = '5', mode = ''"]) {
      const talking = new Conversation(watching.send, directory, { session_id: damage });
      const call = { tool_name: 'Bash', tool_input: { command: 'rm -rf build' }, tool_use_id: 't1' };
      expect(await talking.event('PreToolUse', call)).toEqual({});
      spoil(directory, `UPDATE claude_events SET ${damage}`);
      const again = new Conversation(enforcing.send, directory, { session_id: damage });
      expect([damage, decisionOf(await again.event('PreToolUse', call))]).toEqual([damage, 'deny']);
    }
  });
});
