import { appendFileSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { project, ran } from '../../test/claude-client.ts';
import { runWarrant } from '../../test/warrant.ts';

async function watched(): Promise<string> {
  const directory = await project();
  appendFileSync(join(directory, '.warrant/warrant.yaml'), 'enforce: false\n');
  return directory;
}

/** A call of a tool that nobody knows, with the hook's words as the settings have them. */
function hook(directory: string, ...words: string[]) {
  const input = JSON.stringify({
    session_id: 's',
    cwd: directory,
    hook_event_name: 'PreToolUse',
    tool_name: 'mcp__x__y',
    tool_use_id: 't1',
    tool_input: {},
  });
  return runWarrant(directory, ['hook', 'claude-code', ...words], { typed: [input] });
}

describe('a hook whose words cannot be read', () => {
  it('lets pass and records where its mode, or the workspace it has to go by, only watches', async () => {
    for (const [words, told] of [
      [['--mode', 'strict'], "there is no mode 'strict'"],
      [['--mode'], 'no mode'],
      [['--mode', 'observe', '--later', 'x'], '--later'],
      [['--later'], '--later'],
      [['--mode', 'observe', 'more'], 'more'],
    ] as const) {
      const directory = await watched();
      const { code, out, error } = await hook(directory, ...words);
      expect([words, code, out]).toEqual([words, 0, '{}\n']);
      expect(error).toContain(told);
      expect(await ran(directory, ['journal', 'read', 'claude', '--json'])).toContain('"mode":"observe"');
    }
  });

  it('refuses where a mode that refuses was meant, or nobody knows which', async () => {
    const directory = await project();
    const wrong = [['--mode', 'strict'], ['--mode'], ['--mode', 'enforce', '--later', 'x'], ['--mode=Observe']];
    for (const words of wrong) expect(await hook(directory, ...words)).toMatchObject({ code: 2, out: '' });
    expect(await hook(await watched(), '--mode', 'enforce', '--later')).toMatchObject({ code: 2, out: '' });
    const nowhere = mkdtempSync(join(tmpdir(), 'warrant-words-'));
    expect(await hook(nowhere, '--mode', 'strict')).toMatchObject({ code: 2, out: '' });
  });

  it('lets pass in observe whatever else is wrong with it', async () => {
    const directory = await project();
    for (const words of [['--later'], ['--mode', 'observe', '--later', 'x'], ['--from']])
      expect(await hook(directory, ...words)).toMatchObject({ code: 0, out: '{}\n' });
  });

  it('ends with 2 where a common option lacks its value, unless it only watches', async () => {
    const directory = await watched();
    for (const [words, code] of [
      [['-C'], 0],
      [['--mode', 'observe', '-C'], 0],
      [['--mode', 'enforce', '-C'], 2],
      [['--mode=ask', '--directory'], 2],
    ] as const)
      expect(await hook(directory, ...words)).toMatchObject({
        code,
        out: '',
        error: expect.stringContaining('missing'),
      });
  });
});
