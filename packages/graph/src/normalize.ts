import type {
  Depth,
  DepthLevel,
  JsonObject,
  Primitive,
  Provenance,
  Reason,
  RelationType,
  Relatum,
} from '@warrant/core';
import { isWarrantError } from '@warrant/core';
import type { Interner } from './interner.ts';
import { GRAPH_LIMITS } from './limits.ts';
import { graphReason } from './reasons.ts';
import { isDepthLevel, isRelationType } from './relations.ts';
import { isText, quote } from './text.ts';

const SOURCES: readonly unknown[] = ['authored', 'learned', 'peer'];
const ISO_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/;

/** What the checks of one batch share: where faults are gathered, and the provenance objects met so far. */
export type Place = {
  readonly reasons: Reason[];
  readonly interner: Interner;
  readonly provenances: Map<object, Provenance>;
  /** The provenance met last, as it was given and as it is kept: most often it comes again at once. */
  recent: { readonly given: object; readonly kept: Provenance } | null;
  /** The steps that lead to the part under check; its path is put together only when there is a fault to tell. */
  readonly at: (string | number)[];
};

/** A place for one batch. It must not outlive the call: objects of the caller are known by identity in it. */
export function createPlace(interner: Interner): Place {
  return { reasons: [], interner, provenances: new Map(), recent: null, at: [] };
}

const PRIMITIVE_KEYS: readonly string[] = ['id', 'name', 'depths', 'provenance'];
const DEPTH_KEYS: readonly string[] = ['level', 'properties', 'relata', 'provenance'];
const RELATUM_KEYS: readonly string[] = ['relation', 'target', 'targetDepth', 'provenance', 'metadata'];
const PROVENANCE_KEYS: readonly string[] = ['source', 'at', 'proposalId', 'document', 'peer'];
const PEER_KEYS: readonly string[] = ['name', 'bundle', 'sequence', 'mode'];

/** The normal form of a primitive that came from outside, not frozen yet; undefined with the faults noted. */
export function normalizePrimitive(value: unknown, place: Place): Primitive | undefined {
  if (!isRecord(value)) return invalid(place, '', 'a primitive is an object');
  if (!hasOnly(value, PRIMITIVE_KEYS, place)) return undefined;
  const { id, name, depths } = value;
  if (!isText(id, GRAPH_LIMITS.idLength)) return badText(place, 'id', id, GRAPH_LIMITS.idLength);
  if (!isText(name, GRAPH_LIMITS.nameLength)) return badText(place, 'name', name, GRAPH_LIMITS.nameLength);
  if (!Array.isArray(depths)) return invalid(place, 'depths', 'depths are a list');
  if (depths.length > 5) return invalid(place, 'depths', 'a primitive has at most five levels');
  const provenance = normalizeProvenance(value['provenance'], place);
  const levels = normalizeList(depths, 'depths', normalizeDepth, place);
  if (provenance === undefined || levels === undefined) return undefined;
  const sorted = sortLevels(levels, place);
  return sorted === undefined ? undefined : { id, name, depths: sorted, provenance };
}

function normalizeList<T>(
  values: readonly unknown[],
  key: string,
  normalize: (value: unknown, place: Place) => T | undefined,
  place: Place,
): T[] | undefined {
  const items: T[] = [];
  const { at } = place;
  at.push(key, 0);
  for (let index = 0; index < values.length; index += 1) {
    at[at.length - 1] = index;
    const item = normalize(values[index], place);
    if (item !== undefined) items.push(item);
  }
  at.pop();
  at.pop();
  return items.length === values.length ? items : undefined;
}

