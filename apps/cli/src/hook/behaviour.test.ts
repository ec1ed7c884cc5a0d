import { spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readGateRecord } from '@warrant/adapter-claude-agent';
import { replayVerdicts } from '@warrant/policy';
import { openWorkspace } from '@warrant/workspace';
import { describe, expect, it } from 'vitest';
import {
  bashResult,
  Conversation,
  commandHook,
  decisionOf,
  project,
  ran,
  readResult,
  sdkHooks,
} from '../../test/claude-client.ts';
import { runHook } from './run-hook.ts';

const EDIT = { file_path: 'a.ts', old_string: 'a', new_string: 'b' };

async function entries(directory: string, session = 'session-1') {
  const workspace = await openWorkspace({ directory, readOnly: true });
  const found = [];
  for await (const entry of workspace.journal.read('claude')) {
    if (
      entry.id.startsWith('sha256:') ||
      entry.correlationId?.startsWith(session) === true ||
      entry.id.startsWith(`${session}/`)
    )
      found.push(entry);
  }
  await workspace.close();
  return found;
}

const count = (found: readonly { readonly type: string }[], type: string): number =>
  found.filter((entry) => entry.type === type).length;

describe('modes', () => {
  it('observe decides nothing on any event, and records what would have been', async () => {
    const directory = await project();
    const { send } = await commandHook.start(directory, { mode: 'observe' });
    const talking = new Conversation(send, directory);
    expect(await talking.prompt('Go.')).toEqual({});
    expect(await talking.run('mcp__x__y', {}, 'ok')).toEqual({});
    expect(await talking.run('Edit', EDIT, {})).toEqual({});
    expect(await talking.stop('I changed a.ts.')).toEqual({});
    const found = await entries(directory);
    const verdicts = found
      .filter((entry) => entry.type === 'guard.verdict')
      .map((entry) => entry.data as { decision: string });
    expect(verdicts.map(({ decision }) => decision)).toEqual(['ungrounded', 'allow']);
    expect(found.find((entry) => entry.type === 'claude.stop')?.data).toMatchObject({
      verdict: 'refused',
      exitedUnverified: true,
    });
  });

  it('ask turns every refusal into a question', async () => {
    const directory = await project();
    const { send } = await commandHook.start(directory, { mode: 'ask' });
    const talking = new Conversation(send, directory);
    const told = await talking.before('mcp__x__y', {});
    expect(decisionOf(told)).toBe('ask');
    expect(told.hookSpecificOutput?.permissionDecisionReason).not.toContain('REFUSED');
    expect(told.hookSpecificOutput?.permissionDecisionReason).toContain('"mcp__x__y" is not in the graph');
  });

  it('a failure passes in observe only', async () => {
    const directory = await project();
    const { send } = await commandHook.start(directory);
    await new Conversation(send, directory).prompt('Go.');
    rmSync(join(directory, '.warrant/secret.key'));
    const input = JSON.stringify({
      session_id: 's',
      cwd: directory,
      hook_event_name: 'PreToolUse',
      tool_name: 'Read',
      tool_use_id: 't',
      tool_input: { file_path: 'a' },
    });
    const call = { input, source: 'project', environment: { CLAUDE_PROJECT_DIR: directory } };
    for (const mode of ['ask', 'enforce'] as const) {
      expect(await runHook({ ...call, mode })).toMatchObject({
        code: 2,
        out: '',
        error: expect.stringContaining('WORKSPACE_KEY_MISSING'),
      });
    }
    expect(await runHook({ ...call, mode: 'observe' })).toMatchObject({ code: 0, out: '{}\n' });
  });

  it('a folder without a workspace, or input that is none, is a failure too', async () => {
    const directory = join(await project(), '..');
    const environment = {};
    const good = { session_id: 's', cwd: '/', hook_event_name: 'PreToolUse', tool_name: 'Read', tool_input: {} };
    const inputs = [JSON.stringify(good), '{', '[]', 'null', '{"session_id":"s"}', '{"hook_event_name":"Stop"}', ''];
    for (const input of inputs) {
      const call = { input, source: 'x', environment, directory };
      expect((await runHook({ ...call, mode: 'enforce' })).code).toBe(2);
      expect(await runHook({ ...call, mode: 'observe' })).toMatchObject({ code: 0, out: '{}\n' });
    }
  });

  it('an event that nobody knows passes with a note; the end of a session costs nothing', async () => {
    const directory = await project();
    const environment = { CLAUDE_PROJECT_DIR: directory };
    const event = (name: string) => JSON.stringify({ session_id: 's', cwd: '/', hook_event_name: name });
    expect(await runHook({ input: event('Brandnew'), mode: 'enforce', source: 'x', environment })).toMatchObject({
      code: 0,
      out: '{}\n',
      error: expect.stringContaining('Brandnew'),
    });
    expect(await runHook({ input: event('SessionEnd'), mode: 'enforce', source: 'x', environment: {} })).toEqual({
      code: 0,
      out: '{}\n',
      error: '',
    });
  });
});

