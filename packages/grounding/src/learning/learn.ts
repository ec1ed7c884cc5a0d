import {
  type Cancel,
  type Clock,
  createIdSource,
  type Gap,
  type GraphChange,
  type GraphStore,
  type GraphVersion,
  type GraphView,
  type IdSource,
  isoTime,
  isWarrantError,
  type Reason,
  systemClock,
  WarrantError,
} from '@warrant/core';
import { checkQuery } from '../query.ts';
import type { LearningCandidate } from './candidate.ts';
import { checkGap } from './check-gap.ts';
import { listLearned } from './learned.ts';
import { parseCandidate } from './parse.ts';
import { type LearnRequest, type PlanInput, planLearning } from './plan.ts';
import { depthsBefore, placeEdge } from './plan-edge.ts';
import { reason } from './reasons.ts';

/** How the graph is written. */
export type LearnOptions = Cancel & {
  /** Names what is learned, so that it can be listed and taken back. One proposal is applied once. */
  readonly proposalId: string;
  /** @default the machine's clock */
  readonly clock?: Clock;
  /** Where the id of a new concept comes from. @default time-ordered random ids */
  readonly ids?: IdSource;
};

/** What became of a candidate. */
export type LearnOutcome =
  | {
      readonly type: 'learned';
      readonly proposalId: string;
      readonly version: GraphVersion;
      readonly changes: readonly GraphChange[];
    }
  | { readonly type: 'already-closed' }
  | { readonly type: 'refused'; readonly reasons: readonly Reason[] };

/** How often a write is tried again when others change the graph at the same time. */
const ATTEMPTS = 16;

/**
 * Checks a candidate against the live graph and stores what it brings, stamped as learned. This is the privileged call:
 * whoever makes it has decided that the candidate may be believed. Nothing but the candidate's own change is written.
 * @throws GROUNDING_CONFLICT (retryable) when the graph changed under every attempt.
 * @throws GROUNDING_QUERY_INVALID for what is not a query, GROUNDING_GAP_INVALID for what is not a gap.
 */
export async function learnGap(graph: GraphStore, request: LearnRequest, options: LearnOptions): Promise<LearnOutcome> {
  const { proposalId } = options;
  if (typeof proposalId !== 'string' || proposalId === '') {
    throw new WarrantError('GROUNDING_PROPOSAL_ID_INVALID', 'a proposal needs an id that is not empty');
  }
  const parsed = parseRequest(request);
  if (parsed.type === 'refused') return parsed;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const view = await liveView(graph, request, parsed.candidate, options);
    const plan = planLearning(planInput(request, parsed.candidate, view, options));
    if (plan.type !== 'plan') return plan;
    const applied = await apply(graph, plan.changes, view.version, options);
    if (applied.type === 'refused') return applied;
    if (applied.type === 'spent') return spent(graph, proposalId, view.version);
    if (applied.type === 'applied') {
      return { type: 'learned', proposalId, version: applied.version, changes: plan.changes };
    }
  }
  throw new WarrantError('GROUNDING_CONFLICT', `the graph changed under ${ATTEMPTS} attempts to learn`, {
    data: { proposalId, attempts: ATTEMPTS },
    retryable: true,
  });
}

/** What an edge needs before it can be placed. */
export type Prerequisites =
  | { readonly type: 'prerequisites'; readonly gaps: readonly Gap[] }
  | { readonly type: 'already-closed' }
  | { readonly type: 'refused'; readonly reasons: readonly Reason[] };

/**
 * The depth gaps to fill before {@link learnGap} would place this edge: source first, then target. An edge that would be
 * refused whatever the depths is refused here too, so that no level is learned for nothing.
 * @throws GROUNDING_QUERY_INVALID for what is not a query, GROUNDING_GAP_INVALID for what is not a gap.
 */
