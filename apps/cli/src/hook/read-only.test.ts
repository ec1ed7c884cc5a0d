import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { Conversation, commandHook, project } from '../../test/claude-client.ts';

const BIN = fileURLToPath(new URL('../bin/warrant.ts', import.meta.url));
const LOADER = import.meta.resolve('tsx');
/** Who may write everywhere sees no folder that is closed: the hook is run as nobody then. */
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
const who = isRoot ? { uid: NOBODY, gid: NOBODY } : {};

/** Nobody keeps what was compiled, so that each start takes seconds. Where the program lies in a folder of one's own, nobody else can run it. */
const canRun =
  process.env['WARRANT_SOAK'] !== undefined &&
  spawnSync(process.execPath, ['-e', `fs.accessSync(${JSON.stringify(BIN)})`], who).status === 0;

it.skipIf(!canRun)(
  'a workspace that may not be written lets nothing run in enforce, and observe stands in no way',
  async () => {
    const directory = await project();
    const { send } = await commandHook.start(directory);
    await new Conversation(send, directory).prompt('Go.');
    const folder = join(directory, '.warrant');
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
    if (isRoot) for (const file of [directory, folder, ...files]) chownSync(file, NOBODY, NOBODY);
    const hook = (mode: string, id: string) => {
      const event = {
        session_id: 's',
        cwd: directory,
        hook_event_name: 'PreToolUse',
        tool_name: 'Read',
        tool_use_id: id,
      };
      const words = ['--import', LOADER, '--conditions=@warrant/source', BIN, 'hook', 'claude-code', '--mode', mode];
      const { status, stdout, stderr } = spawnSync(process.execPath, words, {
        ...who,
        input: JSON.stringify({ ...event, tool_input: { file_path: 'a' } }),
        env: { PATH: process.env['PATH'] ?? '', CLAUDE_PROJECT_DIR: directory },
        encoding: 'utf8',
      });
      return [status, stdout, stderr];
    };
    expect(hook('enforce', 't1')).toEqual([0, '{}\n', '']);
    for (const file of files) chmodSync(file, 0o555);
    chmodSync(folder, 0o555);
    expect(hook('enforce', 't2')).toEqual([2, '', expect.stringContaining('SQLITE_READ_ONLY')]);
    expect(hook('observe', 't3')).toEqual([0, '{}\n', expect.stringContaining('SQLITE_READ_ONLY')]);
  },
);
