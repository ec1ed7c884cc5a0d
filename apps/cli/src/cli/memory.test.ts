import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openMemory } from '@warrant/memory/sqlite';
import { openWorkspace } from '@warrant/workspace';
import { expect, test } from 'vitest';
import { runWarrant } from '../../test/warrant.ts';

const folder = (): string => mkdtempSync(join(tmpdir(), 'warrant-cli-'));
const memory = (directory: string, ...words: readonly string[]) => runWarrant(directory, ['memory', ...words]);

test('adds, gets, searches, explains and lists, as a person', async () => {
  const directory = folder();
  expect(await memory(directory, 'list')).toMatchObject({ code: 3, error: expect.stringContaining('no memory') });
  expect(existsSync(join(directory, '.warrant'))).toBe(false);
  const added = await memory(directory, 'add', 'memory/working/style', 'prefer bullet points', '--json');
  expect(JSON.parse(added.out)).toMatchObject({
    type: 'stored',
    record: { origin: 'human-approved', agent: 'person' },
  });
  await memory(directory, 'add', 'memory/working/plan', '{"ship":"May"}', '--json-value', '--on-behalf-of', 'planner');
  expect(await memory(directory, 'get', 'memory/working/style')).toMatchObject({
    code: 0,
    out: 'prefer bullet points\n',
  });
  expect((await memory(directory, 'get', 'memory/working/none')).code).toBe(3);
  expect((await memory(directory, 'get', 'memory/working/style', '--at', '2020-01-01T00:00:00Z')).code).toBe(3);
  expect((await memory(directory, 'search', 'which', 'bullets?')).out).toContain('memory/working/style');
  expect((await memory(directory, 'search', 'zebra')).code).toBe(3);
  expect((await memory(directory, 'search', 'bullets', '--agent', 'stranger')).code).toBe(3);
  expect((await memory(directory, 'explain', 'bullets')).out).toMatch(/text 0\.\d+ .*\nnothing was dropped/);
  expect((await memory(directory, 'list')).out).toContain('{"ship":"May"}');
  expect((await memory(directory, 'list', '--agent', 'planner')).out).not.toContain('bullet');
  expect((await memory(directory, 'add', 'memory/../x', 'v')).code).toBe(1);
  expect((await memory(directory, 'add', 'memory/x', '{', '--json-value')).code).toBe(2);
});

test('explains who may write where, by the permission file beside the memory', async () => {
  const directory = folder();
  mkdirSync(join(directory, '.warrant/memory'), { recursive: true });
  writeFileSync(
    join(directory, '.warrant/memory/permissions.yaml'),
    'default_policy: deny\nagents:\n  a:\n    can_write: ["memory/team/"]\n',
  );
  await memory(directory, 'add', 'memory/team/x', 'v');
  const allowed = await memory(directory, 'explain', 'memory/team/y', '--access', 'write', '--agent', 'a');
  expect(allowed).toMatchObject({ code: 0, out: expect.stringContaining('the rule memory/team/ decided') });
  expect((await memory(directory, 'explain', 'skills/y', '--access', 'write', '--agent', 'a')).code).toBe(1);
  writeFileSync(join(directory, '.warrant/memory/permissions.yaml'), 'default_policy: DENY\n');
  expect((await memory(directory, 'list')).code).toBe(2);
});

test('imports as what a provider says, exports everything, forgets somebody', async () => {
  const directory = folder();
  writeFileSync(join(directory, 'CLAUDE.md'), '# Build\nrun make\n');
  writeFileSync(join(directory, 'm.json'), '{"results":[{"id":"1","memory":"likes tea","user_id":"kim"},{"id":"2"}]}');
  expect(await memory(directory, 'import', 'CLAUDE.md')).toMatchObject({
    code: 0,
    out: expect.stringContaining('1 stored'),
  });
  expect(await memory(directory, 'import', 'CLAUDE.md')).toMatchObject({
    code: 0,
    out: expect.stringContaining('1 were there'),
  });
  expect(await memory(directory, 'import', 'm.json')).toMatchObject({
    code: 1,
    out: expect.stringContaining('m.json#1: it has no text'),
  });
  expect((await memory(directory, 'import', 'nothing.json')).code).toBe(2);
  writeFileSync(join(directory, 'x.bin'), '');
  expect((await memory(directory, 'import', 'x.bin')).code).toBe(2);
  expect((await memory(directory, 'list')).out).toContain('provider-ingested by mem0');
  const printed = await memory(directory, 'export');
  expect(printed.out.split('\n')[0]).toContain('warrant-memory');
  expect((await memory(directory, 'export', '-o', 'e.jsonl')).code).toBe(0);
  expect((await memory(directory, 'export', '-o', 'e.jsonl')).code).toBe(2);
  expect(readFileSync(join(directory, 'e.jsonl'), 'utf8').split('\n').slice(1)).toEqual(
    printed.out.split('\n').slice(1),
  );
  expect((await memory(directory, 'forget', 'kim')).code).toBe(2);
  const forgotten = await memory(directory, 'forget', 'kim', '--yes');
  expect(forgotten).toMatchObject({
    code: 0,
    out: expect.stringMatching(/erased: 1 .*\n(?:.*\n)*not covered: plain exports/),
  });
  expect((await memory(directory, 'list')).out).not.toContain('tea');
});