function sortLevels(levels: Depth[], place: Place): Depth[] | undefined {
  let relata = 0;
  let isSorted = true;
  let last = -1;
  for (const depth of levels) {
    relata += depth.relata.length;
    if (depth.level <= last) isSorted = false;
    last = depth.level;
  }
  if (relata > GRAPH_LIMITS.relata) return tooMany(place, 'depths', 'relata of one primitive', GRAPH_LIMITS.relata);
  if (isSorted) return levels;
  levels.sort((left, right) => left.level - right.level);
  const repeated = levels.find((depth, index) => index > 0 && levels[index - 1]?.level === depth.level);
  if (repeated !== undefined) return invalid(place, 'depths', `level ${repeated.level} is there twice`);
  return levels;
}

/** The normal form of one level, not frozen yet. */
export function normalizeDepth(value: unknown, place: Place): Depth | undefined {
  if (!isRecord(value)) return invalid(place, '', 'a level is an object');
  if (!hasOnly(value, DEPTH_KEYS, place)) return undefined;
  const { level, relata } = value;
  if (!isDepthLevel(level)) return invalid(place, 'level', 'a level is 0, 1, 2, 3 or 4');
  if (!Array.isArray(relata)) return invalid(place, 'relata', 'relata are a list');
  if (relata.length > GRAPH_LIMITS.relata) return tooMany(place, 'relata', 'relata', GRAPH_LIMITS.relata);
  const properties = normalizeObject(value['properties'], 'properties', GRAPH_LIMITS.propertiesLength, place);
  const provenance = normalizeProvenance(value['provenance'], place);
  const items = normalizeList(relata, 'relata', normalizeRelatum, place);
  if (properties === undefined || provenance === undefined || items === undefined) return undefined;
  // A level of -0 is stored as 0.
  return { level: level === 0 ? 0 : level, properties, relata: distinctRelata(items), provenance };
}

/** Relata are equal when relation, target and target depth are; metadata and provenance do not count. */
export function relatumKey(relatum: {
  readonly relation: RelationType;
  readonly target: string;
  readonly targetDepth: DepthLevel;
}): string {
  return `${relatum.relation} ${relatum.targetDepth} ${relatum.target}`;
}

function distinctRelata(relata: readonly Relatum[]): readonly Relatum[] {
  if (relata.length < 2) return relata;
  if (relata.length === 2) return isEqual(relata[0] as Relatum, relata[1] as Relatum) ? relata.slice(0, 1) : relata;
  const seen = new Set<string>();
  return relata.filter((relatum) => {
    const size = seen.size;
    return seen.add(relatumKey(relatum)).size > size;
  });
}

function isEqual(left: Relatum, right: Relatum): boolean {
  return left.target === right.target && left.relation === right.relation && left.targetDepth === right.targetDepth;
}

function normalizeRelatum(value: unknown, place: Place): Relatum | undefined {
  if (!isRecord(value)) return invalid(place, '', 'a relatum is an object');
  if (!hasOnly(value, RELATUM_KEYS, place)) return undefined;
  const { relation, target, targetDepth, metadata } = value;
  if (!isRelationType(relation)) return invalid(place, 'relation', 'not one of the five relations');
  if (!isText(target, GRAPH_LIMITS.idLength)) return badText(place, 'target', target, GRAPH_LIMITS.idLength);
  if (!isDepthLevel(targetDepth)) return invalid(place, 'targetDepth', 'a target depth is 0, 1, 2, 3 or 4');
  const provenance = normalizeProvenance(value['provenance'], place);
  if (provenance === undefined) return undefined;
  const depth = targetDepth === 0 ? 0 : targetDepth;
  if (metadata === undefined) return { relation, target, targetDepth: depth, provenance };
  const kept = normalizeObject(metadata, 'metadata', GRAPH_LIMITS.metadataLength, place);
  return kept === undefined ? undefined : { relation, target, targetDepth: depth, provenance, metadata: kept };
}

