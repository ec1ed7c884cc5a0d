import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { project } from '../../test/claude-client.ts';
import { runWarrant } from '../../test/warrant.ts';

const common = { sessionId: 's', cwd: '/repo', uuid: 'u' };
const said = (...content: object[]) => ({ type: 'assistant', ...common, message: { role: 'assistant', content } });
const asked = (content: unknown, more: object = {}) => ({
  type: 'user',
  ...common,
  ...more,
  message: { role: 'user', content },
});
const call = (id: string, name: string, input: object) => said({ type: 'tool_use', id, name, input });
const result = (id: string, content: string) => asked([{ type: 'tool_result', tool_use_id: id, content }]);

const SESSION = [
  asked('Set the timeout.'),
  call('t1', 'Bash', { command: 'git status | head' }),
  result('t1', 'clean'),
  call('t2', 'mcp__mail__send', { to: 'a@b.c' }),
  result('t2', 'sent'),
  call('t3', 'Edit', { file_path: 'app.cfg', old_string: '5', new_string: '30' }),
  result('t3', 'ok'),
  call('t4', 'Bash', { command: 'rm -rf build' }),
  result('t4', ''),
  call('t5', 'Bash', { command: 'zed deploy' }),
  result('t5', `token ghp_${'a1B2'.repeat(9)}`),
  said({ type: 'text', text: 'I set the timeout to 30.' }),
  { ...call('k1', 'Bash', { command: 'frob now' }), isSidechain: true, agentId: 'a1' },
];

const BLOCK = `format: warrant.policy/1
policies:
  - { key: no-rm, source: delete, target: file, sourceDepth: 3, blockWhen: 'true', message: Nothing is deleted. }
`;
const ASK = BLOCK.replace('blockWhen', 'confirmWhen').replace('no-rm', 'ask-rm').replace('Nothing is', 'Something is');

function folder(lines: readonly (object | string)[] = SESSION): string {
  const directory = mkdtempSync(join(tmpdir(), 'warrant-replay-'));
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
  writeFileSync(join(directory, 'session.jsonl'), `${text}\n`);
  return directory;
}

type Report = {
  readonly calls: readonly {
    readonly id: string;
    readonly verdict: string;
    readonly why: readonly string[];
    readonly thread: string;
  }[];
  readonly counts: Record<string, number>;
  readonly unverified: readonly { readonly claim: string; readonly open: readonly string[] }[];
  readonly secrets: readonly { readonly id: string; readonly where: string }[];
  readonly gaps: readonly { readonly gap: string; readonly count: number }[];
  readonly damaged: readonly { readonly line: number; readonly why: string }[];
};

async function replay(directory: string, ...words: string[]): Promise<Report> {
  const { code, out, error } = await runWarrant(directory, ['replay', 'session.jsonl', '--json', ...words]);
  expect([code, error]).toEqual([0, '']);
  return JSON.parse(out) as Report;
}

