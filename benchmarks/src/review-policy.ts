import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Proposal, ReviewStore } from '@warrant/core';
import { openSqlite } from '@warrant/core/sqlite';
import {
  createReviewGate,
  evaluate,
  explain,
  lint,
  type Policy,
  parsePolicy,
  type ReviewGate,
  type Subject,
} from '@warrant/review-policy';
import { createFolderReviewStore } from '@warrant/review-policy/files';
import { createSqliteReviewStore } from '@warrant/review-policy/sqlite';
import { type Benchmark, median, percentile, type Result } from './benchmark.ts';
import { probeDisk } from './journal-rounds.ts';
import { cpuMs, type Taken, timed } from './processor.ts';
import { againstPeers } from './review-policy-peers.ts';

/** The reference's figures on such a machine: calls per second without fsync, listing in milliseconds. */
const REFERENCE = { propose: 140, approve: 116, listMs: 8300 };
const AGAINST = 'the reference, measured on such a machine:';

/** Policies, the gate over a folder and over SQLite, long logs and long queues. */
export const benchmark: Benchmark = {
  name: 'review-policy',
  run: async () => {
    const policy = tenRules();
    const subjects = Array.from({ length: 1000 }, (_, index) => subjectOf(index));
    return [
      ...engine(policy, subjects),
      ...(await againstPeers(policy, subjects)),
      linting(),
      ...(await gates()),
      await longLog(),
      ...(await listing()),
    ];
  },
};

function engine(policy: Policy, subjects: readonly Subject[]): readonly Result[] {
  const document = policy.document;
  const ours = rate((index) => evaluate(policy, subjects[index % 1000] as Subject));
  const full = rate((index) => explain(policy, subjects[index % 1000] as Subject), 1_000);
  const plain = rate((index) => evaluate(parsePolicy(document), subjects[index % 1000] as Subject), 20);
  const row = (name: string, value: Rate, goal: number): Result => ({
    name,
    unit: 'k/s',
    ours: value.wall,
    against: 'the same, reading the policy on every call',
    theirs: plain.wall,
    ratio: value.wall / plain.wall,
    goal: `at least ${goal} k/s`,
    reached: value.wall >= goal ? true : value.cpu >= goal ? 'contended' : false,
  });
  return [
    row('evaluate, 10 rules: action, rule, reason', ours, 1000),
    row('evaluate, 10 rules: full explanation', full, 300),
  ];
}

function tenRules(): Policy {
  const rules = Array.from({ length: 10 }, (_, index) => ({
    name: `r${index}`,
    when:
      index === 9
        ? { kind: 'claim' }
        : {
            actor: [`a${index}`, `b${index}`],
            kind: ['claim', 'page'],
            claim_type: ['fact', 'observation'],
            min_confidence: 0.5 + index / 100,
            has_evidence: true,
          },
    action: index % 2 === 1 ? 'require_human' : 'auto_approve',
  }));
  return parsed({ rules });
}

function parsed(document: unknown): Policy {
  const policy = parsePolicy(document);
  if (policy.type !== 'policy') throw new Error('the policy is faulty');
  return policy;
}

function subjectOf(index: number): Subject {
  const type = index % 3 === 0 ? 'decision' : 'fact';
  const evidence = index % 7 === 0 ? [] : ['s1', 's2'];
  return {
    kind: index % 5 === 0 ? 'page' : 'claim',
    proposedBy: `a${index % 11}`,
    payload: { id: 'c', text: 't', type, confidence: (index % 100) / 100, evidence },
  };
}

type Rate = { readonly wall: number; readonly cpu: number };

// Thousands per second in many short rounds, most of which nobody interrupts: the upper tenth by the wall and by processor time.
function rate(act: (index: number) => unknown, calls = 4_000): Rate {
  for (let index = 0; index < calls * 10; index += 1) act(index);
  const rounds = Array.from({ length: 150 }, () => {
    const [start, before] = [performance.now(), cpuMs()];
    for (let index = 0; index < calls; index += 1) act(index);
    const wall = calls / (performance.now() - start);
    return { wall, cpu: calls / (cpuMs() - before) };
  });
  const upper = (values: readonly number[]): number => percentile(values, 0.9);
  return { wall: upper(rounds.map((item) => item.wall)), cpu: upper(rounds.map((item) => item.cpu)) };
}