for (const client of [commandHook, sdkHooks]) {
  describe(`the gate through ${client.name}`, () => {
    it('lets a turn go after so many refusals, marked, and tells the next prompt', async () => {
      const directory = await project({ claude: '  maxBlocks: 2' });
      const { send, close } = await client.start(directory);
      const talking = new Conversation(send, directory);
      await talking.prompt('Change a.ts.');
      await talking.run('Edit', EDIT, {});
      const said = 'I changed a.ts as you asked.';
      const told = [await talking.stop(said), await talking.stop(said), await talking.stop(said)];
      const blocked = told.filter(({ decision }) => decision === 'block').length;
      expect(blocked).toBe(client === commandHook ? 2 : 3);
      const last = client === commandHook ? told[2] : await talking.stop(said);
      expect(last?.systemMessage).toContain('unverified');
      const next = await talking.prompt('Thanks.');
      expect(next.hookSpecificOutput?.additionalContext).toContain('a.ts (changed by Edit)');
      expect(await talking.stop('You are welcome.')).toEqual({});
      const again = await talking.prompt('And now?');
      expect(again.hookSpecificOutput?.additionalContext).toContain('a.ts (changed by Edit)');
      await talking.run('Read', { file_path: 'a.ts' }, readResult('a.ts', 'b'));
      expect(await talking.stop('I changed a.ts; it reads b now.')).toEqual({});
      expect(await talking.prompt('Good.')).toEqual({});
      await close();
    });

    it('a stop that was never judged leaves what is open as unverified', async () => {
      const directory = await project();
      const { send, close } = await client.start(directory);
      const talking = new Conversation(send, directory);
      await talking.prompt('Change a.ts.');
      await talking.run('Edit', EDIT, {});
      const next = await talking.prompt('What happened?');
      expect(next.hookSpecificOutput?.additionalContext).toContain('the end of the last turn was not judged');
      await close();
    });

    it('a call that was refused, by whomever, did not run and opens nothing', async () => {
      const directory = await project();
      const { send, close } = await client.start(directory, { mode: 'ask' });
      const talking = new Conversation(send, directory);
      await talking.prompt('Change things.');
      const tool_calls = [];
      for (const [tool, tool_input] of [
        ['Edit', EDIT],
        ['mcp__x__y', {}],
      ] as const) {
        const tool_use_id = talking.nextId();
        await talking.before(tool, tool_input, tool_use_id);
        tool_calls.push({ tool_name: tool, tool_input, tool_use_id, tool_response: 'The user does not want this' });
      }
      await talking.event('PostToolBatch', { tool_calls });
      expect(await talking.stop('Nothing to do here?')).toEqual({});
      expect(await talking.prompt('Go on.')).toEqual({});
      await close();
    });

    it('a change that failed is open until it succeeds', async () => {
      const directory = await project();
      const { send, close } = await client.start(directory);
      const talking = new Conversation(send, directory);
      await talking.prompt('Change a.ts.');
      await talking.run('Edit', EDIT, 'String to replace not found', 'error');
      await talking.run('Read', { file_path: 'a.ts' }, readResult('a.ts', 'a'));
      expect((await talking.stop('I changed a.ts.')).decision).toBe('block');
      await talking.run('Edit', EDIT, {});
      await talking.run('Read', { file_path: 'a.ts' }, readResult('a.ts', 'b'));
      expect(await talking.stop('I changed a.ts.')).toEqual({});
      await close();
    });

    it('a command in the background stays open until its task is over and was looked at', async () => {
      const directory = await project();
      const { send, close } = await client.start(directory);
      const talking = new Conversation(send, directory);
      await talking.prompt('Copy it.');
      const copy = { command: 'cp big.bin copy.bin', run_in_background: true };
      await talking.run('Bash', copy, { ...bashResult(''), backgroundTaskId: 'b1' });
      const running = [{ id: 'b1', type: 'shell', status: 'running', description: 'cp' }];
      const said = 'I copied big.bin to copy.bin.';
      expect((await talking.stop(said, { background_tasks: running })).reason).toContain('has not reported its end');
      await talking.run('Bash', { command: 'cat copy.bin' }, bashResult('data'));
      expect((await talking.stop(said, { background_tasks: running })).decision).toBe('block');
      expect((await talking.stop(said, { background_tasks: [] })).decision).toBe('block');
      await talking.run('Bash', { command: 'cat copy.bin' }, bashResult('all data'));
      expect(await talking.stop(said, { background_tasks: [] })).toEqual({});
      await close();
    });

    it('subagents have gates of their own', async () => {
      const directory = await project();
      const { send, close } = await client.start(directory);
      const talking = new Conversation(send, directory);
      await talking.prompt('Let a helper do it.');
      const child = new Conversation(send, directory, { agent_id: 'a1', agent_type: 'helper' });
      await child.event('SubagentStart');
      const id = 'toolu_child_1';
      await child.before('Edit', EDIT, id);
      await child.event('PostToolUse', { tool_name: 'Edit', tool_input: EDIT, tool_use_id: id, tool_response: {} });
      expect(
        await child.event('SubagentStop', { last_assistant_message: 'I changed a.ts.', stop_hook_active: false }),
      ).toEqual({});
      await talking.run('Read', { file_path: 'b.ts' }, readResult('b.ts', 'x'));
      expect(await talking.stop('The helper reported about b.ts.')).toEqual({});
      await close();
    });
  });
}

