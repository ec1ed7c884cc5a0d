import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSeededIds, digest } from '@warrant/core';
import { openWorkspace } from '@warrant/workspace';
import { expect, test } from 'vitest';
import { type Ran, runWarrant } from '../../test/warrant.ts';
import { table } from './table.ts';

const warrant = (directory: string, words: readonly string[], typed: readonly string[] = []): Promise<Ran> =>
  runWarrant(directory, words, { typed });

function folder(): string {
  return mkdtempSync(join(tmpdir(), 'warrant-cli-'));
}

async function withSeed(): Promise<string> {
  const directory = folder();
  await warrant(directory, ['init']);
  await warrant(directory, ['graph', 'seed', 'filesystem']);
  return directory;
}

test('an unknown command is refused with the one that was meant', async () => {
  expect(await warrant(folder(), ['chekc'])).toMatchObject({
    code: 2,
    error: expect.stringContaining("Did you mean 'check'?"),
  });
});

test('every command explains itself', async () => {
  for (const { name, summary } of table) {
    const ran = await warrant(folder(), [...name.split(' '), '--help']);
    expect(ran.code).toBe(0);
    // Help is wrapped to the terminal's width.
    expect(ran.out.replace(/\s+/g, ' ')).toContain(summary);
  }
});

test('a command that has others names them in its help', async () => {
  const { out } = await warrant(folder(), ['review', '--help']);
  expect(out).toMatch(/ {2}review approve +approve proposals\n/);
  expect((await warrant(folder(), ['check', '--help'])).out).not.toContain('Commands of');
});

test('a command outside of any workspace says how to make one', async () => {
  expect(await warrant(folder(), ['status'])).toMatchObject({
    code: 3,
    error: expect.stringContaining("'warrant init'"),
  });
});

test('init is idempotent and keeps the key out of version control', async () => {
  const directory = folder();
  expect((await warrant(directory, ['init'])).code).toBe(0);
  const key = readFileSync(join(directory, '.warrant/secret.key'), 'utf8');
  expect((await warrant(directory, ['init'])).out).toContain('is there already');
  expect(readFileSync(join(directory, '.warrant/secret.key'), 'utf8')).toBe(key);
  expect(readFileSync(join(directory, '.warrant/.gitignore'), 'utf8')).toContain('secret.key');
});

test('check answers by its exit code, as a tree and as JSON', async () => {
  const directory = await withSeed();
  expect(await warrant(directory, ['check', 'delete', 'file'])).toMatchObject({
    code: 0,
    out: expect.stringContaining('grounded'),
  });
  const no = await warrant(directory, ['check', 'archive', 'file', '--json']);
  expect(no.code).toBe(1);
  expect(JSON.parse(no.out)).toMatchObject({ grounded: false, gaps: [{ type: 'existence', concept: 'archive' }] });
});

test('importing the same document twice changes nothing', async () => {
  const directory = await withSeed();
  expect((await warrant(directory, ['graph', 'seed', 'filesystem'])).out).toContain('0 added, 0 changed, 20 unchanged');
});

test('an export is the same text again after an import elsewhere', async () => {
  const directory = await withSeed();
  const exported = await warrant(directory, ['graph', 'export']);
  const other = folder();
  await warrant(other, ['init']);
  writeFileSync(join(other, 'graph.yaml'), exported.out);
  expect((await warrant(other, ['graph', 'import', 'graph.yaml'])).code).toBe(0);
  expect((await warrant(other, ['graph', 'export'])).out).toBe(exported.out);
  expect(await warrant(other, ['graph', 'diff', 'graph.yaml'])).toMatchObject({ code: 0, out: 'The same.\n' });
});

test('a document with a fault is refused at its line and changes nothing', async () => {
  const directory = await withSeed();
  writeFileSync(
    join(directory, 'bad.yaml'),
    'format: warrant.graph/1\nname: bad\nconcepts:\n  a:\n    identity:\n      requries: { file: identity }\n',
  );
  const ran = await warrant(directory, ['graph', 'import', 'bad.yaml']);
  expect(ran.code).toBe(2);
  expect(ran.out).toMatch(/bad\.yaml:6:7: .*did you mean 'requires'/);
});

