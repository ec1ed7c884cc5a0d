import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openWorkspace } from '@warrant/workspace';
import { describe, expect, it } from 'vitest';
import { project, ran } from '../../test/claude-client.ts';
import { hookCommand } from '../../test/players.ts';
import { clientEnvironment, runClient } from '../../test/real-client.ts';
import { type Saying, type ScriptedApi, startScriptedApi, toolResults } from '../../test/scripted-api.ts';

const TIMEOUT = { timeout: 280_000 };

const RM = `format: warrant.policy/1
policies:
  - key: nothing-is-deleted
    source: delete
    target: file
    sourceDepth: 3
    blockWhen: "true"
    message: Nothing is deleted here.
`;

type Run = { readonly api: ScriptedApi; readonly out: string; readonly results: readonly string[] };

async function play(
  directory: string,
  script: readonly Saying[],
  more: { readonly words?: readonly string[]; readonly environment?: Record<string, string> } = {},
): Promise<Run> {
  const api = await startScriptedApi(script);
  const scratch = mkdtempSync(join(tmpdir(), 'warrant-client-'));
  try {
    const environment = { ...clientEnvironment(scratch, api.url), ...more.environment };
    const ended = await runClient(directory, environment, more.words ?? []);
    const out = `${ended.out}${ended.error}`;
    return { api, out, results: toolResults(api.asked.at(-1)) };
  } finally {
    api.close();
  }
}

async function installed(options: {
  readonly mode: string;
  readonly policies?: string;
  readonly claude?: string;
  readonly command?: string;
}) {
  const { policies, claude } = options;
  const directory = await project({
    ...(policies === undefined ? {} : { policies }),
    ...(claude === undefined ? {} : { claude }),
  });
  const how = ['--mode', options.mode, '--client-version', '2.1.332', '--command', options.command ?? hookCommand()];
  await ran(directory, ['hook', 'install', ...how]);
  mkdirSync(join(directory, 'src'));
  writeFileSync(join(directory, 'src/keep.txt'), 'kept');
  writeFileSync(join(directory, 'app.cfg'), 'timeout=5\n');
  return directory;
}

const TOUCH: Saying = { tool: 'Bash', input: { command: 'touch made.txt', description: 'make a file' } };
const DONE: Saying = { text: 'Is there anything else?' };

describe.skipIf(process.env['WARRANT_SOAK'] === undefined)('with the real client and a scripted API', () => {
  it('refuses a hidden rm, lets a look pass, and holds an edit until it was read back', TIMEOUT, async () => {
    const directory = await installed({ mode: 'enforce', policies: RM });
    const { results, out, api } = await play(directory, [
      { tool: 'Bash', input: { command: 'ls && nice rm -rf src', description: 'clean up' } },
      { tool: 'Bash', input: { command: 'ls | head', description: 'look' } },
      { tool: 'Read', input: { file_path: join(directory, 'app.cfg') } },
      {
        tool: 'Edit',
        input: { file_path: join(directory, 'app.cfg'), old_string: 'timeout=5', new_string: 'timeout=30' },
      },
      { text: 'I set the timeout to 30 in app.cfg.' },
      { tool: 'Bash', input: { command: 'cat app.cfg', description: 'look at it' } },
      { text: 'I set the timeout to 30 in app.cfg, and it reads so now.' },
    ]);
    expect(existsSync(join(directory, 'src/keep.txt'))).toBe(true);
    expect(readFileSync(join(directory, 'app.cfg'), 'utf8')).toBe('timeout=30\n');
    expect(results[0]).toContain('Nothing is deleted here.');
    expect(results[1]).toContain('app.cfg');
    expect(out).toContain('it reads so now');
    expect(JSON.stringify(api.asked.at(-1)?.messages)).toContain('Not looked at since it was changed');
    expect(await ran(directory, ['journal', 'verify'])).toContain('intact');
    const status = JSON.parse(await ran(directory, ['status', '--json'])) as { claude: { exitedUnverified: boolean } };
    expect(status.claude.exitedUnverified).toBe(false);
  });

  it('ends a headless turn that never looks as unverified, for whoever asks', TIMEOUT, async () => {
    const directory = await installed({ mode: 'enforce', claude: '  maxBlocks: 2' });
    const said: Saying = { text: 'I set the timeout to 30 in app.cfg.' };
    await play(directory, [
      { tool: 'Read', input: { file_path: join(directory, 'app.cfg') } },
      {
        tool: 'Edit',
        input: { file_path: join(directory, 'app.cfg'), old_string: 'timeout=5', new_string: 'timeout=30' },
      },
      said,
      said,
      said,
      said,
    ]);
    const status = JSON.parse(await ran(directory, ['status', '--json'])) as {
      claude: { exitedUnverified: boolean; unverified: readonly string[] };
    };
    expect(status.claude.exitedUnverified).toBe(true);
    expect(status.claude.unverified.join()).toContain('app.cfg');
  });

  it('counts a question without a person as not run', TIMEOUT, async () => {
    const directory = await installed({ mode: 'ask' });
    const { results } = await play(directory, [
      { tool: 'Bash', input: { command: './unknown-tool --all', description: 'x' } },
      DONE,
    ]);
    expect(results).toHaveLength(1);
    const workspace = await openWorkspace({ directory, readOnly: true });
    const outcomes: unknown[] = [];
    for await (const { type, data } of workspace.journal.read('claude')) {
      if (type === 'gate.observed') outcomes.push((data as { event: { outcome: string } }).event.outcome);
    }
    await workspace.close();
    expect(outcomes).toEqual(['not-run']);
  });

  for (const [what, failing] of [
    ['is killed', "sh -c 'kill -9 $$' #"],
    ['is missing', '/nowhere/warrant'],
    ['hangs', "sh -c 'sleep 100' #"],
  ] as const) {
    it(`runs no tool in enforce when its hook ${what}, and does in observe`, TIMEOUT, async () => {
      for (const mode of ['enforce', 'observe']) {
        const directory = await installed({ mode, command: failing });
        const file = join(directory, '.claude/settings.json');
        // Only the hook before a tool fails, and a hook that hangs is given up after a second.
        const settings = JSON.parse(readFileSync(file, 'utf8')) as {
          hooks: Record<string, { hooks: { timeout: number }[] }[]>;
        };
        const before = settings.hooks['PreToolUse'] ?? [];
        for (const { hooks } of before) for (const hook of hooks) hook.timeout = 1;
        writeFileSync(file, JSON.stringify({ ...settings, hooks: { PreToolUse: before } }));
        const { results } = await play(directory, [TOUCH, DONE]);
        expect([mode, results.length, existsSync(join(directory, 'made.txt'))]).toEqual([mode, 1, mode === 'observe']);
      }
    });
  }
});