describe('warrant replay', () => {
  it('says of each call what would have become of it, and touches nothing', async () => {
    const directory = folder();
    const report = await replay(directory);
    expect(report.calls.map(({ id, verdict }) => [id, verdict])).toEqual([
      ['t1', 'allowed'],
      ['t2', 'ungrounded'],
      ['t3', 'allowed'],
      ['t4', 'allowed'],
      ['t5', 'ungrounded'],
      ['k1', 'ungrounded'],
    ]);
    expect(report.calls.at(-1)?.thread).toBe('subagent a1');
    expect(report.counts).toEqual({ allowed: 3, 'would-ask': 0, 'would-block': 0, ungrounded: 3 });
    expect(report.unverified).toEqual([expect.objectContaining({ claim: 'completion' })]);
    expect(report.unverified[0]?.open).toContain('app.cfg');
    expect(report.secrets).toEqual([expect.objectContaining({ id: 't5', where: 'result', count: 1 })]);
    expect(report.gaps.map(({ gap }) => gap)).toContain("'zed': the program is not in the table");
    expect(readdirSync(directory)).toEqual(['session.jsonl']);
  });

  it('never prints a secret', async () => {
    const directory = folder();
    const { out } = await runWarrant(directory, ['replay', 'session.jsonl']);
    expect(out).toContain('Secrets in plain sight');
    expect(out).not.toContain('ghp_');
  });

  it('prints no secret of a command line or of what stood in the way either', async () => {
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    const directory = folder([asked('go'), call('t1', 'Bash', { command: `${secret} --token=${secret}` })]);
    for (const more of [[], ['--json']]) {
      const { out } = await runWarrant(directory, ['replay', 'session.jsonl', ...more]);
      expect(out).toContain('ungrounded');
      expect(out).not.toContain(secret);
    }
  });

  it('goes by the policies of a file, and compares two', async () => {
    const directory = folder();
    writeFileSync(join(directory, 'block.yaml'), BLOCK);
    writeFileSync(join(directory, 'ask.yaml'), ASK);
    const blocked = await replay(directory, '--policy', 'block.yaml');
    expect(blocked.calls[3]).toMatchObject({ verdict: 'would-block', why: ['no-rm: Nothing is deleted.'] });
    const compared = await runWarrant(directory, [
      'replay',
      'session.jsonl',
      '--policy',
      'block.yaml',
      '--compare',
      'ask.yaml',
    ]);
    expect(compared.out).toContain('before: would block, no-rm: Nothing is deleted.');
    expect(compared.out).toContain('after:  would ask, ask-rm: Something is deleted.');
    expect(compared.out).toContain('1 of 6 calls change their verdict');
  });

  it('skips a line that is nested too deep, and takes halves of characters for what they are', async () => {
    const deep = JSON.stringify(call('d1', 'mcp__a__b', { x: '@' })).replace(
      '"@"',
      `${'['.repeat(3000)}${']'.repeat(3000)}`,
    );
    const half = JSON.stringify(call('h1', 'Bash', { command: 'echo @' })).replace('@', '\\ud800');
    const report = await replay(folder([SESSION[0] as object, deep, half, ...SESSION.slice(1)]));
    expect(report.damaged).toMatchObject([{ line: 2, why: 'too-deep' }]);
    expect(report.calls.map(({ id }) => id)).toContain('h1');
    expect(report.calls).toHaveLength(7);
  });

  it('knows by the tools of a workspace what only looks, for claims too', async () => {
    const claude = '  tools: [{ match: mcp__cfg__get, concepts: [read, file], effect: read, targets: [/path] }]';
    const directory = await project({ claude });
    const lines = [
      asked('Look.'),
      call('t1', 'mcp__cfg__get', { path: 'app.cfg' }),
      result('t1', 'timeout=30'),
      said({ type: 'text', text: 'The timeout in app.cfg is 30.' }),
    ];
    writeFileSync(join(directory, 'session.jsonl'), lines.map((line) => JSON.stringify(line)).join('\n'));
    expect((await replay(directory)).unverified).toHaveLength(1);
    expect((await replay(directory, '--workspace', '.')).unverified).toEqual([]);
  });

  it('goes by a workspace, or by a graph of its own', async () => {
    const directory = await project({ policies: BLOCK });
    writeFileSync(join(directory, 'session.jsonl'), SESSION.map((line) => JSON.stringify(line)).join('\n'));
    expect((await replay(directory, '--workspace', '.')).calls[3]?.verdict).toBe('would-block');
    writeFileSync(
      join(directory, 'mail.yaml'),
      'format: warrant.graph/1\nname: m\nconcepts:\n  mcp__mail__send:\n    existence: It sends mail.\n    identity: A tool.\n',
    );
    const own = await replay(directory, '--graph', 'mail.yaml');
    expect(own.calls.slice(0, 2).map(({ verdict }) => verdict)).toEqual(['ungrounded', 'allowed']);
  });

  it('reports a damaged line and goes on, whatever stands in the file', async () => {
    const damaged = folder([SESSION[0] as object, '{"torn', ...SESSION.slice(1, 3), '\u0000', 'null', '[]']);
    const report = await replay(damaged);
    expect(report.calls).toHaveLength(1);
    expect(report.damaged.map(({ line }) => line)).toEqual([2, 5, 6]);
    for (const lines of [[''], ['x'], ['{}'], ['null'], ['[1,2'], [{ type: 'user', message: 7 }]]) {
      expect((await runWarrant(folder(lines), ['replay', 'session.jsonl'])).code).toBe(3);
    }
    expect(await runWarrant(folder(), ['replay', 'nowhere.jsonl'])).toMatchObject({ code: 2 });
  });

  it('reads neutral traces and lists of messages too', async () => {
    const neutral = folder([
      { type: 'user', text: 'go' },
      { type: 'call', id: '1', tool: 'Bash', arguments: { command: 'rm x' }, result: '' },
      { type: 'message', text: 'I removed x.' },
    ]);
    expect((await replay(neutral)).unverified).toHaveLength(1);
    const messages = [
      { role: 'user', content: 'go' },
      { role: 'assistant', content: [{ type: 'tool_use', id: '1', name: 'Read', input: { file_path: 'a' } }] },
    ];
    const list = folder([JSON.stringify(messages, null, 2)]);
    expect((await replay(list)).calls.map(({ verdict }) => verdict)).toEqual(['allowed']);
  });

  it('judges thousands of calls without holding them against each other', async () => {
    const calls = process.env['WARRANT_SOAK'] === undefined ? 1_000 : 10_000;
    const many = Array.from({ length: calls }, (_, index) => [
      call(`t${index}`, 'Bash', { command: `ls -la d${index} && grep -n x file${index}.ts | head` }),
      result(`t${index}`, 'some output\n'.repeat(20)),
    ]).flat();
    const report = await replay(folder([asked('go'), ...many]));
    expect(report.counts['allowed']).toBe(calls);
  });
});