test('shows conflicts and counts, sweeps, and finds parts that disagree', async () => {
  const directory = folder();
  const opened = openMemory({ folder: join(directory, '.warrant/memory'), resolution: 'record-only' });
  await opened.agent('a').write({ key: 'memory/k', value: 'one', confidence: 0.05 });
  await opened.agent('a').write({ key: 'memory/k', value: 'two' });
  await opened.human('h').write({ key: 'skills/deploy', value: 'x' });
  await opened.close();
  expect((await memory(directory, 'conflicts')).out).toMatch(/temporal .* against .*: open/);
  expect((await memory(directory, 'stats')).out).toContain(
    '3 records, 0 archived, 1 of low confidence\n1 open conflicts',
  );
  expect(JSON.parse((await memory(directory, 'stats', '--json')).out)).toMatchObject({
    agents: [{ agent: 'a', current: 2 }, { agent: 'h' }],
  });
  expect((await memory(directory, 'sweep', '--threshold', '2')).code).toBe(2);
  expect((await memory(directory, 'sweep')).out).toContain('archived 0 expired, 1 decayed, 0 stale');
  expect((await memory(directory, 'skills')).code).toBe(0);
  expect((await memory(directory, 'skills', 'nothing')).code).toBe(3);
  expect(await memory(directory, 'doctor')).toMatchObject({
    code: 0,
    out: expect.stringContaining('all parts of the memory agree'),
  });
  expect((await memory(directory, 'review')).code).toBe(3);
});

test('what an agent asked for waits in the workspace, and a person decides', async () => {
  const directory = folder();
  await runWarrant(directory, ['init']);
  await memory(directory, 'add', 'memory/k', 'human words', '--on-behalf-of', 'a');
  const workspace = await openWorkspace({ directory, create: false });
  const opened = await workspace.memory();
  const asked = await opened.agent('a').write({ key: 'memory/k', value: 'better words' });
  await opened.human('lee', { onBehalfOf: 'a' }).write({ key: 'memory/other', value: 'human words' });
  const other = await opened.agent('a').write({ key: 'memory/other', value: 'better words' });
  await workspace.close();
  const id = asked.type === 'proposed' ? asked.proposalId : '';
  expect((await memory(directory, 'review')).out).toContain(`${id}  memory.write  by a`);
  expect((await memory(directory, 'review', '--approve', id, '--as', 'a')).code).toBe(1);
  expect((await memory(directory, 'get', 'memory/k')).out).toBe('human words\n');
  expect((await memory(directory, 'review', '--approve', id, '--as', 'kim')).code).toBe(0);
  expect((await memory(directory, 'get', 'memory/k')).out).toBe('better words\n');
  const second = other.type === 'proposed' ? other.proposalId : '';
  expect((await runWarrant(directory, ['review', 'approve', second])).code).toBe(0);
  expect((await memory(directory, 'get', 'memory/other')).out).toBe('better words\n');
  expect((await memory(directory, 'review')).out).toBe('Nothing waits.\n');
});

test('a memory that lies elsewhere has no part in the queue of the workspace', async () => {
  const directory = folder();
  await runWarrant(directory, ['init']);
  const elsewhere = join(directory, 'elsewhere');
  await memory(directory, 'add', 'memory/k', 'words', '--memory', elsewhere);
  await memory(directory, 'add', 'memory/l', 'words', '--memory', elsewhere);
  const asked = await memory(directory, 'doctor', '--propose', '--memory', elsewhere);
  expect(asked.out).not.toContain('asked as');
  expect((await memory(directory, 'review', '--memory', elsewhere)).code).toBe(3);
});
