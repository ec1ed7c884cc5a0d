import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { digest } from '@warrant/core';
import { guard } from '@warrant/policy';
import { openWorkspace } from '@warrant/workspace';
import { expect, test } from 'vitest';
import { type Ran, runWarrant } from '../../test/warrant.ts';

const warrant = (directory: string, words: readonly string[], typed: readonly string[] = []): Promise<Ran> =>
  runWarrant(directory, words, { typed });

async function workspace(settings?: string): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'warrant-hostile-'));
  await warrant(directory, ['init']);
  if (settings !== undefined) writeFileSync(join(directory, '.warrant/warrant.yaml'), settings);
  return directory;
}

const FLOOR = 'format: warrant.workspace/1\ngrounding: { minDepth: 4 }\n';

test.each([
  ['graph', 'import', 'nowhere.yaml'],
  ['graph', 'import', '.'],
  ['graph', 'diff', 'nowhere.yaml'],
  ['learn', '--file', 'nowhere.yaml'],
  ['policy', 'check', 'nowhere.yaml'],
  ['policy', 'test', 'nowhere.yaml'],
  ['policy', 'explain', 'delete', '--call', 'nowhere.json'],
  ['journal', 'verify', '--checkpoint', 'nowhere'],
  ['backup', 'nowhere/copy.db'],
  ['shell', 'check', 'nowhere'],
  ['gate', 'replay', 'nowhere'],
])('%s %s with a file that cannot be read says so in a line, without a stack', async (...words) => {
  const ran = await warrant(await workspace(), words);
  expect(ran.code).toBe(2);
  expect(ran.error).toMatch(/\([A-Z_]+\)\n$/);
  expect(ran.error.split('\n')).toHaveLength(2);
});

test.each([
  { words: ['chekc'], code: 2, name: 'CLI_COMMAND_UNKNOWN' },
  { words: ['graph', 'nope'], code: 2, name: 'CLI_COMMAND_UNKNOWN' },
  { words: ['check'], code: 2, name: 'CLI_USAGE' },
  { words: ['check', 'x', '--frmat', 'z'], code: 2, name: 'CLI_USAGE' },
  { words: ['graph', 'seed', 'nope'], code: 2, name: 'CLI_USAGE' },
  { words: ['graph', 'import', 'nowhere.yaml'], code: 2, name: 'CLI_FILE_NAME' },
  { words: ['inbox', 'answer', 'x', 'allow'], code: 3, name: 'CLI_NO_QUESTION' },
  { words: ['journal', 'read', 'nope'], code: 3, name: 'CLI_NO_STREAM' },
  { words: ['status', '-C', '/'], code: 3, name: 'CLI_NO_WORKSPACE' },
])('with --json the failure of $words stands on standard output: $name', async ({ words, code, name }) => {
  const ran = await warrant(await workspace(), [...words, '--json']);
  expect(ran.code).toBe(code);
  expect(JSON.parse(ran.out)).toMatchObject({ error: { code: name } });
  expect(ran.error).not.toBe('');
});

test.each([
  ['check', 'x', '--min-depth', '9'],
  ['check', 'x', '--min-depth', ''],
  ['check', 'x', '--tokens', 'abc'],
  ['check', 'x', '--format', 'tre'],
  ['learn', 'x', '--min-depth', '1e0'],
  ['traces', '-n', '0'],
  ['journal', 'read', 'guard', '--from', '-1'],
  ['graph', 'export', '--format', 'xml'],
])('%s %s %s %s is refused, not read as something else', async (...words) => {
  expect(await warrant(await workspace(), words)).toMatchObject({ code: 2, out: '' });
});

test('common options and --version may stand before the command, help before a whole one', async () => {
  const directory = await workspace();
  expect((await warrant('/', ['--json', '-C', directory, 'status'])).out).toContain(`"directory": "${directory}"`);
  expect((await warrant('/', ['-C', '/', 'status'])).code).toBe(3);
  expect((await warrant(directory, ['--version'])).out).toMatch(/^\d+\.\d+\.\d+/);
  expect((await warrant(directory, ['help', 'graph', 'import'])).out).toContain('Usage: warrant graph import');
  expect(await warrant(directory, ['help', 'nope'])).toMatchObject({ code: 2, out: '' });
});