describe('the record', () => {
  it('has one verdict and one observation a call, in order, and can be run again', async () => {
    const directory = await project();
    const { send } = await commandHook.start(directory);
    const talking = new Conversation(send, directory);
    await talking.prompt('Change a.ts.');
    await talking.run('Edit', { ...EDIT, new_string: 'b'.repeat(5000) }, {});
    await talking.run('Read', { file_path: 'a.ts' }, readResult('a.ts', 'b'.repeat(5000)));
    await talking.run('mcp__x__y', {}, '');
    expect(await talking.stop('I changed a.ts.')).toEqual({});
    const found = await entries(directory);
    expect(count(found, 'guard.verdict')).toBe(3);
    expect(count(found, 'gate.observed')).toBe(3);
    expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
    const replayed = replayVerdicts(found);
    expect(replayed).toHaveLength(3);
    expect(replayed.map(({ same }) => same)).toEqual([true, true, true]);
    const { createGate, recheckRecord } = await import('@warrant/submit-gate');
    const { codingGate } = await import('@warrant/adapter-claude-agent');
    const record = readGateRecord(found, { session: 'session-1', agent: null });
    if (record === null) throw new Error('no record');
    const again = recheckRecord(createGate(codingGate()), record);
    expect(again.submits.map(({ same, was }) => [same, was])).toEqual([[true, 'accepted']]);
  });

  it('is written once by hooks that are installed for the user and for the project', async () => {
    const directory = await project();
    const talk = async (source: string) =>
      new Conversation((await commandHook.start(directory, { source })).send, directory);
    const [user, own] = [await talk('user'), await talk('project')];
    const both = async (work: (talking: Conversation) => Promise<unknown>) => Promise.all([work(user), work(own)]);
    await both((talking) => talking.prompt('Change a.ts.'));
    await both((talking) => talking.run('Edit', EDIT, {}));
    const denied = await both((talking) => talking.before('mcp__x__y', {}, 'same'));
    expect(denied.filter((told) => JSON.stringify(told) !== '{}')).toHaveLength(1);
    for (let time = 1; time <= 2; time += 1) {
      const told = await both((talking) => talking.stop('I changed a.ts.'));
      expect(told.filter((one) => JSON.stringify(one) !== '{}')).toHaveLength(1);
    }
    const found = await entries(directory);
    expect(count(found, 'claude.stop')).toBe(2);
    expect(count(found, 'guard.verdict')).toBe(2);
    expect(count(found, 'gate.turn-began')).toBe(1);
  });

  it('loses nothing with three sessions of processes that run at once', async () => {
    const directory = await project();
    // Each hook opens the file for itself; the long form has a process for each.
    const soak = process.env['WARRANT_SOAK'] !== undefined;
    const hook = soak ? processHook : ownHook;
    const calls = soak ? 20 : 8;
    const work = [1, 2, 3].map(async (session) => {
      const ends = Array.from({ length: calls }, (_, index) => {
        const common = {
          session_id: `s${session}`,
          cwd: directory,
          prompt_id: 'p',
          tool_name: 'Read',
          tool_use_id: `t${index}`,
          tool_input: { file_path: `f${index}.ts` },
        };
        return hook(directory, { ...common, hook_event_name: 'PreToolUse' }).then((out) => {
          expect(out).toBe('{}\n');
          const tool_response = readResult(`f${index}.ts`, 'x');
          return hook(directory, { ...common, hook_event_name: 'PostToolUse', tool_response });
        });
      });
      expect(await Promise.all(ends)).toEqual(ends.map(() => '{}\n'));
    });
    await Promise.all(work);
    expect(await ran(directory, ['journal', 'verify'])).toContain('intact');
    for (const session of [1, 2, 3]) {
      const found = await entries(directory, `s${session}`);
      expect(count(found, 'guard.verdict')).toBe(calls);
      expect(count(found, 'gate.observed')).toBe(calls);
      const orders = found.flatMap(({ type, data }) => {
        const event = (data as { readonly event?: { readonly startSeq?: number; readonly endSeq?: number } }).event;
        return type === 'gate.started' ? [event?.startSeq] : type === 'gate.observed' ? [event?.endSeq] : [];
      });
      expect(orders).toEqual(orders.map((_, index) => index + 1));
    }
  });
});

