import type { DepthLevel, Gap, JsonObject, RelationType } from '@warrant/core';

/** A level with what it would hold. */
export type ProposedLevel = { readonly level: DepthLevel; readonly properties: JsonObject };

/** A new concept; level 0 is made with it, level 1 says what it is. */
export type ExistenceCandidate = {
  readonly type: 'existence';
  readonly name: string;
  readonly identity: ProposedLevel | null;
};

/** Missing levels of the gap's concept (depth) or of the edge's target (relational). */
export type LevelsCandidate = { readonly type: 'depth' | 'relational'; readonly levels: readonly ProposedLevel[] };

/** An edge that connects the gap's concept, from it or to it. */
export type ReachabilityCandidate = {
  readonly type: 'reachability';
  readonly source: string | null;
  readonly target: string | null;
  readonly relation: RelationType | null;
  readonly sourceDepth: DepthLevel | null;
  readonly targetDepth: DepthLevel | null;
};

/** What would close a gap. Only what is new; everything else stands in the gap and in the live graph. */
export type LearningCandidate = ExistenceCandidate | LevelsCandidate | ReachabilityCandidate;

/** The empty candidate for a gap, with one slot for each level that is missing. */
export function templateForGap(gap: Gap): LearningCandidate {
  switch (gap.type) {
    case 'existence':
      return { type: 'existence', name: gap.concept, identity: { level: 1, properties: {} } };
    case 'depth':
    case 'relational':
      return { type: gap.type, levels: gap.missing.map((level) => ({ level, properties: {} })) };
    case 'reachability':
      return {
        type: 'reachability',
        source: null,
        target: null,
        relation: null,
        sourceDepth: null,
        targetDepth: null,
      };
  }
}