function linting(): Result {
  let seed = 1;
  const random = (below: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
    return seed % below;
  };
  const actions = ['auto_approve', 'require_human', 'block'];
  const kinds = ['claim', 'page', 'entity', 'relation', 'delete'];
  const rules = Array.from({ length: 256 }, (_, index) => ({
    name: `r${index}`,
    when: {
      actor: Array.from({ length: 1 + random(6) }, () => `u${random(300)}`),
      ...(random(2) === 0 && { kind: [kinds[random(5)]] }),
      ...(random(2) === 0 && { min_confidence: random(1000) / 1000 }),
      ...(random(3) === 0 && { payload_has: [`k${random(25)}`] }),
    },
    action: actions[random(3)],
  }));
  const start = performance.now();
  lint(parsed({ rules }));
  const ours = performance.now() - start;
  const reached = ours < 2000;
  return {
    name: 'lint, 256 rules, exact',
    unit: 'ms',
    ours,
    against: 'the goal',
    theirs: 2000,
    ratio: 2000 / ours,
    goal: 'under 2000 ms',
    reached,
  };
}

function folder(): string {
  const root = join(mkdtempSync(join(tmpdir(), 'warrant-bench-review-')), '.vouch');
  for (const name of ['proposed', 'decided', 'entities']) mkdirSync(join(root, name), { recursive: true });
  writeFileSync(join(root, 'config.yaml'), 'version: 1\nkb:\n  id: 0123456789abcdef0123456789abcdef\n');
  return root;
}

function proposal(id: string): Proposal {
  const payload = { id: `e-${id}`, name: `Entity ${id}`, type: 'tool', aliases: [], description: null };
  return { id, kind: 'entity', proposedBy: 'scribe', proposedAt: '2026-01-01T00:00:00.000Z', payload };
}

/** Calls per second, `together` at a time; the median of three rounds by the wall, the best by processor time. */
async function perSecond(count: number, act: (index: number) => Promise<unknown>, together = 1): Promise<Rate> {
  const rounds: Rate[] = [];
  for (let round = 0; round < 3; round += 1) {
    const { wall, cpu } = await timed(async () => {
      for (let done = 0; done < count; done += together) {
        await Promise.all(Array.from({ length: together }, (_, index) => act(round * count + done + index)));
      }
    });
    rounds.push({ wall: (count / wall) * 1000, cpu: (count / cpu) * 1000 });
  }
  return { wall: median(rounds.map((one) => one.wall)), cpu: Math.max(...rounds.map((one) => one.cpu)) };
}

async function gateRates(
  store: ReviewStore,
  count: number,
  how: { readonly prefix: string; readonly together: number },
): Promise<{ readonly propose: Rate; readonly approve: Rate }> {
  const gate = createReviewGate({ store });
  const digests = new Map<number, Parameters<ReviewGate['decide']>[0]['proposal']>();
  const id = (index: number): string => `${how.prefix}${index}`;
  const file = async (index: number): Promise<void> => {
    digests.set(index, (await gate.file(proposal(id(index)))).proposal);
  };
  const approve = async (index: number): Promise<unknown> => {
    const seen = digests.get(index) ?? 'sha256:';
    return gate.decide({ proposalId: id(index), proposal: seen, choice: 'approve', by: 'alice' });
  };
  return {
    propose: await perSecond(count, file, how.together),
    approve: await perSecond(count, approve, how.together),
  };
}

