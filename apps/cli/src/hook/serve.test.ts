import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createConnection, createServer } from 'node:net';
import { join } from 'node:path';
import { openWorkspace, workspacePaths } from '@warrant/workspace';
import { expect, test } from 'vitest';
import { project, ran } from '../../test/claude-client.ts';
import { askServed } from './ask-served.ts';
import { readHookWords } from './main.ts';
import { runHook } from './run-hook.ts';
import { serveHooks } from './serve.ts';
import { type ServedPlace, servedFiles, servedPlace } from './served-place.ts';

const event = (more: object) =>
  JSON.stringify({ session_id: 's', cwd: '/repo', prompt_id: 'p', hook_event_name: 'PreToolUse', ...more });
const read = (id: string) => event({ tool_name: 'Read', tool_use_id: id, tool_input: { file_path: 'a' } });
const send = (id: string) => event({ tool_name: 'mcp__x__y', tool_use_id: id, tool_input: {} });

function placeIn(directory: string): ServedPlace {
  const place = servedPlace(join(directory, '.warrant'));
  if (place === null) throw new Error('nobody serves there');
  return place;
}

test('a process that stays answers as a hook of its own does, to its owner alone', async () => {
  const directory = await project();
  const served = await serveHooks(directory);
  const place = placeIn(directory);
  for (const file of [served.path, servedFiles(join(directory, '.warrant')).keys])
    expect(statSync(file).mode & 0o777).toBe(0o600);
  const ask = (input: string, mode: 'enforce' | 'observe' = 'enforce') =>
    askServed(place, { input, mode, source: 'project' });
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
  expect(servedPlace(join(directory, '.warrant'))).toBeNull();
  expect(await ask(read('4'))).toBeNull();
});

test('records are in the journal once it is over, one verdict for each call and in order', async () => {
  const directory = await project();
  const served = await serveHooks(directory);
  const place = placeIn(directory);
  const ids = Array.from({ length: 12 }, (_, index) => `call-${index}`);
  await Promise.all(ids.map((id) => askServed(place, { input: read(id), mode: 'enforce', source: 'project' })));
  await served.close();
  const workspace = await openWorkspace({ directory, readOnly: true });
  expect(await workspace.file.outbox.pending(10)).toEqual([]);
  const orders: unknown[] = [];
  let verdicts = 0;
  for await (const { type, data } of workspace.journal.read('claude')) {
    if (type === 'guard.verdict') verdicts += 1;
    if (type === 'gate.started')
      orders.push((data as { readonly event: { readonly startSeq: number } }).event.startSeq);
  }
  await workspace.close();
  expect([verdicts, orders]).toEqual([12, ids.map((_, index) => index + 1)]);
});

test('settings that are written meanwhile hold from the next event on, broken ones until they are mended', async () => {
  const directory = await project();
  const served = await serveHooks(directory);
  const place = placeIn(directory);
  const ask = (input: string) => askServed(place, { input, mode: 'enforce', source: 'project' });
  expect((await ask(send('1')))?.out).toContain('deny');
  const settings = join(directory, '.warrant/warrant.yaml');
  const before = readFileSync(settings, 'utf8');
  writeFileSync(settings, 'format: nothing\n');
  expect(await Promise.all([ask(read('2')), ask(read('3'))])).toMatchObject([{ code: 2 }, { code: 2 }]);
  writeFileSync(settings, before);
  const rule = 'claude:\n  tools:\n    - { match: mcp__x__y, concepts: [read, file], effect: read }\n';
  appendFileSync(settings, rule);
  const asked = [ask(send('4')), ask(send('5')), ask(read('6'))];
  expect(await Promise.all(asked)).toMatchObject(asked.map(() => ({ out: '{}\n' })));
  await served.close();
});

test('a database that was taken away or put back is seen', async () => {
  const directory = await project();
  const { database } = workspacePaths(directory);
  const served = await serveHooks(directory);
  const place = placeIn(directory);
  const ask = (input: string) => askServed(place, { input, mode: 'enforce', source: 'project' });
  expect(await ask(read('1'))).toMatchObject({ out: '{}\n' });
  renameSync(database, `${database}.old`);
  expect(await ask(read('2'))).toMatchObject({ code: 2, error: expect.stringContaining('WORKSPACE_DATABASE_MISSING') });
  copyFileSync(`${database}.old`, database);
  expect(await ask(read('3'))).toMatchObject({ out: '{}\n' });
  await served.close();
  const records = await ran(directory, ['journal', 'read', 'claude', '--json']);
  expect(records).toContain('"id":"s/3/1"');
});

test('a socket that was left behind is taken over', async () => {
  const directory = await project();
  mkdirSync(join(directory, '.warrant/serve'));
  writeFileSync(join(directory, '.warrant/serve/hook.sock'), '');
  const served = await serveHooks(directory);
  const call = { input: read('1'), mode: 'enforce', source: 'x' } as const;
  expect(await askServed(placeIn(directory), call)).toMatchObject({ code: 0 });
  await served.close();
});

