import type { ActorKey, DepthLevel, Gap, GraphVersion, GroundingResult, InformedPart, JsonObject } from '@warrant/core';

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
};

/** The trace in its JSON form, as trace files hold it. */
export function traceRecord({ at, actor, query, result }: Trace): TraceRecord & JsonObject {
  return {
    at,
    operation: 'check',
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
