import type { JsonObject, Reason } from '@warrant/core';

/** Why a bundle, or what is to be done with it, is refused. */
export type PeerReasonCode =
  | 'peers.malformed'
  | 'peers.too-large'
  | 'peers.nested-too-deep'
  | 'peers.digest-mismatch'
  | 'peers.unknown-peer'
  | 'peers.revoked-peer'
  | 'peers.wrong-signature'
  | 'peers.old-sequence'
  | 'peers.out-of-scope'
  | 'peers.level-too-high'
  | 'peers.too-many-primitives'
  | 'peers.confusable-name'
  | 'peers.reserved-name'
  | 'peers.unknown-target'
  | 'peers.cycle'
  | 'peers.plan-changed'
  | 'peers.missing-bundle'
  | 'peers.graph-changing';

export function reason(code: PeerReasonCode, message: string, data: JsonObject, remedy?: JsonObject): Reason {
  return remedy === undefined ? { code, message, data } : { code, message, data, remedy };
}

/** A text from outside as messages show it: in quotes, short, nothing in it live. */
export function quote(text: string): string {
  const short = text.length > 80 ? `${text.slice(0, 77)}...` : text;
  return JSON.stringify(short).replace(
    /[\u007f-\u009f\p{Cf}]/gu,
    (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`,
  );
}
