import type { DepthLevel, Digest, JsonObject, RelationType } from '@warrant/core';

/** The first member of every manifest. */
export const BUNDLE_FORMAT = 'warrant.bundle/1';

/** What a bundle may hold at most, whatever a pin allows. */
export const BUNDLE_LIMITS = {
  /** UTF-16 code units of the whole text. */
  length: 64 * 1024 * 1024,
  /** Nesting of lists and objects, properties of levels included. */
  nesting: 48,
  primitives: 200_000,
  nameLength: 512,
  /** Relata of one primitive. */
  relata: 10_000,
} as const;

/** A relatum as it travels: the target by its name, since ids mean nothing elsewhere. */
export type BundleRelatum = {
  readonly relation: RelationType;
  readonly target: string;
  readonly targetDepth: DepthLevel;
  readonly metadata?: JsonObject;
};
export type BundleLevel = {
  readonly level: DepthLevel;
  readonly properties: JsonObject;
  readonly relata: readonly BundleRelatum[];
};
/** A concept as it travels, named by the digest of exactly this. Provenance and policies stay at home. */
export type BundlePrimitive = { readonly name: string; readonly levels: readonly BundleLevel[] };
/** What is signed. Everything else hangs on it by digests. */
export type BundleManifest = {
  readonly format: typeof BUNDLE_FORMAT;
  /** How the publisher calls itself; the key decides who it is. */
  readonly peer: string;
  /** ISO-8601 UTC. */
  readonly createdAt: string;
  /** Grows with every bundle of a key, from 1. */
  readonly sequence: number;
  /** Over the sorted digests of the primitives. */
  readonly graph: Digest;
  /** Digests of the primitives, sorted. */
  readonly primitives: readonly Digest[];
};
export type Bundle = {
  readonly manifest: BundleManifest;
  /** Ed25519 over the format, a line break and the canonical JSON of the manifest; base64. */
  readonly signature: string;
  readonly primitives: Readonly<Record<Digest, BundlePrimitive>>;
};
