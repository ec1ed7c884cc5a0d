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
};

/** A place for one batch. It must not outlive the call: objects of the caller are known by identity in it. */
export function createPlace(interner: Interner): Place {
  return { reasons: [], interner, provenances: new Map() };
}

/** The frozen normal form of a primitive that came from outside, or undefined with the faults noted. */
export function normalizePrimitive(value: unknown, path: string, place: Place): Primitive | undefined {
  if (!isRecord(value)) return invalid(place, path, 'a primitive is an object');
  if (!hasOnly(value, ['id', 'name', 'depths', 'provenance'], path, place)) return undefined;
  const { id, name, depths } = value;
  if (!isText(id, GRAPH_LIMITS.idLength)) return badText(place, `${path}/id`, id, GRAPH_LIMITS.idLength);
  if (!isText(name, GRAPH_LIMITS.nameLength)) return badText(place, `${path}/name`, name, GRAPH_LIMITS.nameLength);
  if (!Array.isArray(depths)) return invalid(place, `${path}/depths`, 'depths are a list');
  if (depths.length > 5) return invalid(place, `${path}/depths`, 'a primitive has at most five levels');
  const provenance = normalizeProvenance(value['provenance'], `${path}/provenance`, place);
  const levels = depths.map((depth, index) => normalizeDepth(depth, `${path}/depths/${index}`, place));
  if (provenance === undefined || !levels.every((level) => level !== undefined)) return undefined;
  return assemblePrimitive({ id, name, provenance }, levels, path, place);
}

function assemblePrimitive(
  head: Omit<Primitive, 'depths'>,
  levels: readonly Depth[],
  path: string,
  place: Place,
): Primitive | undefined {
  const sorted = levels.every((depth, index) => index === 0 || (levels[index - 1] as Depth).level < depth.level)
    ? levels
    : [...levels].sort((left, right) => left.level - right.level);
  const repeated = sorted.find((depth, index) => index > 0 && sorted[index - 1]?.level === depth.level);
  if (repeated !== undefined) return invalid(place, `${path}/depths`, `level ${repeated.level} is there twice`);
  const relata = sorted.reduce((sum, depth) => sum + depth.relata.length, 0);
  if (relata > GRAPH_LIMITS.relata) return tooMany(place, path, 'relata of one primitive', GRAPH_LIMITS.relata);
  return freezePrimitive(head, sorted);
}

/** Freezes the parts that are new; `depths` ascend by level. */
export function freezePrimitive(head: Omit<Primitive, 'depths'>, depths: readonly Depth[]): Primitive {
  return Object.freeze({
    id: head.id,
    name: head.name,
    depths: Object.freeze(depths),
    provenance: head.provenance,
  });
}

/** The frozen normal form of one level. */
export function normalizeDepth(value: unknown, path: string, place: Place): Depth | undefined {
  if (!isRecord(value)) return invalid(place, path, 'a level is an object');
  if (!hasOnly(value, ['level', 'properties', 'relata', 'provenance'], path, place)) return undefined;
  const { level, relata } = value;
  if (!isDepthLevel(level)) return invalid(place, `${path}/level`, 'a level is 0, 1, 2, 3 or 4');
  if (!Array.isArray(relata)) return invalid(place, `${path}/relata`, 'relata are a list');
  if (relata.length > GRAPH_LIMITS.relata) return tooMany(place, `${path}/relata`, 'relata', GRAPH_LIMITS.relata);
  const properties = normalizeObject(value['properties'], `${path}/properties`, GRAPH_LIMITS.propertiesLength, place);
  const provenance = normalizeProvenance(value['provenance'], `${path}/provenance`, place);
  const items = relata.map((relatum, index) => normalizeRelatum(relatum, `${path}/relata/${index}`, place));
  if (properties === undefined || provenance === undefined) return undefined;
  if (!items.every((item) => item !== undefined)) return undefined;
  return freezeDepth({ level: level === 0 ? 0 : level, properties, provenance }, distinctRelata(items));
}

