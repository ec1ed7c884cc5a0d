import {
  createVirtualClock,
  type Json,
  type Proposal,
  type ProposalKind,
  type ReviewDecision,
  type ToolFailure,
} from '@warrant/core';
import { createMemoryGraphStore } from '@warrant/graph';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createGrounder, listLearned, unlearn } from '../index.ts';
import {
  FAILURE_CATALOGUE,
  type FailureEntry,
  failureFacts,
  failureProposalId,
  failureProposalKind,
  failureProposer,
  lintFailureCatalogue,
  proposeFromFailure,
} from './index.ts';

const call = (tool = 'create_file') => ({ id: 'c', tool, arguments: {} });
const failed = (result: Json) => ({ outcome: 'error' as const, result });
const done = (result: Json) => ({ outcome: 'ok' as const, result });

function found(observation: Parameters<typeof proposeFromFailure>[1], concepts: readonly string[], tool?: string) {
  const finding = proposeFromFailure(call(tool), observation, concepts);
  if (finding.type !== 'proposal') return finding.type;
  const { source, sourceDepth, relation, target, targetDepth } = finding.edge;
  return `${finding.entry}: ${source}@${sourceDepth} ${relation} ${target}@${targetDepth}`;
}

describe('a mechanical failure reveals a constraint', () => {
  it.each<[Json, string, string]>([
    [
      { name: 'Error', code: 'EACCES', message: "EACCES: permission denied, open '/x'" },
      'create file',
      'permission-denied: create@3 constrained-by permission@3',
    ],
    [{ message: 'EROFS: read-only file system' }, 'file write', 'read-only: write@3 constrained-by filesystem@3'],
    [{ code: 'ENOSPC' }, 'copy file', 'no-space: copy@3 constrained-by filesystem@3'],
    [{ code: 'ENOENT' }, 'read file', 'no-such-path: read@3 requires path@3'],
    [{ code: 'ENOTEMPTY' }, 'delete directory', 'not-empty: delete@3 constrained-by directory@3'],
    [{ exitCode: 127, stderr: 'sh: 1: frob: not found' }, 'run command', 'command-missing: run@3 requires command@2'],
    [{ code: 126 }, 'command run', 'command-not-executable: run@3 constrained-by permission@3'],
    [
      { stderr: ' ! [rejected] main -> main (non-fast-forward)' },
      'repository push',
      'git-rejected: push@3 constrained-by history@3',
    ],
    [
      { stderr: 'CONFLICT (content): Merge conflict in a.txt' },
      'merge',
      'git-conflict: merge@3 constrained-by conflict@2',
    ],
    [
      { stderr: 'fatal: not a git repository' },
      'save_commit',
      'git-no-repository: save_commit@3 requires repository@1',
    ],
    [
      { stderr: 'git@x: Permission denied (publickey).' },
      'push remote',
      'host-key: push@3 constrained-by credential@3',
    ],
    [{ code: 'ECONNREFUSED' }, 'get_resource', 'not-connected: get_resource@3 depends-on network_connection@3'],
    [
      { message: 'Request failed with status code 403' },
      'post_resource',
      'http-not-let-in: post_resource@3 constrained-by access_token@3',
    ],
    [
      { message: 'duplicate key', code: '23505' },
      'row insert_rows',
      'sql-integrity: insert_rows@3 constrained-by integrity_rule@3',
    ],
    [
      { message: 'ERROR: permission denied for table t (SQLSTATE 42501)' },
      'drop_table',
      'permission-said: drop_table@3 constrained-by permission@3',
    ],
    [
      'Traceback (most recent call last):\n  File "a.py"\nPermissionError: [Errno 13]',
      'write',
      'python-permission: write@3 constrained-by permission@3',
    ],
    ["Error: Cannot find module 'x'", 'run', 'node-module: run@3 requires environment_variable@3'],
  ])('%j of %s', (result, concepts, expected) => {
    expect(found(failed(result), concepts.split(' '))).toBe(expected);
  });

  it('also where the tool itself gave back the failure as a result', () => {
    expect(found(done({ status: 429, body: 'slow down' }), ['get_resource'])).toContain('rate_limit');
    expect(found(done({ exitCode: 1, stderr: 'cp: cannot create: Permission denied' }), ['copy'])).toContain(
      'permission',
    );
    expect(found(done({ isError: true, content: [{ type: 'text', text: 'EACCES' }] }), ['create'])).toContain(
      'permission',
    );
    expect(found(done({ ok: false, error: 'No such file or directory' }), ['read'])).toContain('path');
  });

  it('but not where the tool succeeded, whatever it printed', () => {
    for (const result of [
      { exitCode: 0, stderr: 'warning: permission denied on one entry' },
      { status: 200, body: 'EACCES' },
      'EACCES: permission denied',
      null,
      { message: 'no such file or directory' },
    ])
      expect(found(done(result as Json), ['create'])).toBe('no-failure');
  });

  it('and says so when no entry knows it, or nothing was checked', () => {
    expect(found(failed({ message: 'something odd' }), ['create'])).toBe('unknown-failure');
    expect(found(failed({ code: 'EACCES' }), [])).toBe('unknown-failure');
    expect(found(failed({ code: 'EACCES' }), ['Permission'])).toBe('unknown-failure');
  });

  it('takes the first concept where none is an act of the entry, and never its target', () => {
    expect(found(failed({ code: 'EACCES' }), ['permission', 'archive'])).toContain('archive@3');
  });

  it('has the observation as evidence, and one id for one edge in any spelling', () => {
    const finding = proposeFromFailure(call(), failed({ code: 'EACCES' }), ['create']);
    if (finding.type !== 'proposal') throw new Error('nothing was found');
    expect(finding.evidence).toMatch(/^sha256:/);
    expect(failureProposalId({ ...finding.edge, source: 'CREATE' })).toBe(finding.id);
    expect(failureProposalId({ ...finding.edge, targetDepth: 2 })).not.toBe(finding.id);
  });

  it('never throws, and never takes long, for any result', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom('ok' as const, 'error' as const), (result, outcome) => {
        proposeFromFailure(call(), { outcome, result: result as Json }, ['create']);
      }),
    );
    const long = 'conflict ('.repeat(20_000);
    expect(failureFacts(failed(long)).text.length).toBeLessThanOrEqual(65_536);
    expect(found(failed(long), ['merge'])).toBe('unknown-failure');
  });
});

