import type { ActorKey, DepthLevel, Gap, GraphVersion, GroundingResult, InformedPart, JsonObject } from '@warrant/core';
import { type ConfidenceOf, confidencesOf, type LevelConfidence } from './confidence.ts';

/** One check: who asked what, when, and the answer. */
export type Trace = {
  /** ISO-8601 UTC. */
  readonly at: string;
  readonly actor: ActorKey | null;
  readonly query: { readonly concepts: readonly string[]; readonly minDepth: DepthLevel | null };
  readonly result: GroundingResult;
};

/** Where traces go. A sink that fails never fails a check. */
export interface TraceSink {
  /** The trace is frozen all the way down. */
  write(trace: Trace): void | Promise<void>;
}

/** A step of the pathway, with names. */
export type TraceStep = {
  readonly source: string;
  readonly sourceDepth: DepthLevel;
  readonly relation: string;
  readonly target: string;
  readonly targetDepth: DepthLevel;
};

/** A trace as one JSON object: names instead of ids, the pathway instead of whole primitives. */
export type TraceRecord = {
  readonly at: string;
  readonly operation: 'check';
  readonly actor: ActorKey | null;
  readonly concepts: readonly string[];
  readonly minDepth: DepthLevel | null;
  readonly grounded: boolean;
  readonly resolved: readonly string[];
  readonly gaps: readonly Gap[];
  readonly steps: readonly TraceStep[];
  /** What peers told without counting; absent where there is nothing. */
  readonly informed?: readonly InformedPart[];
  readonly graph: GraphVersion;
  readonly view: string;
  /** How well the levels of the concepts have served; absent where nobody asked for it. */
  readonly confidence?: readonly LevelConfidence[];
};

/**
 * The trace in its JSON form, as trace files hold it.
 * @param options.confidence shown beside the trace. @default nothing is shown
 */
export function traceRecord(
  { at, actor, query, result }: Trace,
  options: { readonly confidence?: ConfidenceOf } = {},
): TraceRecord & JsonObject {
  const record = {
    at,
    operation: 'check' as const,
    actor,
    concepts: query.concepts,
    minDepth: query.minDepth,
    grounded: result.grounded,
    resolved: result.resolved,
    gaps: result.gaps,
    steps: stepsOf(result),
    ...(result.informed === undefined ? {} : { informed: result.informed }),
    graph: result.graph,
    view: result.view,
  };
  return options.confidence === undefined ? record : withConfidence(record, options.confidence);
}

/** A trace that was kept, with the confidence of the levels of every concept that it names. */
export function withConfidence<Kept extends Pick<TraceRecord, 'resolved' | 'steps' | 'gaps'>>(
  trace: Kept,
  confidence: ConfidenceOf,
): Kept & { readonly confidence: readonly LevelConfidence[] } {
  const concepts = [
    ...trace.resolved,
    ...trace.steps.flatMap(({ source, target }) => [source, target]),
    ...trace.gaps.map((gap) => (gap.type === 'relational' ? gap.target : gap.concept)),
  ];
  return { ...trace, confidence: confidencesOf(concepts, confidence) };
}

/** The pathway with names instead of ids, in the result's order. */
export function stepsOf(result: Pick<GroundingResult, 'pathway' | 'primitives'>): readonly TraceStep[] {
  const names = new Map(result.primitives.map((primitive) => [primitive.id, primitive.name]));
  return result.pathway.map((edge) => ({
    source: names.get(edge.source) ?? edge.source,
    sourceDepth: edge.sourceDepth,
    relation: edge.relation,
    target: names.get(edge.target) ?? edge.target,
    targetDepth: edge.targetDepth,
  }));
}