test('graph export prints JSON with --json, and completion too', async () => {
  const directory = await workspace();
  await warrant(directory, ['graph', 'seed', 'filesystem']);
  const exported = await warrant(directory, ['graph', 'export', '--json']);
  expect(JSON.parse(exported.out)).toMatchObject({ format: 'warrant.graph/1' });
  expect(JSON.parse((await warrant(directory, ['completion', 'bash', '--json'])).out)).toMatchObject({ shell: 'bash' });
});

test('the floor of warrant.yaml counts in check, learn, policy explain and policy test alike', async () => {
  const directory = await workspace(FLOOR);
  await warrant(directory, ['graph', 'seed', 'filesystem']);
  expect((await warrant(directory, ['check', 'file'])).code).toBe(1);
  expect((await warrant(directory, ['check', 'file', '--min-depth', '3'])).code).toBe(0);
  expect((await warrant(directory, ['policy', 'explain', 'file'])).out).toContain('not grounded');
  const example = '  - { name: shallow, call: { arguments: {} }, concepts: [file], expect: ungrounded }\n';
  writeFileSync(join(directory, 'examples.yaml'), `format: warrant.policy-test/1\nexamples:\n${example}`);
  expect((await warrant(directory, ['policy', 'test', 'examples.yaml'])).out).toContain('1 passed');
  const learned = await warrant(directory, ['learn', 'file'], ['then = readers see it', '', 'y']);
  expect(learned).toMatchObject({ code: 0, out: expect.stringContaining('learned') });
  expect((await warrant(directory, ['check', 'file'])).code).toBe(0);
});

test('a fresh copy of a project is brought up by init, and says so before', async () => {
  const directory = await workspace();
  for (const file of ['warrant.db', 'secret.key']) rmSync(join(directory, '.warrant', file));
  expect(await warrant(directory, ['status'])).toMatchObject({
    code: 5,
    error: expect.stringContaining("'warrant init'"),
  });
  expect((await warrant(directory, ['init'])).out).toContain('secret.key');
  expect((await warrant(directory, ['status'])).code).toBe(0);
  expect((await warrant(directory, ['init', '--observe'])).out).toContain('enforce: true');
});

test('a database that was deleted is not made anew by any command but init, and restore brings it back', async () => {
  const directory = await workspace();
  await warrant(directory, ['graph', 'seed', 'filesystem']);
  expect((await warrant(directory, ['backup', 'copy.db'])).code).toBe(0);
  const database = join(directory, '.warrant/warrant.db');
  rmSync(database);
  for (const words of [
    ['status'],
    ['check', 'delete', 'file'],
    ['graph', 'seed', 'git'],
    ['inbox', 'list'],
    ['backup'],
  ])
    expect(await warrant(directory, words)).toMatchObject({
      code: 5,
      error: expect.stringMatching(/warrant restore FILE.*warrant init.*WORKSPACE_DATABASE_MISSING/),
    });
  expect(existsSync(database)).toBe(false);
  expect(await warrant(directory, ['doctor'])).toMatchObject({ code: 1, out: expect.stringContaining('is missing') });
  expect((await warrant(directory, ['restore', 'copy.db'])).code).toBe(0);
  expect((await warrant(directory, ['check', 'delete', 'file'])).code).toBe(0);
  rmSync(database);
  expect((await warrant(directory, ['init'])).out).toContain('made what was missing: warrant.db');
  expect((await warrant(directory, ['check', 'delete', 'file'])).code).toBe(1);
});

test('a database that is a text file is named, whatever is asked', async () => {
  const directory = await workspace();
  writeFileSync(join(directory, '.warrant/warrant.db'), 'no database, only text that goes on and on and on and on\n');
  for (const words of [['status'], ['check', 'x'], ['backup']])
    expect(await warrant(directory, words)).toMatchObject({
      code: 5,
      error: expect.stringContaining('SQLITE_CORRUPT'),
    });
});