async function ownHook(directory: string, input: object): Promise<string> {
  const environment = { CLAUDE_PROJECT_DIR: directory };
  const { out, error } = await runHook({
    input: JSON.stringify(input),
    mode: 'enforce',
    source: 'project',
    environment,
  });
  return `${out}${error}`;
}

/** A hook as the client runs it: a process of its own. */
function processHook(directory: string, input: object): Promise<string> {
  const root = fileURLToPath(new URL('../../../..', import.meta.url));
  const bin = join(root, 'apps/cli/src/bin/warrant.ts');
  const loader = join(root, 'node_modules/tsx/dist/loader.mjs');
  const words = ['--import', loader, '--conditions=@warrant/source', bin, 'hook', 'claude-code', '--mode', 'enforce'];
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, words, {
      env: { ...process.env, CLAUDE_PROJECT_DIR: directory },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    let out = '';
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk.toString();
    });
    child.on('error', reject);
    child.on('close', (code) => (code === 0 ? resolve(out) : reject(new Error(`ended with ${code}: ${out}`))));
    child.stdin.end(JSON.stringify(input));
  });
}

describe('hostile input', () => {
  it('takes odd calls as they come', async () => {
    const directory = await project();
    const { send } = await commandHook.start(directory);
    const talking = new Conversation(send, directory);
    await talking.prompt('\ud800 lone, and a\u0000null');
    const odd: readonly (readonly [string, unknown])[] = [
      ['Edit', { file_path: 'a\nb\u0007.ts', old_string: '\udc00', new_string: 'x' }],
      ['Bash', { command: 'rm "a\nb"' }],
      ['Bash', { command: 7 }],
      ['Bash', {}],
      ['Bash', 'rm -rf /'],
      ['', {}],
      [`mcp__${'x'.repeat(5000)}`, { a: 1 }],
      ['mcp__\n\u202e__x', { __proto__: null, constructor: 'x' }],
      ['Read', null],
      ['Read', [1, 2]],
      ['__proto__', { deep: JSON.parse('['.repeat(200) + ']'.repeat(200)) }],
    ];
    for (const [tool, tool_input] of odd) {
      const told = await talking.event('PreToolUse', { tool_name: tool, tool_input, tool_use_id: talking.nextId() });
      expect(['undefined', 'deny']).toContain(String(decisionOf(told)));
    }
    const long = { session_id: 'x/'.repeat(5000), tool_use_id: 'y'.repeat(5000), agent_id: '../..' };
    const told = await talking.event('PreToolUse', { tool_name: 'Read', tool_input: { file_path: 'a' }, ...long });
    expect(told).toEqual({});
    expect(await ran(directory, ['journal', 'verify'])).toContain('intact');
  });

  it('reads results of 50 MB and keeps the ends of them', async () => {
    const directory = await project();
    const { send } = await commandHook.start(directory);
    const talking = new Conversation(send, directory);
    const size = process.env['WARRANT_SOAK'] === undefined ? 5_000_000 : 50_000_000;
    const line = 'some log line with words and 12345 numbers\n';
    await talking.run('Bash', { command: 'cat big.log' }, bashResult(line.repeat(Math.ceil(size / line.length))));
    expect(await talking.stop('The log is long.')).toEqual({});
    const found = await entries(directory);
    const bytes = found.reduce((sum, entry) => sum + JSON.stringify(entry.data).length, 0);
    expect(bytes).toBeLessThan(400_000);
  });

  it('a clock that jumps changes no order', async () => {
    const directory = await project();
    let now = Date.parse('2030-01-01T00:00:00Z');
    const jump = { now: () => (now = now > 1e12 ? 0 : Date.parse('2031-01-01T00:00:00Z')) };
    const { warrantHooks } = await import('@warrant/adapter-claude-agent');
    const workspace = await openWorkspace({ directory, create: false, clock: jump });
    const { hooks } = warrantHooks({ workspace });
    const talking = new Conversation(async (input) => {
      const [matcher] = hooks[input['hook_event_name'] as keyof typeof hooks];
      return (await matcher?.hooks[0]?.(input)) as never;
    }, directory);
    await talking.prompt('Change a.ts.');
    await talking.run('Edit', EDIT, {});
    await talking.run('Read', { file_path: 'a.ts' }, readResult('a.ts', 'b'));
    expect(await talking.stop('I changed a.ts.')).toEqual({});
    await workspace.close();
  });

  it('does not follow an agent out of its workspace', async () => {
    const directory = await project();
    mkdirSync(join(directory, 'elsewhere'));
    writeFileSync(join(directory, 'elsewhere/x'), '');
    const { send } = await commandHook.start(directory);
    const talking = new Conversation(send, '/');
    expect(decisionOf(await talking.before('mcp__x__y', {}))).toBe('deny');
  });
});
