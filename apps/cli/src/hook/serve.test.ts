import { appendFileSync, existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { project } from '../../test/claude-client.ts';
import { askServed } from './ask-served.ts';
import { readHookWords } from './main.ts';
import { serveHooks } from './serve.ts';

const event = (more: object) =>
  JSON.stringify({ session_id: 's', cwd: '/repo', prompt_id: 'p', hook_event_name: 'PreToolUse', ...more });
const read = (id: string) => event({ tool_name: 'Read', tool_use_id: id, tool_input: { file_path: 'a' } });
const send = (id: string) => event({ tool_name: 'mcp__x__y', tool_use_id: id, tool_input: {} });

test('a process that stays answers as a hook of its own does, to its owner alone', async () => {
  const directory = await project();
  const served = await serveHooks(directory);
  expect(statSync(served.path).mode & 0o777).toBe(0o600);
  const ask = (input: string, mode: 'enforce' | 'observe' = 'enforce') =>
    askServed(served.path, { input, mode, source: 'project' });
  expect(await ask(read('1'))).toEqual({ code: 0, out: '{}\n', error: '' });
  expect((await ask(send('2')))?.out).toContain('deny');
  expect((await ask(send('3'), 'observe'))?.out).toBe('{}\n');
  expect(await ask('{')).toMatchObject({ code: 2, out: '' });
  expect(await ask('{', 'observe')).toMatchObject({ code: 0, out: '{}\n' });
  const many = await Promise.all(Array.from({ length: 20 }, (_, index) => ask(read(`many-${index}`))));
  expect(many.every((one) => one?.out === '{}\n')).toBe(true);
  await expect(serveHooks(directory)).rejects.toMatchObject({ code: 'CLI_SERVED' });
  await served.close();
  expect(existsSync(served.path)).toBe(false);
  expect(await ask(read('4'))).toBeNull();
});

test('settings that are written meanwhile hold from the next event on', async () => {
  const directory = await project();
  const served = await serveHooks(directory);
  const ask = (input: string) => askServed(served.path, { input, mode: 'enforce', source: 'project' });
  expect((await ask(send('1')))?.out).toContain('deny');
  const rule = 'claude:\n  tools:\n    - { match: mcp__x__y, concepts: [read, file], effect: read }\n';
  appendFileSync(join(directory, '.warrant/warrant.yaml'), rule);
  expect(await ask(send('2'))).toMatchObject({ out: '{}\n' });
  await served.close();
});

test('a socket that was left behind is taken over', async () => {
  const directory = await project();
  writeFileSync(join(directory, '.warrant/hook.sock'), '');
  const served = await serveHooks(directory);
  expect(await askServed(served.path, { input: read('1'), mode: 'enforce', source: 'x' })).toMatchObject({ code: 0 });
  await served.close();
});

test('the words of the settings are read without the rest of the command line', () => {
  expect(readHookWords(['--mode', 'enforce', '--from', 'user'])).toEqual({ mode: 'enforce', source: 'user' });
  expect(readHookWords([])).toEqual({ mode: 'observe', source: 'default' });
  for (const words of [['--mode', 'x'], ['--help'], ['--mode'], ['--json', 'x']])
    expect(readHookWords(words)).toBeNull();
});
