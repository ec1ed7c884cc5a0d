import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { DELETE, ENTITY, folder, json, orchard, RELATION, REPOSITORY, RULES, review } from '../../test/review-call.ts';
import { runCommandLine } from './run.ts';
import { table } from './table.ts';

test('pending lists what waits, with the rule, also for what was filed before there was one', async () => {
  const plain = await review(orchard(), ['pending']);
  expect(plain.code).toBe(0);
  expect(plain.out.split('\n')).toHaveLength(5);
  expect(plain.out).toContain(`${ENTITY}  entity  scribe-agent\n`);
  const ruled = await review(orchard(RULES), ['pending', '--show-rule']);
  expect(ruled.out).toContain(`${ENTITY}  entity  scribe-agent  tools  (judged now)\n`);
  expect(ruled.out).toContain(`${DELETE}  delete  scribe-agent  (default)  (judged now)\n`);
  const rows = json(await review(orchard(RULES), ['pending', '--show-rule', '--json']));
  expect(rows).toContainEqual(expect.objectContaining({ id: ENTITY, policy_rule: 'tools', judged_now: true }));
});

test('a knowledge base is found above, and named by --kb with or without its folder name', async () => {
  const directory = orchard();
  mkdirSync(join(directory, 'deep/er'), { recursive: true });
  const list = (await review(directory, ['pending'])).out;
  expect((await review(join(directory, 'deep/er'), ['pending'])).out).toBe(list);
  expect((await review(folder(), ['pending', '--kb', directory])).out).toBe(list);
  expect((await review(folder(), ['pending', '--kb', join(directory, '.vouch')])).out).toBe(list);
  expect(await review(folder(), ['pending', '--kb', 'nowhere'])).toMatchObject({
    code: 2,
    error: expect.stringContaining('REVIEW_FOLDER_INVALID'),
  });
});

test('show gives rule, rationale, evidence and the change, in colour where the terminal has it', async () => {
  const directory = orchard();
  const shown = await review(directory, ['show', DELETE]);
  expect(shown).toMatchObject({ code: 0, out: expect.stringContaining('rationale: wrong owner') });
  expect(shown.out).toContain('- relation: owned_by\n');
  expect(shown.out).toContain('evidence: none\n');
  expect((await review(directory, ['show', ENTITY], { colour: true })).out).toContain('\u001b[32m+ name: Side table');
  expect(json(await review(directory, ['show', ENTITY, '--json']))).toMatchObject({
    proposal: { id: ENTITY },
    changes: [{ kind: 'entity', id: 'side-table', before: null, after: { name: 'Side table' } }],
  });
  expect((await review(directory, ['show', 'nothing'])).code).toBe(3);
});

test('evidence is named by what it is, or as not there', async () => {
  const directory = orchard();
  const source = readdirSync(join(directory, '.vouch/sources'))[0] as string;
  const claim = { kind: 'claim', payload: { id: 'c', text: 't', type: 'fact', evidence: [source, 'gone'] } };
  writeFileSync(join(directory, 'p.jsonl'), JSON.stringify(claim));
  const filed = await review(directory, ['batch', 'p.jsonl', '--json'], { as: 'scribe' });
  const [decision] = json(filed) as readonly { readonly proposalId: string }[];
  const shown = await review(directory, ['show', decision?.proposalId ?? '']);
  expect(shown.out).toMatch(new RegExp(`${source} {2}jobs\\.md, notes/jobs\\.md`));
  expect(shown.out).toContain('gone  NOT THERE');
  expect(shown.out).toContain('cannot land now: evidence names what is not there');
  expect(await review(directory, ['approve', decision?.proposalId ?? ''])).toMatchObject({ code: 1 });
});

test('approve lands, reject needs a reason, and neither counts twice', async () => {
  const directory = orchard();
  expect(await review(directory, ['approve', ENTITY])).toMatchObject({ code: 0, out: `${ENTITY}: approved\n` });
  expect(existsSync(join(directory, '.vouch/entities/side-table.yaml'))).toBe(true);
  const decided = readFileSync(join(directory, `.vouch/decided/${ENTITY}.yaml`), 'utf8');
  expect(decided).toContain('decided_by: mira');
  expect((await review(directory, ['approve', ENTITY])).code).toBe(1);
  expect((await review(directory, ['reject', RELATION])).code).toBe(2);
  expect((await review(directory, ['reject', RELATION, '--reason', 'no'])).out).toBe(`${RELATION}: rejected\n`);
  expect((await review(directory, ['approve', 'nothing', DELETE])).code).toBe(3);
  expect(existsSync(join(directory, '.vouch/relations/importer-owned-by-platform-team.yaml'))).toBe(false);
  expect(json(await review(directory, ['status', '--json']))).toMatchObject({ pending: 1, audit: { ok: true } });
});

test('nobody approves their own, and a vote for another content does not count', async () => {
  const directory = orchard(RULES);
  expect(await review(directory, ['approve', ENTITY, '--as', 'scribe-agent'])).toMatchObject({
    code: 1,
    out: expect.stringContaining('nobody approves their own proposal'),
  });
  const seen = `sha256:${'0'.repeat(64)}`;
  expect((await review(directory, ['approve', ENTITY, '--seen', seen])).out).toContain(
    'not the one that was looked at',
  );
  const [view] = json(await review(directory, ['--json'])) as readonly {
    readonly decision: { readonly type: string };
  }[];
  expect(view?.decision.type).toBe('queued');
});

