import type { Gap, PolicyFinding, Verdict } from '@warrant/core';
import { oneLine } from './one-line.ts';
import { quoted } from './shorten.ts';

/** One policy that was considered, and why it did what it did. */
export type ExplainedPolicy = {
  readonly key: string;
  readonly edge: string;
  readonly outcome: PolicyFinding['outcome'];
  readonly effect: PolicyFinding['effect'];
  readonly why: string;
  /** What would make it pass; null when it does not stand in the way. */
  readonly wouldPassIf: string | null;
};

export type Explanation = {
  readonly decision: Verdict['decision'];
  readonly policies: readonly ExplainedPolicy[];
  /** The least that has to change for the call to be allowed, in order; empty when it is. */
  readonly nearest: readonly string[];
  readonly text: string;
};

/** Tells a verdict from its own data: every policy considered, fired or not and why, and the nearest way to `allow`. */
export function explain(verdict: Verdict): Explanation {
  const refusing = new Set(verdict.reasons.map((reason) => reason.data['policy']));
  const policies = verdict.policies.map((finding) => explainPolicy(finding, verdict, refusing));
  const nearest = nearestChanges(verdict, policies);
  return { decision: verdict.decision, policies, nearest, text: textOf(verdict, policies, nearest) };
}

function explainPolicy(finding: PolicyFinding, verdict: Verdict, refusing: ReadonlySet<unknown>): ExplainedPolicy {
  const { key, edge, outcome, effect, reason } = finding;
  const inTheWay =
    outcome === 'fired' || (outcome === 'dormant' && verdict.decision === 'block' && refusing.has(finding.key));
  return {
    key,
    edge: `${edge.source} -> ${edge.target} (level ${edge.sourceDepth})`,
    outcome,
    effect,
    why: reason.message,
    wouldPassIf: inTheWay ? wouldPassIf(finding) : null,
  };
}

function wouldPassIf({ key, edge, outcome, effect, reason }: PolicyFinding): string {
  if (outcome === 'dormant')
    return `the call also names the concept ${quoted(edge.target)}, or the guard reports '${key}' only`;
  const { condition, callback } = reason.data;
  const about =
    typeof condition === 'string'
      ? `the condition ${condition} is false`
      : `the callback ${quoted(typeof callback === 'string' ? callback : '')} passes`;
  const repaired =
    reason.code === 'policy.fired' ? about : `its condition can be evaluated for this call, and ${about}`;
  return effect === 'confirm' ? `a person confirms the call, or ${repaired}` : repaired;
}

function nearestChanges(verdict: Verdict, policies: readonly ExplainedPolicy[]): readonly string[] {
  if (verdict.decision === 'allow') return [];
  if (verdict.decision === 'ungrounded') {
    const { gaps } = verdict.grounding;
    return gaps.length > 0 ? gaps.map(closing) : verdict.reasons.map((reason) => reason.message);
  }
  const blocking = policies.filter((policy) => policy.wouldPassIf !== null && !isConfirmation(policy));
  const confirming = policies.filter((policy) => policy.wouldPassIf !== null && isConfirmation(policy));
  const changes = blocking.map((policy) => `${policy.key}: ${policy.wouldPassIf ?? ''}`);
  if (confirming.length > 0) {
    changes.push(`a person confirms the call (${[...new Set(confirming.map((policy) => policy.key))].join(', ')})`);
  }
  return changes;
}

function isConfirmation(policy: ExplainedPolicy): boolean {
  return policy.outcome === 'fired' && policy.effect === 'confirm';
}

function closing(gap: Gap): string {
  switch (gap.type) {
    case 'existence':
      return `the concept ${quoted(gap.concept)} is added to the graph`;
    case 'reachability':
      return `${quoted(gap.concept)} is connected to the other concepts by an edge`;
    case 'depth':
      return `${quoted(gap.concept)} gets the levels ${gap.missing.join(', ')}`;
    case 'relational':
      return `${quoted(gap.target)} gets the levels ${gap.missing.join(', ')}, which ${quoted(gap.source)} needs`;
  }
}

const OPENINGS = {
  allow: 'Allowed',
  ungrounded: 'Refused: not grounded',
  block: 'Refused by policy',
  confirm: 'Needs a confirmation',
} as const satisfies Record<Verdict['decision'], string>;

function textOf(verdict: Verdict, policies: readonly ExplainedPolicy[], nearest: readonly string[]): string {
  const observed = verdict.enforced ? '' : ' (observed only, nothing was enforced)';
  const considered =
    policies.length === 0
      ? ['No policy was considered.']
      : policies.map((policy) => `- ${policy.key} on ${policy.edge}: ${policy.outcome}${reasonOf(policy)}`);
  const change = nearest.length === 0 ? [] : ['It would be allowed if:', ...nearest.map((line) => `- ${line}`)];
  return [`${OPENINGS[verdict.decision]}${observed}: ${verdict.call.tool}`, ...considered, ...change].join('\n');
}

/** In one line, each sentence with its end; nothing where the outcome says it all. */
function reasonOf({ outcome, why }: ExplainedPolicy): string {
  if (why === outcome) return '';
  return `, ${oneLine(why)}`;
}