test('learning closes gaps one by one and is taken back by its proposal', async () => {
  const directory = await withSeed();
  const slips = ['file', 'aplies', 'APPLIES-TO', 'one', '5', 'D1', '1', 'y'];
  const learned = await warrant(directory, ['learn', 'archive', 'file'], ['text = keeping things', '', 'y', ...slips]);
  expect(learned).toMatchObject({
    code: 0,
    out: expect.stringMatching(/learned and closed: .*\n.*learned.*\n.*grounded/),
  });
  const list = JSON.parse((await warrant(directory, ['learn', '--list', '--json'])).out) as readonly {
    readonly proposalId: string;
    readonly type: string;
  }[];
  const edge = list.find((item) => item.type === 'relatum')?.proposalId ?? '';
  expect((await warrant(directory, ['learn', '--undo', edge])).code).toBe(0);
  expect((await warrant(directory, ['check', 'archive', 'file'])).code).toBe(1);
});

test('what was asked and not known becomes a document to edit, of which nothing counts until it is', async () => {
  const directory = await withSeed();
  for (const concept of ['archive', 'archive', 'compress']) await warrant(directory, ['check', concept, 'file']);
  const draft = await warrant(directory, ['graph', 'draft', '-o', 'draft.yaml']);
  expect(draft.code).toBe(0);
  const text = readFileSync(join(directory, 'draft.yaml'), 'utf8');
  expect(text.indexOf('archive')).toBeLessThan(text.indexOf('compress'));
  expect((await warrant(directory, ['graph', 'import', 'draft.yaml'])).out).toContain('0 added, 0 changed');
  expect((await warrant(directory, ['check', 'archive', 'file'])).code).toBe(1);
  writeFileSync(join(directory, 'draft.yaml'), text.replaceAll(/^ {2}# (?!--)/gm, '  '));
  expect((await warrant(directory, ['graph', 'import', 'draft.yaml'])).code).toBe(0);
  expect((await warrant(directory, ['check', 'archive', 'file'])).code).toBe(0);
});

test('lessons of a file are tried in order until one is taken, and a gap is closed in parts', async () => {
  const directory = await withSeed();
  const level = (number: number, word: string) => `{ level: ${number}, properties: { is: ${word} } }`;
  const edge = (target: string) =>
    `      - { type: reachability, concept: archive, source: archive, target: ${target}, relation: applies-to, sourceDepth: 3, targetDepth: 1 }`;
  const lessons = [
    'format: warrant.learn/1',
    'lessons:',
    '  - concepts: [archive, file]',
    '    minDepth: 3',
    '    candidates:',
    `      - { type: existence, name: archive, identity: ${level(3, 'of the wrong level')} }`,
    `      - { type: existence, name: archive, identity: ${level(1, 'one container')} }`,
    `      - { type: depth, concept: archive, levels: [${level(2, 'packing')}] }`,
    `      - { type: depth, concept: archive, levels: [${level(3, 'space')}] }`,
    edge('nowhere'),
    edge('file'),
  ];
  writeFileSync(join(directory, 'lessons.yaml'), lessons.join('\n'));
  const ran = await warrant(directory, ['learn', '--file', 'lessons.yaml', '--json']);
  const [result] = JSON.parse(ran.out) as { grounded: boolean; steps: { gap: { type: string }; outcome: string }[] }[];
  expect(result?.steps.map(({ gap, outcome }) => `${gap.type} ${outcome}`)).toEqual([
    'existence refused',
    'existence learned',
    'depth learned',
    'depth learned',
    'reachability refused',
    'reachability learned',
  ]);
  expect([ran.code, result?.grounded]).toEqual([0, true]);
  expect((await warrant(directory, ['check', 'archive', 'file', '--min-depth', '3'])).code).toBe(0);
});

test('a policy without its edge hides no explanation of the others', async () => {
  const directory = await withSeed();
  const policy = (key: string, target: string) =>
    `  - { key: ${key}, source: delete, target: ${target}, sourceDepth: 3, blockWhen: "within(call.arguments.path, '/keep')" }\n`;
  writeFileSync(join(directory, '.warrant/warrant.yaml'), 'format: warrant.workspace/1\npolicy: { files: [p.yaml] }\n');
  const write = (...policies: readonly string[]) =>
    writeFileSync(join(directory, '.warrant/p.yaml'), `format: warrant.policy/1\npolicies:\n${policies.join('')}`);
  const explain = (path: string) =>
    warrant(directory, ['policy', 'explain', 'delete', 'file', '--arguments', JSON.stringify({ path })]);
  write(policy('kept', 'file'));
  expect((await explain('/else')).code).toBe(0);
  write(policy('kept', 'file'), policy('lost', 'nowhere'));
  const refused = await explain('/keep/a');
  expect(refused.out).toMatch(/- kept on delete -> file \(level 3\): fired/);
  expect(refused.out).toMatch(/edge of every policy:\n- lost on delete -> nowhere \(level 3\): target-missing\n$/);
  expect(await explain('/else')).toMatchObject({ code: 1, out: expect.stringContaining('target-missing') });
});

test('a policy file with a fault names its line; a sound one is placed on the graph', async () => {
  const directory = await withSeed();
  writeFileSync(
    join(directory, 'p.yaml'),
    'format: warrant.policy/1\npolicies:\n  - key: k\n    source: delete\n    target: file\n    sourceDepth: 3\n    blockWhen: call.argument ==\n',
  );
  expect(await warrant(directory, ['policy', 'check', 'p.yaml'])).toMatchObject({
    code: 2,
    error: expect.stringContaining('p.yaml:7'),
  });
  writeFileSync(
    join(directory, 'p.yaml'),
    "format: warrant.policy/1\npolicies:\n  - key: k\n    source: delete\n    target: file\n    sourceDepth: 3\n    blockWhen: within(call.arguments.path, '/keep')\n",
  );
  expect((await warrant(directory, ['policy', 'check', 'p.yaml'])).code).toBe(0);
});

test('a policy that no tool of a mapping can meet is told', async () => {
  const directory = await withSeed();
  writeFileSync(join(directory, '.warrant/warrant.yaml'), 'format: warrant.workspace/1\npolicy: { files: [p.yaml] }\n');
  const policy = (key: string, target: string) =>
    `  - { key: ${key}, source: delete, target: ${target}, sourceDepth: 3, blockWhen: call.arguments.all == true }\n`;
  const text = `format: warrant.policy/1\npolicies:\n${policy('met', 'file')}${policy('lonely', 'symlink')}`;
  writeFileSync(join(directory, '.warrant/p.yaml'), text);
  writeFileSync(
    join(directory, 'tools.yaml'),
    'format: warrant.tools/1\nname: own\ntools:\n  rm: { concepts: [delete, file] }\n',
  );
  expect(await warrant(directory, ['policy', 'lint'])).toMatchObject({ code: 0, out: 'Nothing to remark.\n' });
  const found = await warrant(directory, ['policy', 'lint', '--tools', 'tools.yaml']);
  expect(found.code).toBe(1);
  expect(found.out).toMatch(/p\.yaml:4: unused-key: lonely: no tool names both ends of its edge\n$/);
  writeFileSync(join(directory, 'tools.yaml'), 'format: warrant.tools/1\nname: own\ntools:\n  rm: { concept: [] }\n');
  expect(await warrant(directory, ['policy', 'lint', '--tools', 'tools.yaml'])).toMatchObject({
    code: 2,
    error: expect.stringContaining('tools.yaml:4:18: unknown key "concept"'),
  });
});

test('several alike questions are answered at once, each only once', async () => {
  const directory = await withSeed();
  const workspace = await openWorkspace({ directory });
  const ids = createSeededIds('questions');
  const policy = { key: 'overwrites', edge: 'write -> file' };
  for (const [path, tool, key] of [
    ['a', 'save', 'overwrites'],
    ['b', 'save', 'overwrites'],
    ['c', 'upload', 'overwrites'],
    ['d', 'save', 'secret-files'],
  ] as const) {
    await workspace.inbox.ask({
      id: ids.next(),
      kind: 'confirmation',
      subject: digest({ path }),
      title: 'overwrite',
      details: { call: { tool, arguments: { path } }, policies: [{ ...policy, key }] },
      choices: ['allow', 'refuse'],
      askedBy: 'agent',
      expiresAt: null,
    });
  }
  const [first] = await workspace.inbox.pending();
  await workspace.close();
  const answered = await warrant(directory, ['inbox', 'answer', first?.id ?? '', 'allow', '--alike']);
  expect(answered).toMatchObject({
    code: 0,
    out: expect.stringMatching(/answered\n[\s\S]*"path":"a"[\s\S]*answered\n[\s\S]*"path":"b"/),
  });
  // Another tool and another policy ask something else under the same title.
  const left = (await warrant(directory, ['inbox', 'list'])).out;
  expect([left.includes('"path":"a"'), left.includes('"path":"c"'), left.includes('"path":"d"')]).toEqual([
    false,
    true,
    true,
  ]);
});

test('settings with a fault are refused at their line', async () => {
  const directory = folder();
  await warrant(directory, ['init']);
  writeFileSync(join(directory, '.warrant/warrant.yaml'), 'format: warrant.workspace/1\nenforec: true\n');
  expect(await warrant(directory, ['status'])).toMatchObject({
    code: 2,
    error: expect.stringMatching(/warrant\.yaml:2:1: unknown key 'enforec' \(did you mean 'enforce'\?\)/),
  });
});

test('every fault of the settings is told once', async () => {
  const directory = folder();
  await warrant(directory, ['init']);
  const text = 'format: warrant.workspace/1\nenforce: perhaps\npolicy: { files: 3 }\nperson: 4\n';
  writeFileSync(join(directory, '.warrant/warrant.yaml'), text);
  const { code, error } = await warrant(directory, ['status']);
  expect(code).toBe(2);
  expect(error.trim().split('\n')).toEqual([
    expect.stringMatching(/warrant\.yaml:2:\d+: this is a text \(expected a boolean\)$/),
    expect.stringMatching(/warrant\.yaml:3:\d+: this is a number \(expected a list\)$/),
    expect.stringMatching(/warrant\.yaml:4:\d+: this is a number \(expected a text\) \(WORKSPACE_CONFIG_INVALID\)$/),
  ]);
});

test('a backup never replaces a file, and opens as the workspace did', async () => {
  const directory = await withSeed();
  expect((await warrant(directory, ['backup', 'copy.db'])).code).toBe(0);
  expect((await warrant(directory, ['backup', 'copy.db'])).code).toBe(2);
});

test('doctor finds nothing in a new workspace, and a missing edge in one that needs it', async () => {
  const directory = folder();
  await warrant(directory, ['init']);
  expect((await warrant(directory, ['doctor'])).code).toBe(0);
  writeFileSync(
    join(directory, '.warrant/p.yaml'),
    'format: warrant.policy/1\npolicies:\n  - key: k\n    source: delete\n    target: file\n    sourceDepth: 3\n    blockWhen: "true"\n',
  );
  writeFileSync(join(directory, '.warrant/warrant.yaml'), 'format: warrant.workspace/1\npolicy: { files: [p.yaml] }\n');
  expect(await warrant(directory, ['doctor'])).toMatchObject({
    code: 1,
    out: expect.stringContaining('no edge for k'),
  });
});

test('a shell line is explained, a file of them counted', async () => {
  const directory = folder();
  expect(await warrant(directory, ['shell', 'explain', 'git status | head'])).toMatchObject({
    code: 0,
    out: expect.stringContaining('[read]'),
  });
  expect(await warrant(directory, ['shell', 'check', '-'], ['ls', 'x=$(rm -rf /) && ls', 'frobnicate'])).toMatchObject({
    code: 1,
    out: expect.stringContaining('3 lines: 1 read, 1 write, 1 unknown'),
  });
});

test('a folder of shell scripts is counted, with the share of unknown commands', async () => {
  const directory = folder();
  mkdirSync(join(directory, 'scripts/deep'), { recursive: true });
  writeFileSync(join(directory, 'scripts/a.sh'), 'for f in *; do\n  cat "$f"\ndone\nfrobnicate\n');
  writeFileSync(join(directory, 'scripts/deep/b'), '#!/usr/bin/env bash\nls\nrm x\n');
  writeFileSync(join(directory, 'scripts/notes.txt'), 'not a script\n');
  const long = Array.from({ length: 3000 }, (_, at) => `f${at}() {\n  echo "some words that make it long"\n}`);
  writeFileSync(join(directory, 'scripts/long.bash'), long.join('\n\n'));
  const short = await warrant(directory, ['shell', 'check', '--scripts', '--summary', 'scripts']);
  expect(short.code).toBe(1);
  expect(short.out).toContain('3004 commands, 1 of them unknown (0.0 %)');
  expect(short.out).not.toContain('a.sh');
  const whole = await warrant(directory, ['shell', 'check', '--scripts', 'scripts/a.sh', 'scripts/deep']);
  expect(whole.out).toContain('2 scripts: 0 read, 1 write, 1 unknown');
  expect(whole.out).toContain('4 commands, 1 of them unknown (25.0 %)');
});

test('completion offers the commands of a group', async () => {
  const script = await warrant(folder(), ['completion', 'bash']);
  expect(script.out).toContain("'graph') COMPREPLY");
  expect(script.out).toContain('import');
});