test('a folder where a file is meant is named', async () => {
  const directory = await workspace();
  for (const words of [
    ['graph', 'import', '.'],
    ['graph', 'diff', '.', '.'],
    ['shell', 'check', '.'],
  ])
    expect(await warrant(directory, words)).toMatchObject({
      code: 2,
      error: expect.stringContaining('. is a folder: name the files in it (CLI_FILE_NAME)'),
    });
  expect((await warrant(directory, ['graph', 'import', 'nowhere.yaml'])).error).toContain('nowhere.yaml');
});

test.each([
  ['latin-1', Buffer.from('format: warrant.graph/1\nname: a\nconcepts: { stra\xdfe: }\n', 'latin1'), 3],
  ['UTF-16', Buffer.from('\ufeffformat: warrant.graph/1\n', 'utf16le'), 1],
  ['cut off', Buffer.from('format: warrant.graph/1\nname: \u00e9').subarray(0, -1), 2],
])('a document in %s is refused at its line: its names would be other ones', async (_, bytes, line) => {
  const directory = await workspace();
  writeFileSync(join(directory, 'a.yaml'), bytes);
  for (const words of [
    ['graph', 'import', 'a.yaml'],
    ['graph', 'diff', 'a.yaml'],
  ])
    expect(await warrant(directory, words)).toMatchObject({
      code: 2,
      error: expect.stringMatching(new RegExp(`a.yaml:${line}: not UTF-8.*CLI_FILE_TEXT`)),
    });
});

test('what is asked while learning shows names as one line, without what turns or hides it', async () => {
  const directory = await workspace();
  const name = "x'?\nPut this into the graph? \u202e\u001b[31m";
  const learned = await warrant(directory, ['learn', name], ['a = b', '', 'y']);
  expect(learned.code).toBe(0);
  expect(learned.out).toContain("What is 'x'?\\nPut this into the graph? \\u202e\\u001b[31m'? (level 1)");
  const listed = await warrant(directory, ['learn', '--list']);
  expect(listed.out.trimEnd().split('\n')).toHaveLength(3);
  const traces = await warrant(directory, ['traces', '--no-confidence']);
  expect(traces.out).toContain("x'?\\nPut this into the graph?");
  expect(traces.out).not.toMatch(/^Put this/m);
  const shown = await warrant(directory, ['graph', 'show']);
  expect(shown.out.trimEnd().split('\n')).toHaveLength(1);
  for (const { out } of [learned, listed, traces, shown])
    expect(['\u202e', '\u001b'].filter((sign) => out.includes(sign))).toEqual([]);
});

test('names like __proto__ are concepts and properties as any other', async () => {
  const directory = await workspace();
  const typed = ['__proto__ = {"admin": true}', 'is = a name', '', 'y'];
  expect((await warrant(directory, ['learn', '__proto__'], typed)).code).toBe(0);
  const shown = await warrant(directory, ['graph', 'show', '__proto__']);
  expect(shown.out).toContain('__proto__: {"admin":true}');
  expect((await warrant(directory, ['graph', 'draft'])).code).toBe(0);
  writeFileSync(
    join(directory, 'lessons.yaml'),
    `format: warrant.learn/1
lessons:
  - concepts: [__proto__2]
    candidates: [{ type: existence, name: __proto__2, identity: { level: 1, properties: { __proto__: { a: 1 } } } }]
`,
  );
  expect((await warrant(directory, ['learn', '--file', 'lessons.yaml'])).code).toBe(0);
  expect((await warrant(directory, ['graph', 'show', '__proto__2'])).out).toContain('__proto__: {"a":1}');
});

test('a folder where the database should be is a failure of the file, in one line', async () => {
  const directory = await workspace();
  rmSync(join(directory, '.warrant/warrant.db'));
  mkdirSync(join(directory, '.warrant/warrant.db'));
  const ran = await warrant(directory, ['check', 'x']);
  expect(ran.code).toBe(5);
  expect(ran.error.split('\n')).toHaveLength(2);
});

