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

/** What may close a gap, the best first; none skips it. */
type Answers = (gap: Gap) => Promise<readonly LearningCandidate[]>;

/**
 * Closes the gaps of a check one after the other with what `answers` gives, until it is grounded or nothing more is
 * given. What is refused is followed by the next answer, and what was learned is not given again.
 */
export async function learnLoop(workspace: Workspace, query: Query, answers: Answers): Promise<LoopResult> {
  const steps: Step[] = [];
  const learned = new Set<LearningCandidate>();
  const close = async (gap: Gap): Promise<boolean> => {
    for (const candidate of await answers(gap)) {
      if (learned.has(candidate)) continue;
      for (const before of await prerequisites(workspace, query, gap, candidate)) await close(before);
      const step = await learnOne(workspace, query, gap, candidate);
      steps.push(step);
      if (step.outcome === 'refused') continue;
      learned.add(candidate);
      return true;
    }
    return false;
  };
  const tried = new Set<string>();
  for (;;) {
    const { grounded, gaps } = await workspace.grounder.check(query);
    const gap = gaps.find((one) => !tried.has(JSON.stringify(one)));
    if (grounded || gap === undefined) return { grounded, steps, left: gaps };
    tried.add(JSON.stringify(gap));
    // A partial answer leaves the same gap, smaller: it may be asked again.
    if (await close(gap)) tried.clear();
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