describe('drafts from recorded sessions', () => {
  it('have a concept for each gap, the most frequent first, and nothing that counts yet', async () => {
    const more = ['t8', 't9'].map((id) => call(id, 'mcp__mail__send', { to: 'x@y.z' }));
    const directory = folder([...SESSION, ...more]);
    const { code, out } = await runWarrant(directory, ['graph', 'draft', 'session.jsonl']);
    expect(code).toBe(0);
    expect(out.split('\n').filter((line) => /^ {2}# \S+:$/.test(line))).toEqual([
      '  # mcp__mail__send:',
      '  # unknown-command:',
    ]);
    expect(out).toContain('# -- missed 3 times, not known at all');
    expect(readdirSync(directory)).toEqual(['session.jsonl']);
    const seen = await runWarrant(folder([asked('go'), call('t1', 'Read', { file_path: 'a' })]), [
      'graph',
      'draft',
      'session.jsonl',
    ]);
    expect(seen).toMatchObject({ code: 3, out: expect.stringContaining('nothing to draft') });
  });

  it('have a policy for what calls changed and none for what they looked at, and hold once a person took them', async () => {
    const directory = folder([...SESSION, call('t6', 'Bash', { command: 'rm b' }), call('t7', 'LS', { path: '.' })]);
    const told = await runWarrant(directory, ['policy', 'draft', 'session.jsonl', '-o', 'draft.yaml']);
    expect(told).toMatchObject({ code: 0, out: expect.stringContaining('none counts yet') });
    const draft = readFileSync(join(directory, 'draft.yaml'), 'utf8');
    const keys = [...draft.matchAll(/# - key: (\S+)/g)].map(([, key]) => key);
    expect(keys.slice(0, 1)).toEqual(['delete-file']);
    expect(keys).toContain('modify-file');
    expect(keys.filter((key) => key?.startsWith('read-') === true || key === 'list-directory')).toEqual([]);
    expect(draft).toContain('# -- 2 calls, such as Bash rm -rf build');
    const untouched = await replay(directory, '--policy', 'draft.yaml');
    expect(untouched.counts['would-ask']).toBe(0);
    const taken = draft.replace('policies: []', 'policies:').replaceAll(/^ {2}# (?!--)/gm, '  ');
    writeFileSync(join(directory, 'draft.yaml'), taken);
    const asks = (await replay(directory, '--policy', 'draft.yaml')).calls.filter(
      ({ verdict }) => verdict === 'would-ask',
    );
    expect(asks.map(({ id }) => id)).toEqual(['t3', 't4', 't6']);
    const looks = folder([asked('go'), call('t1', 'Read', { file_path: 'a' })]);
    expect(await runWarrant(looks, ['policy', 'draft', 'session.jsonl'])).toMatchObject({ code: 3 });
  });
});