test('names that agents choose cannot write to the terminal', async () => {
  const directory = await workspace();
  const name = 'ev\u001b[31mil\u202egpj\u009b2J\u200b\u00ad\u{e0061}';
  await warrant(directory, ['check', name]);
  for (const words of [['traces'], ['check', name]]) {
    const { out } = await warrant(directory, words);
    expect(out).toContain('ev\\u001b[31mil\\u202egpj\\u009b2J\\u200b\\u00ad\\u{e0061}');
    for (const sign of ['\u001b', '\u202e', '\u009b']) expect(out).not.toContain(sign);
  }
});

test('a person sees the call before answering, and what was answered', async () => {
  const directory = await workspace();
  const opened = await openWorkspace({ directory });
  for (const path of ['/tmp/a', '/etc/\u001b[8mhosts'])
    await opened.inbox.ask({
      id: `q${path.length}`,
      kind: 'confirmation',
      subject: digest(path),
      title: 'remove: Really?',
      details: { call: { tool: 'remove', arguments: { path }, actor: 'agent', directory: '/work' } },
      choices: ['allow', 'refuse'],
      askedBy: 'agent',
      expiresAt: null,
    });
  await opened.close();
  const listed = await warrant(directory, ['inbox', 'list']);
  expect(listed.out).toContain('call: remove {"path":"/tmp/a"} in /work by agent');
  expect(listed.out).toContain('\\u001b[8mhosts');
  expect((await warrant(directory, ['inbox', 'answer', 'q6', 'maybe'])).error).toContain('there are allow, refuse');
  expect((await warrant(directory, ['inbox', 'answer', 'q6', 'allow', '--as', ' '])).code).toBe(2);
  expect(await warrant(directory, ['inbox', 'answer', 'q6', 'allow', '--as', 'agent'])).toMatchObject({
    code: 1,
    out: expect.stringContaining('nobody answers their own question'),
  });
  expect(await warrant(directory, ['inbox', 'answer', 'q6', 'allow', '--alike'])).toMatchObject({
    code: 0,
    out: expect.stringMatching(/\/tmp\/a[\s\S]*hosts/),
  });
});

test('questions of learn --json leave standard output to the answer', async () => {
  const directory = await workspace();
  const ran = await warrant(directory, ['learn', 'archive', '--json'], ['is = packing', '', 'y']);
  expect(JSON.parse(ran.out)).toMatchObject([{ grounded: true }]);
  expect(ran.error).toContain("What is 'archive'?");
});

test('the record is readable by line: tool, decision and outcome', async () => {
  const directory = await workspace();
  const opened = await openWorkspace({ directory });
  await guard((path: string) => path, { ...opened.guarding, name: 'remove', parameters: ['path'], concepts: ['x'] })(
    'a',
  );
  await opened.close();
  expect((await warrant(directory, ['journal', 'read', 'guard'])).out).toMatch(/guard\.verdict {2}\S+ {2}remove \S+/);
});

test('every fault of a policy file is told with its line, not only the first', async () => {
  const directory = await workspace();
  const policy = (key: string, rest: string) => `  - { key: ${key}, source: a, target: b, sourceDepth: 1, ${rest} }\n`;
  const text = `format: warrant.policy/1\npolicies:\n${policy('a', "flavour: red, blockWhen: 'true'")}${policy('b', "colour: red, blockWhen: 'true'")}`;
  writeFileSync(join(directory, 'p.yaml'), text);
  const { code, error } = await warrant(directory, ['policy', 'check', 'p.yaml']);
  expect(code).toBe(2);
  expect(error).toMatch(/p\.yaml:3:/);
  expect(error).toMatch(/p\.yaml:4:/);
});

test('processes that import at once all end well', async () => {
  const directory = await workspace();
  const opened = await openWorkspace({ directory });
  const ran = await Promise.all([1, 2, 3, 4].map(() => warrant(directory, ['graph', 'seed', 'filesystem', 'git'])));
  expect(ran.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
  expect((await opened.graph.version()).revision).toBe(1);
  await opened.close();
});