/** A frozen level. */
export function freezeDepth(head: Omit<Depth, 'relata'>, relata: readonly Relatum[]): Depth {
  return Object.freeze({
    level: head.level,
    properties: head.properties,
    relata: Object.freeze(relata),
    provenance: head.provenance,
  });
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
  const seen = new Set<string>();
  const distinct = relata.filter((relatum) => {
    const size = seen.size;
    return seen.add(relatumKey(relatum)).size > size;
  });
  return distinct.length === relata.length ? relata : distinct;
}

function normalizeRelatum(value: unknown, path: string, place: Place): Relatum | undefined {
  if (!isRecord(value)) return invalid(place, path, 'a relatum is an object');
  if (!hasOnly(value, ['relation', 'target', 'targetDepth', 'provenance', 'metadata'], path, place)) return undefined;
  const { relation, target, targetDepth, metadata } = value;
  if (!isRelationType(relation)) return invalid(place, `${path}/relation`, 'not one of the five relations');
  if (!isText(target, GRAPH_LIMITS.idLength)) return badText(place, `${path}/target`, target, GRAPH_LIMITS.idLength);
  if (!isDepthLevel(targetDepth)) return invalid(place, `${path}/targetDepth`, 'a target depth is 0, 1, 2, 3 or 4');
  const provenance = normalizeProvenance(value['provenance'], `${path}/provenance`, place);
  if (provenance === undefined) return undefined;
  const relatum = { relation, target, targetDepth: targetDepth === 0 ? (0 as const) : targetDepth, provenance };
  if (metadata === undefined) return Object.freeze(relatum);
  const kept = normalizeObject(metadata, `${path}/metadata`, GRAPH_LIMITS.metadataLength, place);
  return kept === undefined ? undefined : Object.freeze({ ...relatum, metadata: kept });
}

/** The frozen, shared form of a provenance. */
export function normalizeProvenance(value: unknown, path: string, place: Place): Provenance | undefined {
  if (!isRecord(value)) return invalid(place, path, 'a provenance is an object');
  const known = place.provenances.get(value);
  if (known !== undefined) return known;
  if (!hasOnly(value, ['source', 'at', 'proposalId', 'document'], path, place)) return undefined;
  const { source, at, proposalId, document } = value;
  if (!SOURCES.includes(source)) return invalid(place, `${path}/source`, 'a source is authored, learned or peer');
  if (typeof at !== 'string' || !ISO_TIME.test(at) || Number.isNaN(Date.parse(at))) {
    return invalid(place, `${path}/at`, 'not an ISO-8601 time with a zone');
  }
  for (const [key, text] of [
    ['proposalId', proposalId],
    ['document', document],
  ] as const) {
    if (text !== undefined && !isText(text, 1024)) return badText(place, `${path}/${key}`, text, 1024);
  }
  const kept = place.interner.provenance(dropUndefined(value) as Provenance);
  place.provenances.set(value, kept);
  return kept;
}

function dropUndefined(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter((entry) => entry[1] !== undefined));
}

function normalizeObject(value: unknown, path: string, limit: number, place: Place): JsonObject | undefined {
  if (!isRecord(value)) return invalid(place, path, 'not an object of JSON values');
  try {
    const object = place.interner.object(value as JsonObject);
    if (place.interner.textOf(object).length > limit) return tooMany(place, path, 'characters', limit);
    return object;
  } catch (error) {
    if (!isWarrantError(error)) throw error;
    return invalid(place, path, error.message);
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function hasOnly(value: Record<string, unknown>, keys: readonly string[], path: string, place: Place): boolean {
  for (const key of Object.keys(value)) {
    if (!keys.includes(key)) {
      invalid(place, path, `unknown key ${quote(key)}`);
      return false;
    }
  }
  return true;
}

function badText(place: Place, path: string, value: unknown, limit: number): undefined {
  if (typeof value === 'string' && value.length > limit) return tooMany(place, path, 'characters', limit);
  return invalid(place, path, 'not a text, empty, or with a lone surrogate');
}

function invalid(place: Place, path: string, problem: string): undefined {
  place.reasons.push(graphReason('graph.invalid', `${problem} (at ${path})`, { path, problem }));
  return undefined;
}

function tooMany(place: Place, path: string, what: string, limit: number): undefined {
  const message = `more than ${limit} ${what} (at ${path})`;
  place.reasons.push(graphReason('graph.limit', message, { path, what, limit }));
  return undefined;
}
