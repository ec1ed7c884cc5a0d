import type { DepthLevel, Gap, Reason, ReviewDecision } from '@warrant/core';
import { type LearningCandidate, proposeLearning, reachabilityPrerequisites } from '@warrant/grounding';
import type { Workspace } from '@warrant/workspace';

type Query = { readonly concepts: readonly string[]; readonly minDepth?: DepthLevel };

type Step = {
  readonly gap: Gap;
  readonly proposalId: string;
  readonly outcome: 'learned' | 'refused';
  /** Why it was refused. */
  readonly reasons: readonly Reason[];
};

export type LoopResult = { readonly grounded: boolean; readonly steps: readonly Step[]; readonly left: readonly Gap[] };

/** Closes the gaps of a check one after the other with what `answer` gives, until it is grounded or nothing more is given. */
export async function learnLoop(
  workspace: Workspace,
  query: Query,
  answer: (gap: Gap) => Promise<LearningCandidate | null>,
): Promise<LoopResult> {
  const steps: Step[] = [];
  const tried = new Set<string>();
  for (;;) {
    const { grounded, gaps } = await workspace.grounder.check(query);
    const gap = gaps.find((one) => !tried.has(JSON.stringify(one)));
    if (grounded || gap === undefined) return { grounded, steps, left: gaps };
    tried.add(JSON.stringify(gap));
    const candidate = await answer(gap);
    if (candidate === null) continue;
    for (const before of await prerequisites(workspace, query, gap, candidate)) {
      const levels = await answer(before);
      if (levels !== null) steps.push(await learnOne(workspace, query, before, levels));
    }
    const step = await learnOne(workspace, query, gap, candidate);
    steps.push(step);
    // A partial answer leaves the same gap, smaller: it may be asked again.
    if (step.outcome === 'learned') tried.clear();
  }
}

/** The levels that an edge stands on, to be learned before it. */
async function prerequisites(
  { graph }: Workspace,
  query: Query,
  gap: Gap,
  candidate: LearningCandidate,
): Promise<readonly Gap[]> {
  if (candidate.type !== 'reachability') return [];
  const found = await reachabilityPrerequisites(graph, { gap, candidate, query });
  return found.type === 'prerequisites' ? found.gaps : [];
}

/** Filed for the agent that asked and approved by the person at the terminal: one queue, one record, whoever learns. */
async function learnOne(workspace: Workspace, query: Query, gap: Gap, candidate: LearningCandidate): Promise<Step> {
  const { reviewer, config, clock, ids } = workspace;
  const filed = await proposeLearning(reviewer, { gap, candidate, query, proposedBy: config.agent }, { clock, ids });
  const decision = filed.type === 'queued' ? await reviewer.decide(voteOf(filed, config.person)) : filed;
  const learned = decision.type === 'approved' && decision.applied === 'yes';
  return {
    gap,
    proposalId: filed.proposalId,
    outcome: learned ? 'learned' : 'refused',
    reasons: learned ? [] : decision.reasons,
  };
}

function voteOf({ proposalId, proposal }: ReviewDecision, by: string) {
  return { proposalId, proposal, choice: 'approve' as const, by };
}
