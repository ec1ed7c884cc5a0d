import { createHash, createPrivateKey, createPublicKey, type KeyObject, randomBytes, sign, verify } from 'node:crypto';
import { fault } from './errors.ts';

// Signed notes of the C2SP (https://c2sp.org/signed-note): text that ends in a newline, an empty line, and signature
// lines "— name base64(4 bytes of key id, signature)".
const ED25519 = 1;
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
const SPKI = Buffer.from('302a300506032b6570032100', 'hex');
/** Bounds what a reader of foreign notes looks at. */
const MAX_NOTE_BYTES = 1_000_000;
const MAX_SIGNATURES = 100;

export type Signer = { readonly name: string; readonly sign: (text: string) => Uint8Array; readonly keyId: Uint8Array };
export type Verifier = {
  readonly name: string;
  readonly keyId: Uint8Array;
  readonly verify: (text: string, signature: Uint8Array) => boolean;
};
export type OpenedNote = { readonly text: string; readonly signedBy: readonly string[] };

/** A new Ed25519 key pair as text: `PRIVATE+KEY+name+id+key` for the signer, `name+id+key` for everyone. */
export function generateNoteKey(name: string): { readonly signer: string; readonly verifier: string } {
  if (!isName(name)) throw invalidKey('the name of a key must not be empty nor hold spaces or a plus sign');
  const seed = randomBytes(32);
  const publicKey = publicOf(seed);
  const id = keyId(name, publicKey).toString('hex');
  const encode = (key: Buffer): string => Buffer.concat([Buffer.of(ED25519), key]).toString('base64');
  return {
    signer: `PRIVATE+KEY+${name}+${id}+${encode(seed)}`,
    verifier: `${name}+${id}+${encode(publicKey)}`,
  };
}

/** @throws JOURNAL_INVALID_KEY; its message never holds the key */
export function parseSigner(text: string): Signer {
  const match = /^PRIVATE\+KEY\+([^+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+=*)$/.exec(text.trim());
  if (match === null) throw invalidKey('not a signing key of the form PRIVATE+KEY+name+id+key');
  const [, name, id, encoded] = match as unknown as [string, string, string, string];
  const seed = decodeKey(encoded);
  const expected = keyId(name, publicOf(seed));
  if (!isName(name) || expected.toString('hex') !== id) throw invalidKey('name and id do not belong to the key');
  const privateKey = privateOf(seed);
  return { name, keyId: expected, sign: (note) => sign(null, Buffer.from(note), privateKey) };
}

/** @throws JOURNAL_INVALID_KEY */
export function parseVerifier(text: string): Verifier {
  const match = /^([^+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+=*)$/.exec(text.trim());
  if (match === null) throw invalidKey('not a verifying key of the form name+id+key');
  const [, name, id, encoded] = match as unknown as [string, string, string, string];
  const bytes = decodeKey(encoded);
  const expected = keyId(name, bytes);
  if (!isName(name) || expected.toString('hex') !== id) throw invalidKey('name and id do not belong to the key');
  const key = createPublicKey({ key: Buffer.concat([SPKI, bytes]), format: 'der', type: 'spki' });
  return { name, keyId: expected, verify: (note, signature) => verify(null, Buffer.from(note), key, signature) };
}

/** Signs text, which has to end in a newline. @throws JOURNAL_INVALID_CHECKPOINT for other text */
export function signNote(text: string, signers: readonly Signer[]): string {
  if (!isNoteText(text)) throw fault('JOURNAL_INVALID_CHECKPOINT', 'the text of a note must end in a newline');
  const lines = signers.map(
    (signer) => `— ${signer.name} ${Buffer.concat([signer.keyId, signer.sign(text)]).toString('base64')}\n`,
  );
  return `${text}\n${lines.join('')}`;
}

/**
 * The text of a note and the known signers. Signatures by unknown keys are passed over, a wrong one by a known key is
 * not.
 * @throws JOURNAL_INVALID_CHECKPOINT for what is no note, a wrong signature, or a note that no known key signed
 */
export function openNote(note: string, verifiers: readonly Verifier[]): OpenedNote {
  const { text, signatures } = splitNote(note);
  const signedBy: string[] = [];
  for (const line of signatures) {
    const match = /^— (\S+) ([A-Za-z0-9+/]+=*)$/.exec(line);
    const bytes = match === null ? Buffer.alloc(0) : Buffer.from(match[2] as string, 'base64');
    if (match === null || bytes.length < 5 || bytes.toString('base64') !== match[2])
      throw invalidNote('a signature line is malformed');
    const name = match[1] as string;
    const verifier = verifiers.find((one) => one.name === name && bytes.subarray(0, 4).equals(one.keyId));
    if (verifier === undefined || signedBy.includes(verifier.name)) continue;
    if (!verifier.verify(text, bytes.subarray(4))) throw invalidNote(`the signature of ${name} is wrong`);
    signedBy.push(verifier.name);
  }
  if (signedBy.length === 0) throw invalidNote('no known key signed it');
  return { text, signedBy };
}

/** Text and signature lines of a note, unchecked. @throws JOURNAL_INVALID_CHECKPOINT */
export function splitNote(note: string): { readonly text: string; readonly signatures: readonly string[] } {
  const end = note.lastIndexOf('\n\n');
  if (note.length > MAX_NOTE_BYTES || end < 0 || !note.endsWith('\n')) throw invalidNote('it is not a signed note');
  const text = note.slice(0, end + 1);
  const signatures = note.slice(end + 2, -1).split('\n');
  if (!isNoteText(text) || signatures.length > MAX_SIGNATURES) throw invalidNote('it is not a signed note');
  if (signatures.some((line) => !line.startsWith('— '))) throw invalidNote('it is not a signed note');
  return { text, signatures };
}

function isNoteText(text: string): boolean {
  return text.endsWith('\n') && ![...text].some((one) => (one < ' ' && one !== '\n') || one === '\u007f');
}

function isName(name: string): boolean {
  return /^[^\s+]+$/u.test(name);
}

function keyId(name: string, publicKey: Uint8Array): Buffer {
  return createHash('sha256').update(`${name}\n`).update(Buffer.of(ED25519)).update(publicKey).digest().subarray(0, 4);
}

function decodeKey(encoded: string): Buffer {
  const bytes = Buffer.from(encoded, 'base64');
  if (bytes.length !== 33 || bytes[0] !== ED25519) throw invalidKey('not an Ed25519 key');
  return bytes.subarray(1);
}

function privateOf(seed: Buffer): KeyObject {
  return createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });
}

function publicOf(seed: Buffer): Buffer {
  return createPublicKey(privateOf(seed)).export({ format: 'der', type: 'spki' }).subarray(SPKI.length);
}

function invalidKey(message: string): Error {
  return fault('JOURNAL_INVALID_KEY', message);
}

function invalidNote(message: string): Error {
  return fault('JOURNAL_INVALID_CHECKPOINT', `checkpoint: ${message}`);
}