export async function reachabilityPrerequisites(
  graph: GraphStore,
  request: LearnRequest,
  options: Cancel = {},
): Promise<Prerequisites> {
  const parsed = parseRequest(request);
  if (parsed.type === 'refused') return parsed;
  const { candidate } = parsed;
  if (candidate.type !== 'reachability' || request.gap.type !== 'reachability') {
    const data = { gap: request.gap.type, candidate: candidate.type };
    return {
      type: 'refused',
      reasons: [reason('learning.kind-mismatch', 'only an edge for a reachability gap has prerequisites', data)],
    };
  }
  const view = await liveView(graph, request, candidate, options);
  const input = { gap: request.gap, candidate, query: request.query, view, stamp: NO_STAMP };
  const placement = placeEdge(input);
  return placement.type === 'placed' ? { type: 'prerequisites', gaps: depthsBefore(placement.placed) } : placement;
}

/**
 * Says what {@link learnGap} would say, without writing.
 * @returns no reasons when the candidate would be learned
 */
export async function checkCandidate(
  graph: GraphStore,
  request: LearnRequest,
  options: Cancel = {},
): Promise<readonly Reason[]> {
  const parsed = parseRequest(request);
  if (parsed.type === 'refused') return parsed.reasons;
  const view = await liveView(graph, request, parsed.candidate, options);
  const { gap, query } = request;
  const plan = planLearning({ gap, query, view, candidate: parsed.candidate, stamp: NO_STAMP });
  if (plan.type === 'refused') return plan.reasons;
  if (plan.type === 'plan') return [];
  return [reason('learning.already-closed', 'the gap is closed already', { gap: gap.type })];
}

const NO_STAMP: PlanInput['stamp'] = {
  provenance: { source: 'learned', at: '1970-01-01T00:00:00.000Z' },
  newId: () => 'unnamed',
};

function parseRequest(request: LearnRequest): ReturnType<typeof parseCandidate> {
  checkQuery(request.query);
  checkGap(request.gap);
  return parseCandidate(request.candidate);
}

function planInput(
  request: LearnRequest,
  candidate: LearningCandidate,
  view: GraphView,
  options: LearnOptions,
): PlanInput {
  const clock = options.clock ?? systemClock;
  const ids = options.ids ?? createIdSource({ clock });
  const provenance = { source: 'learned', at: isoTime(clock), proposalId: options.proposalId } as const;
  return { gap: request.gap, candidate, query: request.query, view, stamp: { provenance, newId: () => ids.next() } };
}

/** The closure of everything that the decision reads: the query, the gap and the candidate's ends. */
function liveView(
  graph: GraphStore,
  { gap, query }: LearnRequest,
  candidate: LearningCandidate,
  { signal }: Cancel,
): Promise<GraphView> {
  const names = new Set([...query.concepts, gap.type === 'relational' ? gap.target : gap.concept]);
  if (candidate.type === 'reachability') {
    if (candidate.source !== null) names.add(candidate.source);
    if (candidate.target !== null) names.add(candidate.target);
  }
  names.delete('');
  return graph.view([...names], signal === undefined ? {} : { signal });
}

type Applied =
  | { readonly type: 'applied'; readonly version: GraphVersion }
  | { readonly type: 'conflict' | 'spent' }
  | { readonly type: 'refused'; readonly reasons: readonly Reason[] };

async function apply(
  graph: GraphStore,
  changes: readonly GraphChange[],
  expected: GraphVersion,
  { proposalId, signal }: LearnOptions,
): Promise<Applied> {
  try {
    const id = `learn:${proposalId}`;
    const applied = await graph.apply(changes, signal === undefined ? { id, expected } : { id, expected, signal });
    if (applied.type === 'duplicate') return { type: 'spent' };
    if (applied.type === 'conflict') return { type: 'conflict' };
    return applied.type === 'refused' ? applied : { type: 'applied', version: applied.version };
  } catch (error) {
    if (isWarrantError(error, 'GRAPH_ID_REUSED')) return { type: 'spent' };
    throw error;
  }
}

/** A proposal that was applied before: fine while what it brought is there, refused once it was taken back. */
async function spent(graph: GraphStore, proposalId: string, version: GraphVersion): Promise<LearnOutcome> {
  const learned = await listLearned(graph, { proposalId });
  if (learned.length > 0) return { type: 'learned', proposalId, version, changes: [] };
  return {
    type: 'refused',
    reasons: [
      reason(
        'learning.proposal-spent',
        'this proposal was applied before and taken back',
        { proposalId },
        { action: 'file-again', under: 'a new id' },
      ),
    ],
  };
}
