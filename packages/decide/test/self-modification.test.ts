import { readYaml } from '@warrant/chart/yaml';
import {
  digest,
  type Json,
  type Proposal,
  type ProposalKind,
  type Reason,
  type ReviewDecision,
  type Reviewer,
} from '@warrant/core';
import { createMemoryJournal } from '@warrant/journal';
import { expect, test } from 'vitest';
import { SELF_MODIFICATION_KIND, selfModificationKind } from '../src/index.ts';
import { definitionOf, world } from './support.ts';

const A = 'urn:agent:1';
const V1 = definitionOf(`
data: { heard: [], n: 1 }
states:
  a:
    on:
      go: b
      vt.self-modification.rejected: { do: [{ assign: { location: heard, expr: 'ctx.heard + [ev.data.reason]' } }] }
      vt.self-modification.accepted: { do: [{ assign: { location: heard, expr: 'ctx.heard + ["accepted"]' } }] }
  b: {}
`);
const V2 = readYaml(`format: warrant.chart/1
data: { heard: [], n: 0 }
states:
  first: { on: { vt.self-modification.accepted: { do: [{ assign: { location: heard, expr: 'ctx.heard + ["accepted"]' } }] }, go: last } }
  last: { type: final, donedata: { params: [{ name: n, expr: ctx.n }] } }
`);
const MIGRATION = { states: { a: 'first' }, assign: [{ location: 'n', expr: 'ctx.n + 41' }] };

/** A queue in memory: what is filed waits, unless it is refused at the door. */
function reviewing(auto?: ReviewDecision['type']) {
  const kinds = new Map<string, ProposalKind>();
  const filed = new Map<string, { proposal: Proposal; decision: ReviewDecision }>();
  const decisionOf = (
    proposal: Proposal,
    type: ReviewDecision['type'],
    reasons: readonly Reason[],
  ): ReviewDecision => ({
    type,
    proposalId: proposal.id,
    proposal: digest(proposal as unknown as Json),
    would: 'queue',
    decidedBy: null,
    votes: [],
    applied: type === 'approved' ? 'yes' : 'no',
    rule: null,
    facts: [],
    reasons,
    policy: null,
  });
  const put = (proposal: Proposal, type: ReviewDecision['type'], reasons: readonly Reason[] = []): ReviewDecision => {
    const decision = decisionOf(proposal, type, reasons);
    filed.set(proposal.id, { proposal, decision });
    return decision;
  };
  const reviewer: Reviewer = {
    register: (kind) => void kinds.set(kind.kind, kind),
    file: async (proposal) => {
      const reasons = (await kinds.get(proposal.kind)?.check(proposal.payload)) ?? [];
      return reasons.length > 0 ? decisionOf(proposal, 'invalid', reasons) : put(proposal, auto ?? 'queued');
    },
    decide: async ({ proposalId, choice, reason }) => {
      const { proposal } = filed.get(proposalId) ?? expect.fail('no such proposal');
      if (choice === 'reject')
        return put(proposal, 'rejected', [{ code: 'test.rejected', message: reason ?? 'no', data: {} }]);
      const applied = await kinds.get(proposal.kind)?.apply(proposal);
      return applied?.type === 'applied' ? put(proposal, 'approved') : put(proposal, 'queued', applied?.reasons);
    },
    status: async (id) => filed.get(id)?.decision,
    list: async function* () {
      yield* filed.values();
    },
  };
  const vote = (choice: 'approve' | 'reject', reason?: string) => {
    const decision = [...filed.values()][0]?.decision ?? expect.fail('nothing was filed');
    const { proposalId, proposal } = decision;
    return reviewer.decide({ proposalId, proposal, choice, by: 'ann', ...(reason === undefined ? {} : { reason }) });
  };
  return { reviewer, vote, kinds };
}

async function dataOf(host: ReturnType<typeof world>['host']) {
  return (await host.state(A)).sessions[0]?.chart.data;
}

test('a version waits for its reviewer and then takes over, once; another host replays it', async () => {
  const { reviewer, vote, kinds } = reviewing();
  const { host, open } = world({ agents: [V1], reviewer });
  await host.spawn(A, 'agent');
  expect(kinds.has(SELF_MODIFICATION_KIND)).toBe(true);
  const asked = await host.propose(A, { chart: V2, migration: MIGRATION }, { rationale: 'shorter' });
  expect(asked.type).toBe('queued');
  expect((await host.state(A)).version).toBeNull();
  expect((await vote('approve')).type).toBe('approved');
  expect((await vote('approve')).type).toBe('approved');
  expect(await dataOf(host)).toEqual({ heard: ['accepted'], n: 42 });
  await host.pump();
  await host.send(A, { name: 'go' });
  expect((await host.state(A)).result).toEqual({ n: 42 });
  expect(await open().state(A)).toEqual(await host.state(A));
});

test('a rejection comes to the agent, once, also when it was decided while no host ran', async () => {
  const { reviewer, vote } = reviewing();
  const { host, open } = world({ agents: [V1], reviewer });
  await host.spawn(A, 'agent');
  await host.propose(A, { chart: V2, migration: MIGRATION });
  await host.close();
  await vote('reject', 'too bold');
  for (const later of [open(), open()]) {
    await later.pump();
    await later.pump();
    expect(await dataOf(later)).toEqual({ heard: ['too bold'], n: 1 });
  }
});

test('an approval that stands in the queue only is taken by the host that runs the agent', async () => {
  const { reviewer, vote } = reviewing();
  const journal = createMemoryJournal();
  const { host, open } = world({ agents: [V1], reviewer, journal });
  await host.spawn(A, 'agent');
  await host.propose(A, { chart: V2, migration: MIGRATION });
  await host.close();
  reviewer.register(selfModificationKind());
  await vote('approve');
  const later = open();
  await later.pump();
  expect(await dataOf(later)).toEqual({ heard: ['accepted'], n: 42 });
});

test.each([
  ['a chart that is not sound', { chart: { ...V2, initial: ['nowhere'] }, migration: MIGRATION }, 'chart-invalid'],
  ['a state that is nowhere in it', { chart: V2 }, 'illegal-configuration'],
  [
    'a decider that nobody bound',
    {
      chart: readYaml(
        'format: warrant.chart/1\nstates: { a: { extensions: [{ local: decide, attribute: x }], on: { go: a } } }',
      ),
    },
    "no decider 'x' is bound",
  ],
])('what could not take over is not even put before people: %s', async (_, version, reason) => {
  const { reviewer } = reviewing();
  const { host } = world({ agents: [V1], reviewer });
  await host.spawn(A, 'agent');
  const decision = await host.propose(A, version);
  expect(decision.type).toBe('invalid');
  expect(decision.reasons[0]).toMatchObject({ code: 'decide.version-refused', data: { reason } });
  expect(await dataOf(host)).toMatchObject({ heard: [decision.reasons[0]?.message] });
});

test('a payload of another form is none, and without a reviewer nothing is proposed', async () => {
  const kind = selfModificationKind();
  for (const payload of [
    {},
    { actor: A, chart: 1 },
    { actor: A, chart: { states: [] }, migration: { states: { a: 1 } } },
  ])
    expect((await kind.check(payload as never))[0]?.code).toBe('decide.version-malformed');
  const { host } = world({ agents: [V1] });
  await host.spawn(A, 'agent');
  await expect(host.propose(A, { chart: V2 })).rejects.toMatchObject({ code: 'DECIDE_OPTIONS' });
});
