import { createRequire } from 'node:module';
import { join } from 'node:path';
import { evaluate, type Policy, type Rule, type Subject } from '@warrant/review-policy';
import type { Result } from './benchmark.ts';
import { pairedRounds } from './journal-rounds.ts';
import { isInstalled, PEERS } from './peers.ts';

const ROUNDS = 7;

/** A peer under the same rules: the name of the rule that decides, or null for the default. */
type Peer = {
  readonly name: string;
  readonly calls: number;
  readonly decide: (subject: Subject) => string | null | Promise<string | null>;
};

type JsonRules = {
  readonly Engine: new (
    rules: readonly object[],
    options: object,
  ) => { stop(): void; run(facts: object): Promise<{ readonly events: readonly { readonly type: string }[] }> };
};
type Casbin = {
  newModelFromString(text: string): unknown;
  readonly StringAdapter: new (text: string) => unknown;
  newEnforcer(
    model: unknown,
    adapter: unknown,
  ): Promise<{ enforceExSync(subject: object): readonly [boolean, readonly string[]] }>;
};

/** Ours against peers that are installed, round by round; none where none is. @throws when a peer decides otherwise */
export async function againstPeers(policy: Policy, subjects: readonly Subject[]): Promise<readonly Result[]> {
  const peers = [jsonRulesEngine(policy), await casbin(policy)].filter((peer) => peer !== undefined);
  const results: Result[] = [];
  for (const peer of peers) {
    await agree(policy, subjects, peer);
    results.push(await compare(policy, subjects, peer));
  }
  return results;
}

async function agree(policy: Policy, subjects: readonly Subject[], peer: Peer): Promise<void> {
  for (const subject of subjects) {
    const ours = evaluate(policy, subject);
    const theirs = await peer.decide(subject);
    if (ours.type === 'invalid-proposal' || ours.rule !== theirs) throw new Error(`${peer.name} decides otherwise`);
  }
}

async function compare(policy: Policy, subjects: readonly Subject[], peer: Peer): Promise<Result> {
  const of = (index: number): Subject => subjects[index % subjects.length] as Subject;
  const calls = 40 * peer.calls;
  const { ours, theirs, ratio } = await pairedRounds({
    operations: calls,
    theirOperations: peer.calls,
    rounds: ROUNDS,
    ours: async () => {
      for (let index = 0; index < calls; index += 1) evaluate(policy, of(index));
    },
    theirs: async () => {
      for (let index = 0; index < peer.calls; index += 1) {
        const answer = peer.decide(of(index));
        // Waiting where there is nothing to wait for would be counted against the peer.
        if (answer instanceof Promise) await answer;
      }
    },
  });
  return {
    name: 'evaluate, 10 rules: action, rule, reason',
    unit: 'k/s',
    ours: ours / 1000,
    against: peer.name,
    theirs: theirs / 1000,
    ratio,
    goal: 'faster',
    reached: ratio > 1,
  };
}

function load(name: string): unknown {
  if (!isInstalled(name)) {
    console.log(`  ${name} is not installed: npm install in benchmarks/peers`);
    return undefined;
  }
  return createRequire(join(PEERS, 'package.json'))(name);
}

function factsOf({ kind, proposedBy, payload }: Subject): object {
  const evidence = kind === 'claim' ? payload['evidence'] : [];
  return {
    actor: proposedBy,
    kind,
    claimType: kind === 'claim' ? payload['type'] : null,
    confidence: kind === 'claim' ? payload['confidence'] : null,
    evidence: Array.isArray(evidence) && evidence.length > 0,
  };
}

function jsonRulesEngine(policy: Policy): Peer | undefined {
  const module = load('json-rules-engine') as JsonRules | undefined;
  if (module === undefined) return undefined;
  const rules = policy.rules.map((rule, index) => ({
    conditions: { all: conditionsOf(rule) },
    event: { type: rule.name },
    priority: policy.rules.length - index,
    onSuccess: () => engine.stop(),
  }));
  const engine = new module.Engine(rules, { allowUndefinedFacts: true });
  const decide = async (subject: Subject): Promise<string | null> =>
    (await engine.run(factsOf(subject))).events[0]?.type ?? null;
  return { name: 'json-rules-engine 7.3.1, the same rules', calls: 1000, decide };
}

function conditionsOf(rule: Rule): readonly object[] {
  const isIn = (fact: string, set: ReadonlySet<string> | null): readonly object[] =>
    set === null ? [] : [{ fact, operator: 'in', value: [...set] }];
  const least = rule.minConfidence;
  return [
    ...isIn('actor', rule.actors),
    ...isIn('kind', rule.kinds),
    ...isIn('claimType', rule.claimTypes),
    ...(least === null ? [] : [{ fact: 'confidence', operator: 'greaterThanInclusive', value: least }]),
    ...(rule.hasEvidence === null ? [] : [{ fact: 'evidence', operator: 'equal', value: rule.hasEvidence }]),
  ];
}

const MODEL = `[request_definition]
r = sub
[policy_definition]
p = name, rule, eft
[policy_effect]
e = priority(p.eft) || deny
[matchers]
m = eval(p.rule)
`;

async function casbin(policy: Policy): Promise<Peer | undefined> {
  const module = load('casbin') as Casbin | undefined;
  if (module === undefined) return undefined;
  const lines = policy.rules.map(
    (rule) => `p, ${rule.name}, "${expressionOf(rule)}", ${rule.action === 'auto_approve' ? 'allow' : 'deny'}`,
  );
  const adapter = new module.StringAdapter(lines.join('\n'));
  const enforcer = await module.newEnforcer(module.newModelFromString(MODEL), adapter);
  const decide = (subject: Subject): string | null => enforcer.enforceExSync(factsOf(subject))[1][0] ?? null;
  return { name: 'casbin 5.51.1, the same rules', calls: 1000, decide };
}

function expressionOf(rule: Rule): string {
  const isIn = (fact: string, set: ReadonlySet<string> | null): readonly string[] =>
    set === null ? [] : [`(${[...set].map((value) => `r.sub.${fact} == '${value}'`).join(' || ')})`];
  return [
    ...isIn('actor', rule.actors),
    ...isIn('kind', rule.kinds),
    ...isIn('claimType', rule.claimTypes),
    ...(rule.minConfidence === null ? [] : [`r.sub.confidence >= ${rule.minConfidence}`]),
    ...(rule.hasEvidence === null ? [] : [`r.sub.evidence == ${String(rule.hasEvidence)}`]),
  ].join(' && ');
}
