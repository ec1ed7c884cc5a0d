import { type DepthLevel, type Digest, digest, foldName, type Json, type Reason } from '@warrant/core';
import type { Bundle } from './format.ts';
import { fingerprint, isSignedBy } from './keys.ts';
import { quote, reason } from './reasons.ts';

/** What a person let one peer do: an entry of the pin file. */
export type Pin = {
  readonly name: string;
  /** `ed25519:` and 32 bytes in base64url. */
  readonly publicKey: string;
  /** Names of concepts, or beginnings of names with a `*` behind. */
  readonly concepts: readonly string[];
  /** The highest level it may speak of. */
  readonly maxLevel: DepthLevel;
  /** Most primitives of one bundle. @default 10000 */
  readonly maxPrimitives: number;
  readonly mode: 'grounds' | 'informs';
  /** When a person pinned it; ISO-8601 UTC. A revoked peer counts again when this is later. */
  readonly pinnedAt: string | null;
};

/** What is remembered of a peer's key between imports, beside the graph. */
export type PeerState = {
  readonly peer: string;
  readonly sequence: number;
  readonly bundle: Digest;
  /** The pin under which the bundle was taken in. */
  readonly pin: Digest;
  readonly importedAt: string;
  readonly revokedAt: string | null;
};
/** By fingerprint of the key: renaming a peer does not make it forget. */
export type PeerStates = Readonly<Record<string, PeerState>>;

/** What a pin allows, as one digest; its time does not count. */
export function pinDigest(pin: Pin): Digest {
  return digest({ ...pin, pinnedAt: null } as unknown as Json);
}

export type Admitted =
  | { readonly type: 'admitted'; readonly pin: Pin }
  | { readonly type: 'duplicate'; readonly pin: Pin }
  | { readonly type: 'refused'; readonly reasons: readonly Reason[] };

/** Whether a bundle may be looked at: who signed it, whether it is new, and what its peer may speak about. Pure. */
export function admitBundle(bundle: Bundle, bundleDigest: Digest, pins: readonly Pin[], states: PeerStates): Admitted {
  const { manifest } = bundle;
  const pin = pins.find(({ name }) => name === manifest.peer);
  if (pin === undefined) {
    const message = `nobody pinned a peer named ${quote(manifest.peer)}`;
    return refused(
      reason('peers.unknown-peer', message, { peer: manifest.peer }, { action: 'pin', command: 'peer add' }),
    );
  }
  if (!isSignedBy(manifest, bundle.signature, pin.publicKey)) {
    const message = `the bundle is not signed by the pinned key of ${quote(pin.name)}`;
    return refused(reason('peers.wrong-signature', message, { peer: pin.name, key: fingerprint(pin.publicKey) }));
  }
  const state = stateOf(pin, states);
  if (isRevoked(pin, state)) return refused(revokedReason(pin, state?.revokedAt ?? ''));
  if (state?.bundle === bundleDigest && state.revokedAt === null && state.pin === pinDigest(pin))
    return { type: 'duplicate', pin };
  const reasons = [...sequenceReasons(bundle, bundleDigest, pin, state), ...scopeReasons(bundle, pin)];
  return reasons.length > 0 ? { type: 'refused', reasons } : { type: 'admitted', pin };
}

/** What is remembered of the key that a pin names. */
export function stateOf(pin: Pin, states: PeerStates): PeerState | undefined {
  const key = fingerprint(pin.publicKey);
  return Object.hasOwn(states, key) ? states[key] : undefined;
}

function isRevoked(pin: Pin, state: PeerState | undefined): boolean {
  if (state === undefined || state.revokedAt === null) return false;
  return pin.pinnedAt === null || Date.parse(pin.pinnedAt) <= Date.parse(state.revokedAt);
}

function revokedReason(pin: Pin, revokedAt: string): Reason {
  const message = `${quote(pin.name)} was revoked and has not been pinned anew`;
  return reason('peers.revoked-peer', message, { peer: pin.name, revokedAt }, { action: 'pin', command: 'peer add' });
}

/** The last bundle may come once more under a changed pin; everything else has to be newer. */
function sequenceReasons(
  { manifest }: Bundle,
  bundleDigest: Digest,
  pin: Pin,
  state: PeerState | undefined,
): readonly Reason[] {
  if (state === undefined || manifest.sequence > state.sequence) return [];
  if (state.bundle === bundleDigest && state.revokedAt === null) return [];
  const message = `bundle ${manifest.sequence} of ${quote(pin.name)} is not newer than ${state.sequence}`;
  return [reason('peers.old-sequence', message, { sequence: manifest.sequence, last: state.sequence })];
}

const MOST_REASONS = 20;

function scopeReasons(bundle: Bundle, pin: Pin): readonly Reason[] {
  const reasons: Reason[] = [];
  const primitives = Object.values(bundle.primitives);
  if (primitives.length > pin.maxPrimitives) {
    const message = `the bundle has ${primitives.length} primitives, and the pin allows ${pin.maxPrimitives}`;
    reasons.push(
      reason('peers.too-many-primitives', message, { primitives: primitives.length, limit: pin.maxPrimitives }),
    );
  }
  const isInScope = scopeOf(pin);
  for (const { name, levels } of primitives) {
    if (reasons.length >= MOST_REASONS) break;
    if (!isInScope(name)) {
      const message = `${quote(pin.name)} may not speak about ${quote(name)}`;
      reasons.push(reason('peers.out-of-scope', message, { concept: name }, { action: 'widen-pin', concept: name }));
    }
    const highest = levels.at(-1)?.level ?? 0;
    if (highest > pin.maxLevel) {
      const message = `${quote(name)} has level ${highest}, and the pin allows ${pin.maxLevel}`;
      reasons.push(reason('peers.level-too-high', message, { concept: name, level: highest, limit: pin.maxLevel }));
    }
  }
  return reasons;
}

/** Whether a pin covers a name, compared by fold keys. */
export function scopeOf(pin: Pick<Pin, 'concepts'>): (name: string) => boolean {
  const exact = new Set<string>();
  const beginnings: string[] = [];
  for (const entry of pin.concepts) {
    if (entry.endsWith('*')) beginnings.push(foldName(entry.slice(0, -1)));
    else exact.add(foldName(entry));
  }
  return (name) => {
    const key = foldName(name);
    return exact.has(key) || beginnings.some((beginning) => key.startsWith(beginning));
  };
}

function refused(...reasons: readonly Reason[]): Admitted {
  return { type: 'refused', reasons };
}
