import type { DepthLevel, Gap } from '@warrant/core';
import { type LearningCandidate, type LearnOutcome, learnGap, reachabilityPrerequisites } from '@warrant/grounding';
import type { Workspace } from '@warrant/workspace';

type Query = { readonly concepts: readonly string[]; readonly minDepth?: DepthLevel };

export type Step = {
  readonly gap: Gap;
  readonly proposalId: string;
  readonly outcome: LearnOutcome['type'];
  readonly detail: LearnOutcome;
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

async function learnOne(
  { graph, clock, ids }: Workspace,
  query: Query,
  gap: Gap,
  candidate: LearningCandidate,
): Promise<Step> {
  const proposalId = ids.next();
  const detail = await learnGap(graph, { gap, candidate, query }, { proposalId, clock, ids });
  return { gap, proposalId, outcome: detail.type, detail };
}