describe('the catalogue', () => {
  it('has nothing that lint finds', () => {
    expect(lintFailureCatalogue(FAILURE_CATALOGUE)).toEqual([]);
  });

  const entry = (key: string, when: FailureEntry['when']): FailureEntry => ({
    key,
    when,
    relation: 'requires',
    target: 'path',
    targetDepth: 1,
    text: '',
  });

  it.each<[string, readonly FailureEntry[], readonly string[]]>([
    [
      'an earlier wider list',
      [entry('a', { errno: ['EACCES', 'EPERM'] }), entry('b', { errno: ['EPERM'] })],
      ['failures.shadowed b'],
    ],
    [
      'a pattern inside of another',
      [entry('a', { says: ['denied'] }), entry('b', { says: ['Permission denied'] })],
      ['failures.shadowed b'],
    ],
    [
      'a pattern with a star',
      [entry('a', { says: ['not*found'] }), entry('b', { says: ['not ever*found here'] })],
      ['failures.shadowed b'],
    ],
    [
      'fewer signs',
      [entry('a', { http: [404] }), entry('b', { http: [404], tool: ['fetch'] })],
      ['failures.shadowed b'],
    ],
    [
      'a wider tool',
      [entry('a', { http: [404], tool: ['get*'] }), entry('b', { http: [404], tool: ['get_x'] })],
      ['failures.shadowed b'],
    ],
    ['more signs come first', [entry('a', { http: [404], tool: ['fetch'] }), entry('b', { http: [404] })], []],
    [
      'lists that only overlap',
      [entry('a', { errno: ['EPERM'] }), entry('b', { errno: ['EPERM', 'EACCES'] })],
      ['failures.shadowed-sign b'],
    ],
    ['other signs', [entry('a', { errno: ['EPERM'] }), entry('b', { exitCode: [1] })], []],
    ['no signs', [entry('a', {}), entry('b', { http: [404] })], ['failures.no-signs a', 'failures.shadowed b']],
    ['the same key', [entry('a', { http: [1] }), entry('a', { http: [2] })], ['failures.duplicate-key a']],
    [
      'one pattern of several',
      [entry('a', { says: ['denied'] }), entry('b', { says: ['Permission denied', 'no key'] })],
      ['failures.shadowed-sign b'],
    ],
    [
      'all patterns, by several earlier entries',
      [entry('a', { errno: ['EPERM'] }), entry('b', { errno: ['EACCES'] }), entry('c', { errno: ['EACCES', 'EPERM'] })],
      ['failures.shadowed-sign c', 'failures.shadowed-sign c'],
    ],
    [
      'no pattern, where the earlier entry wants more',
      [entry('a', { says: ['denied'], tool: ['ssh'] }), entry('b', { says: ['denied', 'no key'] })],
      [],
    ],
    ['an empty pattern', [entry('a', { says: ['*'] })], ['failures.empty-pattern a']],
    ['an act that is its target', [{ ...entry('a', { http: [404] }), acts: ['path'] }], ['failures.self-edge a']],
  ])('is linted: %s', (_, catalogue, expected) => {
    expect(lintFailureCatalogue(catalogue).map(({ code, key }) => `${code} ${key}`)).toEqual(expected);
  });
});

/** A queue that decides nothing by itself. */
function reviewerOf(kind: ProposalKind) {
  const filed = new Map<string, { proposal: Proposal; decision: Partial<ReviewDecision> }>();
  return {
    filed,
    register: () => undefined,
    file: async (proposal: Proposal) => {
      const reasons = await kind.check(proposal.payload);
      const decision = { type: reasons.length > 0 ? ('invalid' as const) : ('queued' as const), reasons };
      if (reasons.length === 0) filed.set(proposal.id, { proposal, decision });
      return decision as never;
    },
    status: async (id: string) => filed.get(id)?.decision as never,
    decide: () => Promise.reject(new Error('nobody decides here')),
    list: () => [] as never,
  };
}

