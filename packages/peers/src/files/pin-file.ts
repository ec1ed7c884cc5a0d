import type { DepthLevel } from '@warrant/core';
import { type DocumentFault, type DocumentReading, noteFault, readMap, readYaml } from '@warrant/core/documents';
import { parseDocument } from 'yaml';
import { isPublicKey } from '../keys.ts';
import type { Pin } from '../pins.ts';

/** The first member of every pin file. */
export const PIN_FORMAT = 'warrant.peers/1';
/** Most primitives of one bundle where the pin says nothing. */
export const DEFAULT_MAX_PRIMITIVES = 10_000;

export type ParsedPins =
  | { readonly type: 'pins'; readonly pins: readonly Pin[] }
  | { readonly type: 'invalid'; readonly faults: readonly DocumentFault[] };

const KEYS = ['key', 'concepts', 'maxLevel', 'maxPrimitives', 'mode', 'pinnedAt'];
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?Z$/;

/** Reads a pin file (`peers.yaml`); every fault comes with its line. An empty text pins nobody. */
export function parsePins(source: { readonly file: string; readonly text: string | Uint8Array }): ParsedPins {
  if (source.text.length === 0 || (typeof source.text === 'string' && source.text.trim() === ''))
    return { type: 'pins', pins: [] };
  const read = readYaml(source);
  if (read.type === 'faulty') return { type: 'invalid', faults: read.faults };
  const reading: DocumentReading = { document: read.document, faults: [] };
  const pins = readPins(reading);
  return reading.faults.length > 0 ? { type: 'invalid', faults: reading.faults } : { type: 'pins', pins };
}

function readPins(reading: DocumentReading): readonly Pin[] {
  const root = readMap(reading, reading.document.value, [], ['format', 'peers']);
  if (root['format'] !== PIN_FORMAT) noteFault(reading, ['format'], 'wrong-format', 'another format', PIN_FORMAT);
  const peers = readMap(reading, root['peers'] ?? {}, ['peers'], null);
  const pins = Object.entries(peers).map(([name, value]) => readPin(reading, name, value));
  const keys = new Map<string, string>();
  for (const { name, publicKey } of pins) {
    const other = keys.get(publicKey);
    if (other !== undefined) noteFault(reading, ['peers', name, 'key'], 'same-key', `${other} has the same key`);
    keys.set(publicKey, name);
  }
  return pins;
}

function readPin(reading: DocumentReading, name: string, value: unknown): Pin {
  const path = ['peers', name];
  const pin = readMap(reading, value, path, KEYS);
  if (name === '' || name.length > 512)
    noteFault(reading, path, 'wrong-name', 'a peer has a name of at most 512 characters');
  const { key, maxLevel, maxPrimitives = DEFAULT_MAX_PRIMITIVES, mode, pinnedAt = null } = pin;
  if (typeof key !== 'string' || !isPublicKey(key))
    noteFault(reading, [...path, 'key'], 'wrong-key', 'not a public key', 'ed25519: and 43 characters');
  if (!isWhole(maxLevel, 0, 4)) noteFault(reading, [...path, 'maxLevel'], 'wrong-level', 'not a level', '0 to 4');
  if (!isWhole(maxPrimitives, 0, 1_000_000))
    noteFault(reading, [...path, 'maxPrimitives'], 'wrong-count', 'not a number of primitives', '0 to 1000000');
  if (mode !== 'grounds' && mode !== 'informs')
    noteFault(reading, [...path, 'mode'], 'wrong-mode', 'not a mode', 'grounds or informs');
  if (pinnedAt !== null && (typeof pinnedAt !== 'string' || !TIME.test(pinnedAt)))
    noteFault(reading, [...path, 'pinnedAt'], 'wrong-time', 'not a time', 'ISO-8601 in UTC');
  return {
    name,
    publicKey: String(key),
    concepts: readScope(reading, pin['concepts'], [...path, 'concepts']),
    maxLevel: maxLevel as DepthLevel,
    maxPrimitives: maxPrimitives as number,
    mode: mode as Pin['mode'],
    pinnedAt: pinnedAt as string | null,
  };
}

function readScope(reading: DocumentReading, value: unknown, path: readonly (string | number)[]): readonly string[] {
  const isList = Array.isArray(value) && value.every((entry) => typeof entry === 'string' && entry !== '');
  if (!isList) noteFault(reading, path, 'wrong-scope', 'not a list of names of concepts', "such as [cluster, 'kube*']");
  return isList ? (value as readonly string[]) : [];
}

function isWhole(value: unknown, least: number, most: number): boolean {
  return Number.isInteger(value) && (value as number) >= least && (value as number) <= most;
}

/** An entry of the pin file as text, to be read by a person before it counts. */
export function formatPin(pin: Pin): string {
  return withPin('', pin);
}

/** A sound pin file with an entry added or replaced; what stands in it otherwise stays. */
export function withPin(text: string, pin: Pin): string {
  // Comparing every key with all before it takes time that grows with the square of the pins; a sound file repeats none.
  const document = parseDocument(text.trim() === '' ? `format: ${PIN_FORMAT}\n` : text, { uniqueKeys: false });
  const { name, publicKey: key, concepts, maxLevel, maxPrimitives, mode, pinnedAt } = pin;
  const entry = { key, concepts, maxLevel, maxPrimitives, mode, ...(pinnedAt === null ? {} : { pinnedAt }) };
  if (document.get('peers') == null) document.set('peers', document.createNode({}));
  document.setIn(['peers', name], document.createNode(entry));
  return document.toString({ lineWidth: 120 });
}