test('batch lands, queues and refuses each for itself, and speaks for nobody else', async () => {
  const directory = orchard(RULES);
  const entity = (id: string): object => ({ kind: 'entity', payload: { id, name: id, type: 'tool' } });
  const weak = { kind: 'relation', payload: { id: 'r', source: 'a', relation: 'uses', target: 'b', confidence: 0.1 } };
  writeFileSync(join(directory, 'p.jsonl'), [entity('x'), weak].map((one) => JSON.stringify(one)).join('\n'));
  const dry = await review(directory, ['batch', 'p.jsonl', '--dry-run']);
  expect(dry).toMatchObject({
    code: 1,
    out: expect.stringMatching(/would approve \(tools\).*would refuse \(no-guesses\)/s),
  });
  expect(existsSync(join(directory, '.vouch/entities/x.yaml'))).toBe(false);
  const filed = await review(directory, ['batch', 'p.jsonl']);
  expect(filed).toMatchObject({
    code: 1,
    out: expect.stringMatching(/approved \(tools\).*blocked \(no-guesses\): Too weak\./s),
  });
  expect(existsSync(join(directory, '.vouch/entities/x.yaml'))).toBe(true);
  writeFileSync(join(directory, 'q.yaml'), JSON.stringify([entity('y'), { ...entity('z'), proposed_by: 'boss' }]));
  expect((await review(directory, ['batch', 'q.yaml'])).code).toBe(2);
  expect(existsSync(join(directory, '.vouch/entities/y.yaml'))).toBe(false);
});

test('the interactive review goes from one to the next: approve, reject, skip, quit', async () => {
  const directory = orchard();
  const ran = await review(directory, [], { typed: ['what', 's', 'r', '', 'r', 'doubtful', 'a', 'q'] });
  expect(ran.code).toBe(0);
  expect(ran.out).toMatch(/1 of 4\n.*2 of 4\n.*rejected.*3 of 4\n.*approved.*4 of 4\n/s);
  expect(json(await review(directory, ['pending', '--json']))).toMatchObject([{ id: RELATION }, { id: ENTITY }]);
  expect((await review(directory, [], { typed: [] })).code).toBe(0);
  expect(await review(directory, ['frobnicate'])).toMatchObject({
    code: 2,
    error: expect.stringContaining('review approve'),
  });
});

test("without a knowledge base it is the workspace's queue", async () => {
  const directory = folder();
  const silent = { directory, environment: {}, interactive: false, colour: false, columns: 100 };
  const io = {
    write: () => undefined,
    writeError: () => undefined,
    ask: () => Promise.resolve(null),
    readInput: () => Promise.resolve(''),
  };
  await runCommandLine(['init'], table, { ...silent, ...io });
  expect((await review(directory, ['pending'])).out).toBe('Nothing waits.\n');
  writeFileSync(
    join(directory, 'p.yaml'),
    JSON.stringify([{ kind: 'entity', payload: { id: 'x', name: 'x', type: 'tool' } }]),
  );
  expect(await review(directory, ['batch', 'p.yaml', '--as', 'scribe'])).toMatchObject({ code: 0 });
  const [row] = json(await review(directory, ['pending', '--json'])) as readonly { readonly id: string }[];
  expect((await review(directory, ['show', row?.id ?? ''])).out).toContain('+ name: x\n');
  expect((await review(directory, ['approve', row?.id ?? ''])).code).toBe(0);
  expect(json(await review(directory, ['status', '--json']))).toMatchObject({
    approved: 1,
    pending: 0,
    policy: 'none',
  });
});

test('serve answers over standard input as the agent that the environment names', async () => {
  const directory = orchard(RULES);
  const main = resolve(import.meta.dirname, '../bin/warrant.ts');
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', '--conditions=@warrant/source', main, 'review', 'serve', '--jsonl', '--kb', directory],
    {
      cwd: REPOSITORY,
      env: { ...process.env, VOUCH_AGENT: 'scribe' },
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  child.stdin.end(
    [
      { id: 1, method: 'kb.propose_entity', params: { id: 'crane', name: 'Crane', type: 'tool' } },
      {
        id: 2,
        method: 'propose_relation',
        params: { id: 'r', source: 'a', relation: 'uses', target: 'b', confidence: 0.1 },
      },
    ]
      .map((request) => `${JSON.stringify(request)}\n`)
      .join(''),
  );
  let out = '';
  for await (const chunk of child.stdout) out += String(chunk);
  const answers = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as object);
  expect(answers).toMatchObject([
    { id: 1, ok: true, result: { status: 'approved', policy_rule: 'tools' } },
    { id: 2, ok: false, error: { code: 'policy_blocked', rule: 'no-guesses', reason: 'Too weak.' } },
  ]);
  const log = readFileSync(join(directory, '.vouch/audit.log.jsonl'), 'utf8');
  expect(log).toMatch(/"actor":"scribe"[^\n]*"event":"proposal\.entity\.create"/);
  expect((await review(directory, ['serve'])).code).toBe(2);
});
