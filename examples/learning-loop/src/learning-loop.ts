import type { Gap, GraphStore } from '@warrant/core';
import {
  createGrounder,
  type GroundQuery,
  type LearningCandidate,
  learnGap,
  reachabilityPrerequisites,
  templateForGap,
} from '@warrant/grounding';

/** Where answers come from: a model, rules, a form. Null leaves the gap open. */
export type Fill = (template: LearningCandidate, gap: Gap) => LearningCandidate | null;
/** The person who says whether a candidate may be believed. */
export type Approve = (gap: Gap, candidate: LearningCandidate) => boolean;

/** One turn of the loop, for whoever watches. */
export type Turn = { readonly gap: string; readonly outcome: string };

export type LoopOptions = {
  readonly graph: GraphStore;
  readonly query: GroundQuery;
  readonly fill: Fill;
  readonly approve: Approve;
  /** Stops a loop whose answers never help. */
  readonly mostTurns: number;
};

/** Closes one gap after another, always the first, as long as candidates are approved and accepted. */
export async function learningLoop(options: LoopOptions): Promise<{ grounded: boolean; turns: readonly Turn[] }> {
  const grounder = createGrounder({ graph: options.graph, actor: 'example' });
  const turns: Turn[] = [];
  while (turns.length < options.mostTurns) {
    const { grounded, gaps } = await grounder.check(options.query);
    const gap = gaps[0];
    if (grounded || gap === undefined) return { grounded, turns };
    const open = await firstPrerequisite(options, gap);
    const outcome = await closeGap(options, open, `turn-${turns.length + 1}`);
    turns.push({ gap: nameOf(open), outcome });
    if (outcome !== 'learned' && outcome !== 'already-closed') return { grounded: false, turns };
  }
  return { grounded: false, turns };
}

/** An edge can stand only on levels that exist, so those come first. */
async function firstPrerequisite({ graph, query, fill }: LoopOptions, gap: Gap): Promise<Gap> {
  if (gap.type !== 'reachability') return gap;
  const candidate = fill(templateForGap(gap), gap);
  const needed = await reachabilityPrerequisites(graph, { gap, candidate, query });
  return (needed.type === 'prerequisites' && needed.gaps[0]) || gap;
}

async function closeGap({ graph, query, fill, approve }: LoopOptions, gap: Gap, proposalId: string): Promise<string> {
  const candidate = fill(templateForGap(gap), gap);
  if (candidate === null) return 'left-open';
  if (!approve(gap, candidate)) return 'not-approved';
  const outcome = await learnGap(graph, { gap, candidate, query }, { proposalId });
  return outcome.type === 'refused' ? outcome.reasons.map((reason) => reason.code).join(', ') : outcome.type;
}

function nameOf(gap: Gap): string {
  return gap.type === 'relational' ? `relational ${gap.source} ${gap.target}` : `${gap.type} ${gap.concept}`;
}
