export type { Exported, ExportRequest } from './export.ts';
export { exportBundle } from './export.ts';
export type {
  Bundle,
  BundleLevel,
  BundleManifest,
  BundlePrimitive,
  BundleRelatum,
} from './format.ts';
export { BUNDLE_FORMAT, BUNDLE_LIMITS } from './format.ts';
export type { BundleStore, PeerImportParts, PlannedBundle, ProposedImport } from './imports.ts';
export { PEER_IMPORT_KIND, peerImportKind, planBundle, proposePeerImport } from './imports.ts';
export type { PeerKeys } from './keys.ts';
export { fingerprint, generatePeerKeys, isPublicKey, isSignedBy, publicKeyOf, signManifest } from './keys.ts';
export type { LocalGraph } from './local-graph.ts';
export { localGraph, readLocalGraph } from './local-graph.ts';
export type { Contradiction } from './merge.ts';
export type { ParsedBundle } from './parse-bundle.ts';
export { formatBundle, graphDigest, parseBundle } from './parse-bundle.ts';
export type { Admitted, PeerState, PeerStates, Pin } from './pins.ts';
export { admitBundle, pinDigest, scopeOf, stateOf } from './pins.ts';
export type { PeerPlan, PlanCounts, PlanInput, PlannedPeerImport } from './plan.ts';
export { planPeerImport } from './plan.ts';
export type { PeerReasonCode } from './reasons.ts';
export type { JudgeConcept, RevocationPlan, Revoked, RevokeParts } from './revoke.ts';
export { planRevocation, revokePeer } from './revoke.ts';
export type { PeerStateStore } from './state-store.ts';
export { createMemoryPeerStates } from './state-store.ts';