describe('learning from failures', () => {
  const by = { source: 'authored', at: '2026-01-01T00:00:00.000Z' } as const;
  const level = (at: 0 | 1 | 2 | 3) => ({ level: at, properties: { text: `D${at}` }, relata: [], provenance: by });

  async function setUp() {
    const graph = createMemoryGraphStore();
    const concept = (name: string, ...levels: readonly (0 | 1 | 2 | 3)[]) =>
      ({ type: 'put-primitive', primitive: { id: name, name, depths: levels.map(level), provenance: by } }) as const;
    await graph.apply([concept('create', 0, 1, 2, 3), concept('archive', 0, 1), concept('permission', 0, 1, 2)], {
      id: 'seed',
      expected: 'any',
    });
    const kind = failureProposalKind({ graph, clock: createVirtualClock() });
    const reviewer = reviewerOf(kind);
    const look = failureProposer({ reviewer, graph, proposedBy: 'agent' });
    const failure = (concepts: readonly string[]): ToolFailure => ({
      call: call(),
      observation: failed({ code: 'EACCES' }),
      concepts,
    });
    const approve = async (id: string) => kind.apply(reviewer.filed.get(id)?.proposal as Proposal);
    return { graph, kind, reviewer, look, failure, approve, grounder: createGrounder({ graph }) };
  }

  it('files an edge once, counts the rest, and learns nothing by itself', async () => {
    const { look, failure, reviewer, graph } = await setUp();
    const version = await graph.version();
    const first = await look(failure(['create', 'file']));
    expect(first).toMatchObject({ type: 'filed', edge: { source: 'create', target: 'permission' }, count: 1 });
    expect(await look(failure(['file', 'CREATE']))).toMatchObject({ type: 'counted', count: 2 });
    expect(reviewer.filed.size).toBe(1);
    const [proposal] = [...reviewer.filed.values()];
    expect(proposal?.proposal).toMatchObject({
      kind: 'failure',
      payload: { tool: 'create_file', entry: 'permission-denied' },
    });
    expect(await graph.version()).toEqual(version);
    expect([...look.counts().values()]).toEqual([2]);
  });

  it('only counts what was rejected', async () => {
    const { look, failure, reviewer } = await setUp();
    const first = await look(failure(['create']));
    if (first.type !== 'filed') throw new Error('not filed');
    const entry = reviewer.filed.get(first.proposalId);
    if (entry !== undefined) entry.decision = { type: 'rejected' };
    expect(await look(failure(['create']))).toMatchObject({ type: 'counted', count: 2 });
  });

  it('shows the constraint and its gap at the next check, and is taken back like all learning', async () => {
    const { look, failure, approve, grounder, graph } = await setUp();
    expect((await grounder.check({ concepts: ['create'] })).grounded).toBe(true);
    const filed = await look(failure(['create']));
    if (filed.type !== 'filed') throw new Error('not filed');
    expect(await approve(filed.proposalId)).toMatchObject({ type: 'applied' });
    expect((await grounder.check({ concepts: ['create'] })).gaps).toMatchObject([
      { type: 'relational', source: 'create', target: 'permission', required: 3, current: 2 },
    ]);
    expect(await listLearned(graph)).toMatchObject([{ type: 'relatum', proposalId: filed.proposalId }]);
    expect(await approve(filed.proposalId)).toMatchObject({ type: 'applied' });
    expect(await look(failure(['create']))).toMatchObject({ type: 'known' });
    expect((await unlearn(graph, filed.proposalId)).type).toBe('unlearned');
    expect((await grounder.check({ concepts: ['create'] })).grounded).toBe(true);
  });

  it('brings the level along where the act has none, which shows as a gap too', async () => {
    const { look, failure, approve, grounder } = await setUp();
    const filed = await look(failure(['archive']));
    if (filed.type !== 'filed') throw new Error('not filed');
    await approve(filed.proposalId);
    expect((await grounder.check({ concepts: ['archive'] })).gaps).toMatchObject([
      { type: 'depth', concept: 'archive', required: 3, current: 1, missing: [2] },
    ]);
  });

  it('refuses what the graph cannot hold, with the reason', async () => {
    const { look, failure, kind } = await setUp();
    expect(await look(failure(['mystery']))).toMatchObject({
      type: 'refused',
      reasons: [{ code: 'failure.unknown-concept', data: { concept: 'mystery' } }],
    });
    for (const payload of [{}, { edge: 7 }, { edge: {}, text: '', entry: '', evidence: [] }])
      expect(await kind.check(payload as never)).toMatchObject([{ code: 'failure.malformed' }]);
    const edge = {
      source: 'create',
      sourceDepth: 3,
      relation: 'requires',
      target: 'permission',
      targetDepth: 1,
    } as const;
    const payload = { edge, text: '', entry: 'x', evidence: [] };
    const forged = { id: 'other', kind: 'failure', proposedBy: 'a', proposedAt: '', payload };
    expect(await kind.apply(forged)).toMatchObject({ type: 'refused' });
  });
});