async function gates(): Promise<readonly Result[]> {
  const root = folder();
  const disk = probeDisk(root);
  const files = await gateRates(createFolderReviewStore({ root }), 60, { prefix: 'p', together: 1 });
  const database = openSqlite(join(root, 'review.db'));
  const store = createSqliteReviewStore(database);
  const single = await gateRates(store, 300, { prefix: 'p', together: 1 });
  const many = await gateRates(store, 300, { prefix: 'q', together: 60 });
  database.close();
  // Flushes of a disk whose processors are busy wait for a tick each, and say nothing.
  const isContended = Math.min(disk, probeDisk(root)) < 3000;
  rmSync(root, { recursive: true, force: true });
  const row = (name: string, ours: Rate, theirs: number, factor: number): Result => ({
    name,
    unit: '/s',
    ours: ours.wall,
    against: AGAINST,
    theirs,
    ratio: ours.wall / theirs,
    goal: factor === 1 ? 'no slower' : `at least ${factor}x`,
    reached: ours.wall >= theirs * factor ? true : isContended ? 'contended' : false,
  });
  return [
    row('propose, folder, flushed', files.propose, REFERENCE.propose, 1),
    row('approve, folder, flushed', files.approve, REFERENCE.approve, 1),
    row('propose, SQLite, flushed, one after the other', single.propose, REFERENCE.propose, 10),
    row('approve, SQLite, flushed, one after the other', single.approve, REFERENCE.approve, 10),
    row('propose, SQLite, flushed, 60 at a time', many.propose, REFERENCE.propose, 10),
    row('approve, SQLite, flushed, 60 at a time', many.approve, REFERENCE.approve, 10),
  ];
}

async function longLog(): Promise<Result> {
  const [empty, long] = [folder(), folder()];
  const line = `${JSON.stringify({ event: 'x', hash: 'a'.repeat(64), data: { text: 'y'.repeat(300) } })}\n`;
  writeFileSync(join(long, 'audit.log.jsonl'), line.repeat(10_000));
  const gate = (root: string): ReviewGate =>
    createReviewGate({ store: createFolderReviewStore({ root, durable: false }) });
  const [short, full] = [gate(empty), gate(long)];
  const times: { readonly empty: number[]; readonly long: number[] } = { empty: [], long: [] };
  // In turns, so that what disturbs one disturbs the other.
  for (let index = 0; index < 400; index += 1) {
    const given = proposal(`r${index}`);
    times.empty.push((await timed(() => short.file(given))).wall);
    times.long.push((await timed(() => full.file(given))).wall);
  }
  for (const root of [empty, long]) rmSync(root, { recursive: true, force: true });
  const [ours, theirs] = [1000 / median(times.long.slice(50)), 1000 / median(times.empty.slice(50))];
  return {
    name: 'propose with 10,000 audit lines',
    unit: '/s',
    ours,
    against: 'on an empty log',
    theirs,
    ratio: ours / theirs,
    goal: 'within 10 %',
    reached: ours >= theirs * 0.9,
  };
}

async function listing(): Promise<readonly Result[]> {
  const root = folder();
  for (let index = 0; index < 10_000; index += 1) {
    const id = `20260101-000000-${index.toString(16).padStart(8, '0')}`;
    const text = `id: ${id}\nkind: claim\nproposed_by: scribe\nsession_id: null\nproposed_at: '2026-01-01T00:00:00Z'\npayload:\n  id: claim-${index}\n  text: The importer reads rows in batches of ${index} and keeps the failed ones in a\n    side table\n  type: fact\n  confidence: 0.92\n  evidence:\n  - e32500b2eb0224c7572fc3ad8b9339f69e6c36b7d5957a1b951c7bb48e454b50\n  entities: []\n  tags: []\nrationale: null\nstatus: pending\ndecided_at: null\ndecided_by: null\ndecision_reason: null\n`;
    writeFileSync(join(root, 'proposed', `${id}.yaml`), text);
  }
  const store = createFolderReviewStore({ root });
  const once = async (): Promise<Taken> => {
    let count = 0;
    const taken = await timed(async () => {
      for await (const item of store.list()) count += item.record.status === 'pending' ? 1 : 0;
    });
    if (count !== 10_000) throw new Error(`${count} listed`);
    return taken;
  };
  const cold = await once();
  await once();
  const again = [await once(), await once(), await once()];
  const warm = { wall: Math.min(...again.map((one) => one.wall)), cpu: Math.min(...again.map((one) => one.cpu)) };
  rmSync(root, { recursive: true, force: true });
  const row = (name: string, ours: Taken, limit: number): Result => ({
    name,
    unit: 'ms',
    ours: ours.wall,
    against: AGAINST,
    theirs: REFERENCE.listMs,
    ratio: REFERENCE.listMs / ours.wall,
    goal: `under ${limit} ms`,
    reached: ours.wall < limit ? true : ours.wall > 1.25 * ours.cpu && ours.cpu < limit ? 'contended' : false,
  });
  return [row('list 10,000 proposals, first time', cold, 1500), row('list 10,000 proposals, again', warm, 200)];
}