/** The frozen, shared form of a provenance. */
export function normalizeProvenance(value: unknown, place: Place): Provenance | undefined {
  if (place.recent !== null && place.recent.given === value) return place.recent.kept;
  const known = place.provenances.get(value as object);
  if (known !== undefined) {
    place.recent = { given: value as object, kept: known };
    return known;
  }
  if (!isRecord(value)) return invalid(place, 'provenance', 'a provenance is an object');
  place.at.push('provenance');
  const kept = checkProvenance(value, place);
  place.at.pop();
  if (kept !== undefined) place.provenances.set(value, kept);
  return kept;
}

function checkProvenance(value: Record<string, unknown>, place: Place): Provenance | undefined {
  if (!hasOnly(value, PROVENANCE_KEYS, place)) return undefined;
  const { source, at, proposalId, document, peer } = value;
  if (!SOURCES.includes(source)) return invalid(place, 'source', 'a source is authored, learned or peer');
  if (typeof at !== 'string' || !ISO_TIME.test(at) || Number.isNaN(Date.parse(at))) {
    return invalid(place, 'at', 'not an ISO-8601 time with a zone');
  }
  if (proposalId !== undefined && !isText(proposalId, 1024)) return badText(place, 'proposalId', proposalId, 1024);
  if (document !== undefined && !isText(document, 1024)) return badText(place, 'document', document, 1024);
  if (peer !== undefined && !isPeer(source, peer, place)) return undefined;
  const given = Object.entries(value).filter((entry) => entry[1] !== undefined);
  return place.interner.provenance(Object.fromEntries(given) as Provenance);
}

function isPeer(source: unknown, peer: unknown, place: Place): boolean {
  if (source !== 'peer' || !isRecord(peer)) {
    invalid(place, 'peer', 'only what came from a peer names one');
    return false;
  }
  if (!hasOnly(peer, PEER_KEYS, place)) return false;
  const { name, bundle, sequence, mode } = peer;
  const isSound =
    isText(name, GRAPH_LIMITS.nameLength) &&
    typeof bundle === 'string' &&
    /^sha256:[0-9a-f]{64}$/.test(bundle) &&
    Number.isSafeInteger(sequence) &&
    (sequence as number) >= 1 &&
    (mode === 'grounds' || mode === 'informs');
  if (!isSound) invalid(place, 'peer', 'a peer has a name, the digest of a bundle, a sequence and a mode');
  return isSound;
}

function normalizeObject(value: unknown, key: string, limit: number, place: Place): JsonObject | undefined {
  if (!isRecord(value)) return invalid(place, key, 'not an object of JSON values');
  try {
    const object = place.interner.object(value as JsonObject);
    if (place.interner.textOf(object).length > limit) return tooMany(place, key, 'characters', limit);
    return object;
  } catch (error) {
    if (!isWarrantError(error)) throw error;
    return invalid(place, key, error.message);
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function hasOnly(value: Record<string, unknown>, keys: readonly string[], place: Place): boolean {
  for (const key in value) {
    if (keys.includes(key)) continue;
    invalid(place, '', `unknown key ${quote(key)}`);
    return false;
  }
  return true;
}

/** Notes that a text is missing, malformed or too long. */
export function badText(place: Place, key: string, value: unknown, limit: number): undefined {
  if (typeof value === 'string' && value.length > limit) return tooMany(place, key, 'characters', limit);
  return invalid(place, key, 'not a text, empty, or with a lone surrogate');
}

/** Notes a fault at the part under check, or at its member `key`. */
export function invalid(place: Place, key: string, problem: string): undefined {
  const path = pathOf(place, key);
  place.reasons.push(graphReason('graph.invalid', `${problem} (at ${path})`, { path, problem }));
  return undefined;
}

function tooMany(place: Place, key: string, what: string, limit: number): undefined {
  const path = pathOf(place, key);
  const message = `more than ${limit} ${what} (at ${path})`;
  place.reasons.push(graphReason('graph.limit', message, { path, what, limit }));
  return undefined;
}

function pathOf(place: Place, key: string): string {
  return `/${(key === '' ? place.at : [...place.at, key]).join('/')}`;
}
