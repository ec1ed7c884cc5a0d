import type { Cancel } from './cancel.ts';
import type { ActorKey, Digest, JsonObject, Reason } from './json.ts';

export type DepthLevel = 0 | 1 | 2 | 3 | 4;
export type RelationType = 'requires' | 'depends-on' | 'constrained-by' | 'applies-to' | 'includes';
/** Who published what came from a peer, and what it may do here. */
export type PeerAttestation = {
  /** The peer's name in the pin file. */
  readonly name: string;
  /** The signed bundle it came with, by its digest. */
  readonly bundle: Digest;
  /** The bundle's place among those of this peer, from 1. */
  readonly sequence: number;
  /** `informs`: shown, and never counted when a check is decided. */
  readonly mode: 'grounds' | 'informs';
};
export type Provenance = {
  readonly source: 'authored' | 'learned' | 'peer';
  readonly at: string;
  readonly proposalId?: string;
  readonly document?: string;
  /** With the source `peer`. */
  readonly peer?: PeerAttestation;
};
export type Relatum = {
  readonly relation: RelationType;
  readonly target: string;
  readonly targetDepth: DepthLevel;
  readonly provenance: Provenance;
  readonly metadata?: JsonObject;
};
export type Depth = {
  readonly level: DepthLevel;
  readonly properties: JsonObject;
  readonly relata: readonly Relatum[];
  readonly provenance: Provenance;
};
export type Primitive = {
  readonly id: string;
  readonly name: string;
  readonly depths: readonly Depth[];
  readonly provenance: Provenance;
};
export type Edge = {
  readonly source: string;
  readonly sourceDepth: DepthLevel;
  readonly relation: RelationType;
  readonly target: string;
  readonly targetDepth: DepthLevel;
};
type Shortfall = {
  readonly required: DepthLevel;
  readonly current: DepthLevel | null;
  readonly missing: readonly DepthLevel[];
};
export type Gap = { readonly remedy: JsonObject } & (
  | { readonly type: 'existence' | 'reachability'; readonly concept: string }
  | ({ readonly type: 'depth'; readonly concept: string } & Shortfall)
  | ({ readonly type: 'relational'; readonly source: string; readonly target: string } & Shortfall)
);
/** A level, or a relatum on it, that a peer told and that no verdict counts. */
export type InformedPart = {
  readonly concept: string;
  readonly level: DepthLevel;
  /** `null`: the level itself. The target is named by its id where the view does not hold it. */
  readonly relatum: {
    readonly relation: RelationType;
    readonly target: string;
    readonly targetDepth: DepthLevel;
  } | null;
  readonly peer: string;
  readonly bundle: Digest;
};
export type GroundingResult = {
  readonly grounded: boolean;
  readonly resolved: readonly string[];
  readonly gaps: readonly Gap[];
  readonly pathway: readonly Edge[];
  readonly primitives: readonly Primitive[];
  /** What peers told about these concepts without counting; absent where there is nothing. */
  readonly informed?: readonly InformedPart[];
  readonly graph: GraphVersion;
  readonly view: Digest;
};
export interface Grounder {
  check(
    query: { readonly concepts: readonly string[]; readonly minDepth?: DepthLevel; readonly actor?: ActorKey },
    options?: Cancel,
  ): Promise<GroundingResult>;
}
/** Moves with every change of knowledge; metrics never move it. */
export type GraphVersion = { readonly epoch: string; readonly revision: number };
export type ViewSnapshot = { readonly names: readonly string[]; readonly primitives: readonly Primitive[] };
/** The closure of some names. The digest is over the primitives' digests, which the store keeps at write. */
export interface GraphView {
  readonly version: GraphVersion;
  readonly digest: Digest;
  readonly snapshot: () => ViewSnapshot;
}
export type GraphChange =
  | { readonly type: 'put-primitive'; readonly primitive: Primitive }
  | { readonly type: 'put-depth'; readonly primitive: string; readonly depth: Depth }
  | { readonly type: 'put-relatum' | 'remove-relatum'; readonly edge: Edge; readonly provenance: Provenance }
  | { readonly type: 'remove-primitive'; readonly primitive: string; readonly dangling: 'refuse' | 'remove' };
export type GraphApplied =
  /** `notes`: what a batch did that its changes do not name, such as relata that went with a removed primitive; absent where there is nothing. */
  | { readonly type: 'applied'; readonly version: GraphVersion; readonly notes?: readonly Reason[] }
  | { readonly type: 'duplicate'; readonly version: GraphVersion }
  | { readonly type: 'conflict'; readonly actual: GraphVersion }
  | { readonly type: 'refused'; readonly reasons: readonly Reason[] };
export interface GraphStore {
  version(): Promise<GraphVersion>;
  view(names: readonly string[], options?: Cancel): Promise<GraphView>;
  primitives(
    options?: { readonly after?: string; readonly provenance?: Provenance['source'] } & Cancel,
  ): AsyncIterable<Primitive>;
  /** Applied at most once per `id`; all or nothing. */
  apply(
    changes: readonly GraphChange[],
    options: { readonly id: string; readonly expected: GraphVersion | 'any' } & Cancel,
  ): Promise<GraphApplied>;
  /** Metrics, best effort, never on the hot path. */
  count(checks: readonly { readonly concept: string; readonly outcome: 'grounded' | Gap['type'] }[]): void;
  close(): Promise<void>;
}
