export type {
  Depth,
  DepthLevel,
  Edge,
  GraphApplied,
  GraphChange,
  GraphStore,
  GraphVersion,
  GraphView,
  Primitive,
  Provenance,
  RelationType,
  Relatum,
  ViewSnapshot,
} from '@warrant/core';
export type { CopyOptions, GraphCopied } from './copy.ts';
export { copyGraph, graphDigest } from './copy.ts';
export type { Difference, GraphDifference } from './difference.ts';
export { diffGraphs } from './difference.ts';
export type { GraphErrorCode } from './errors.ts';
export { GRAPH_LIMITS } from './limits.ts';
export type { GraphFinding, GraphLintCode } from './lint/lint.ts';
export { contiguousDepth, lintGraph, RESERVED_NAMES } from './lint/lint.ts';
export type { MemoryGraphStoreOptions } from './memory-store.ts';
export { createMemoryGraphStore } from './memory-store.ts';
export type { ConceptMetrics, LocalGraphStore } from './metrics.ts';
export type { GraphReasonCode } from './reasons.ts';
export { isDepthLevel, isRelationType, isTransitive, RELATION_TYPES, TRANSITIVE_RELATIONS } from './relations.ts';
