import {
  type Clock,
  type Depth,
  type DepthLevel,
  foldName,
  type GraphChange,
  type GraphStore,
  type GraphView,
  isoTime,
  type JsonObject,
  type Primitive,
  type ProposalKind,
  type Provenance,
  type Reason,
  type RelationType,
  systemClock,
  WarrantError,
} from '@warrant/core';
import { isInforming } from '../counted.ts';
import { listLearned } from '../learning/learned.ts';
import { putRelatum } from '../learning/live.ts';
import { isDepthLevel } from '../levels.ts';
import { RELATIONS } from '../relations.ts';
import { type FailureEdge, failureProposalId } from './propose.ts';

/** The kind under which what failures revealed stands in the review queue. */
export const FAILURE_KIND = 'failure';

/** What a proposal of this kind holds. */
export type FailurePayload = {
  readonly edge: FailureEdge;
  readonly text: string;
  readonly entry: string;
  readonly evidence: readonly string[];
};

/** Whether the graph has an edge, and what is in its way if not. */
export type EdgeState =
  | { readonly type: 'known' }
  | { readonly type: 'new'; readonly source: Primitive; readonly target: Primitive }
  | { readonly type: 'refused'; readonly reasons: readonly Reason[] };

/** Holds an edge against a view of both of its ends. Pure. */
export function edgeState(view: GraphView, edge: FailureEdge): EdgeState {
  const { primitives } = view.snapshot();
  const find = (name: string) => primitives.find((one) => foldName(one.name) === foldName(name));
  const [source, target] = [find(edge.source), find(edge.target)];
  if (source === undefined || target === undefined) {
    const concept = source === undefined ? edge.source : edge.target;
    return { type: 'refused', reasons: [unknown(concept)] };
  }
  // A demand that is at least as strong, at whatever level of the act, says it already.
  const isKnown = source.depths.some(({ relata }) =>
    relata.some(
      (one) =>
        one.relation === edge.relation &&
        one.target === target.id &&
        one.targetDepth >= edge.targetDepth &&
        !isInforming(one.provenance),
    ),
  );
  return isKnown ? { type: 'known' } : { type: 'new', source, target };
}

function unknown(concept: string): Reason {
  const remedy = { action: 'add-concept', concept };
  return { code: 'failure.unknown-concept', message: `'${concept}' is not in the graph`, data: { concept }, remedy };
}

/** How reviewers handle what failures revealed: one relatum, learned once it is approved, taken back like all learning. */
export function failureProposalKind(options: { readonly graph: GraphStore; readonly clock?: Clock }): ProposalKind {
  const { graph, clock = systemClock } = options;
  return {
    kind: FAILURE_KIND,
    check: async (payload) => {
      const parsed = parsePayload(payload);
      if (parsed === undefined) return [malformed()];
      const state = edgeState(await graph.view([parsed.edge.source, parsed.edge.target]), parsed.edge);
      if (state.type === 'refused') return state.reasons;
      return state.type === 'known' ? [known(parsed.edge)] : [];
    },
    evidence: (payload) => parsePayload(payload)?.evidence ?? null,
    confidence: () => null,
    apply: async (proposal) => {
      const parsed = parsePayload(proposal.payload);
      if (parsed === undefined || failureProposalId(parsed.edge) !== proposal.id)
        return { type: 'refused', reasons: [malformed()] };
      if ((await listLearned(graph, { proposalId: proposal.id })).length > 0) return { type: 'applied', reasons: [] };
      const provenance = { source: 'learned', at: isoTime(clock), proposalId: proposal.id } as const;
      return learn(graph, parsed, provenance);
    },
  };
}

const ATTEMPTS = 16;

async function learn(
  graph: GraphStore,
  payload: FailurePayload,
  provenance: Provenance,
): Promise<{ readonly type: 'applied' | 'refused'; readonly reasons: readonly Reason[] }> {
  const { edge } = payload;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const view = await graph.view([edge.source, edge.target]);
    const state = edgeState(view, edge);
    if (state.type === 'refused') return state;
    if (state.type === 'known') return { type: 'applied', reasons: [] };
    const { epoch, revision } = view.version;
    const id = `${provenance.proposalId ?? ''}@${epoch}/${revision}`;
    const applied = await graph.apply(changesFor(payload, state, provenance), { id, expected: view.version });
    if (applied.type === 'refused') return applied;
    if (applied.type !== 'conflict') return { type: 'applied', reasons: [] };
  }
  throw new WarrantError('GROUNDING_CONFLICT', `the graph changed under ${ATTEMPTS} attempts to learn`, {
    data: { proposalId: provenance.proposalId ?? null, attempts: ATTEMPTS },
    retryable: true,
  });
}

/** The relatum; on a level that is not there yet, with the level. */
function changesFor(
  { edge, text }: FailurePayload,
  { source, target }: { readonly source: Primitive; readonly target: Primitive },
  provenance: Provenance,
): readonly GraphChange[] {
  const { sourceDepth, relation, targetDepth } = edge;
  if (source.depths.some(({ level }) => level === sourceDepth)) {
    const placed = { source: source.id, sourceDepth, relation, target: target.id, targetDepth };
    return putRelatum(source, placed, provenance);
  }
  const relatum = { relation, target: target.id, targetDepth, provenance };
  const depth: Depth = { level: sourceDepth, properties: { text }, relata: [relatum], provenance };
  return [{ type: 'put-depth', primitive: source.id, depth }];
}

function parsePayload(payload: JsonObject): FailurePayload | undefined {
  const { edge, text, entry, evidence } = payload as { readonly [key: string]: unknown };
  if (typeof text !== 'string' || typeof entry !== 'string' || !isEdge(edge)) return undefined;
  if (!Array.isArray(evidence) || !evidence.every((one) => typeof one === 'string')) return undefined;
  return { edge, text, entry, evidence };
}

function isEdge(value: unknown): value is FailureEdge {
  if (typeof value !== 'object' || value === null) return false;
  const { source, sourceDepth, relation, target, targetDepth } = value as Record<string, unknown>;
  const isName = (name: unknown): boolean => typeof name === 'string' && name !== '';
  return (
    isName(source) &&
    isName(target) &&
    isDepthLevel(sourceDepth as DepthLevel) &&
    isDepthLevel(targetDepth as DepthLevel) &&
    RELATIONS.includes(relation as RelationType)
  );
}

function malformed(): Reason {
  return { code: 'failure.malformed', message: 'this is no proposal of what a failure revealed', data: {} };
}

function known({ source, relation, target }: FailureEdge): Reason {
  return {
    code: 'failure.known',
    message: `'${source}' ${relation} '${target}' is in the graph already`,
    data: { source, target },
  };
}