test('of many that start at once over what a dead one left behind, one serves, and goes with all that is its own', async () => {
  const directory = await project();
  mkdirSync(join(directory, '.warrant/serve'));
  for (let time = 0; time < 3; time += 1) {
    writeFileSync(join(directory, '.warrant/serve/hook.sock'), '');
    const started = await Promise.allSettled(Array.from({ length: 4 }, () => serveHooks(directory)));
    const serving = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    expect(serving).toHaveLength(1);
    const refused = started.flatMap((one) =>
      one.status === 'rejected' ? [(one.reason as { code: string }).code] : [],
    );
    expect(refused).toEqual(['CLI_SERVED', 'CLI_SERVED', 'CLI_SERVED']);
    const call = { input: read(`${time}`), mode: 'enforce', source: 'x' } as const;
    expect(await askServed(placeIn(directory), call)).toMatchObject({ code: 0, out: '{}\n' });
    await serving[0]?.close();
    expect(servedPlace(join(directory, '.warrant'))).toBeNull();
  }
});

test('what a hook says beside its answer is said by the process that stays too', async () => {
  const directory = await project({ claude: '  memory: true' });
  writeFileSync(join(directory, '.warrant/memory'), 'no folder');
  const environment = { CLAUDE_PROJECT_DIR: directory };
  const inputs = [
    event({ hook_event_name: 'Later' }),
    event({ hook_event_name: 'UserPromptSubmit', prompt: 'Go on.' }),
    read('1'),
    send('2'),
    '{',
  ];
  const alone = [];
  for (const input of inputs) alone.push(await runHook({ input, mode: 'enforce', source: 'alone', environment }));
  const served = await serveHooks(directory);
  const asked = inputs.map((input) => input.replace('"s"', '"other"'));
  const call = (input: string) => askServed(placeIn(directory), { input, mode: 'enforce', source: 'alone' });
  expect(await Promise.all(asked.map(call))).toEqual(alone);
  expect(alone.map(({ error }) => error.split(' ').slice(0, 4).join(' '))).toEqual([
    'Warrant: the event Later',
    expect.stringContaining('Warrant: memory'),
    '',
    '',
    "Warrant: the hook's input",
  ]);
  await served.close();
});

test('a socket, folder or key that others could have made is not believed', async () => {
  const directory = await project();
  const folder = join(directory, '.warrant');
  const { folder: inside, path, keys } = servedFiles(folder);
  const served = await serveHooks(directory);
  const wrongs: readonly (readonly [file: string, mode: number])[] = [
    [inside, 0o755],
    [inside, 0o770],
    [path, 0o666],
    [keys, 0o644],
  ];
  for (const [file, mode] of wrongs) {
    const own = lstatSync(file).mode & 0o777;
    chmodSync(file, mode);
    expect(servedPlace(folder)).toBeNull();
    chmodSync(file, own);
    expect(servedPlace(folder)).not.toBeNull();
  }
  const real = readFileSync(keys, 'utf8');
  writeFileSync(keys, 'short');
  expect(servedPlace(folder)).toBeNull();
  rmSync(keys);
  writeFileSync(join(directory, 'elsewhere'), real, { mode: 0o600 });
  symlinkSync(join(directory, 'elsewhere'), keys);
  expect(servedPlace(folder)).toBeNull();
  rmSync(keys);
  writeFileSync(keys, real, { mode: 0o600 });
  expect(servedPlace(folder)).not.toBeNull();
  await served.close();
});

test('who has no key is not answered, and an answer without one is a failure', async () => {
  const directory = await project();
  const served = await serveHooks(directory);
  const call = { input: send('1'), mode: 'enforce', source: 'x' } as const;
  expect(await askServed({ ...placeIn(directory), asks: 'f'.repeat(64) }, call)).toMatchObject({ code: 2, out: '' });
  expect(await said(served.path, `${JSON.stringify(call)}`)).toBe('');
  expect(await said(served.path, '')).toBe('');
  await served.close();
  for (const text of ['{"code":0,"out":"{}\\n","error":""}', 'KEY', 'KEY\n{}', 'KEY\n{"code":0,"out":"","error":""}']) {
    const path = join(directory, 'false.sock');
    const server = createServer({ allowHalfOpen: true }, (socket) => {
      socket.on('data', () => undefined);
      socket.on('end', () => socket.end(text.replace('KEY', 'a'.repeat(64))));
    });
    await new Promise<void>((done) => server.listen(path, done));
    const place = { path, asks: 'b'.repeat(64), answers: 'a'.repeat(64) };
    expect(await askServed(place, call)).toMatchObject({ code: 2, out: '' });
    await new Promise<unknown>((done) => server.close(done));
  }
});

function said(path: string, text: string): Promise<string> {
  return new Promise((done) => {
    let heard = '';
    const socket = createConnection(path, () => socket.end(text));
    socket.on('data', (chunk) => {
      heard += chunk.toString();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => done(heard));
  });
}

test('the words of the settings are read without the rest of the command line', () => {
  expect(readHookWords(['--mode', 'enforce', '--from', 'user'])).toEqual({ mode: 'enforce', source: 'user' });
  expect(readHookWords([])).toEqual({ mode: 'observe', source: 'default' });
  for (const words of [['--mode', 'x'], ['--help'], ['--mode'], ['--json', 'x']])
    expect(readHookWords(words)).toBeNull();
});
