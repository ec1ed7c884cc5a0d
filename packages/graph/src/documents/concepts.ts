import { type DepthLevel, foldName, type JsonObject, nearest, type RelationType } from '@warrant/core';
import { isMap, isScalar, isSeq } from 'yaml';
import { GRAPH_LIMITS } from '../limits.ts';
import { relatumKey } from '../normalize.ts';
import { isRelationType, RELATION_TYPES } from '../relations.ts';
import { quote } from '../text.ts';
import { type DocumentConcept, type DocumentLevel, type DocumentRelatum, LEVEL_WORDS } from './format.ts';
import {
  type At,
  checkSize,
  checkText,
  isNothing,
  levelOf,
  type Member,
  note,
  noteUnknown,
  placeOf,
  readJson,
  readLevel,
  readList,
  readMap,
  readObject,
  readText,
} from './reader.ts';

const LEVEL_KEYS: readonly string[] = ['text', 'properties', ...RELATION_TYPES];

/** The concepts of a document, with what can be read of each; undefined where it cannot be told which there are. */
export function readConcepts(at: At): readonly DocumentConcept[] | undefined {
  const members = isNothing(at) ? [] : readMap(at, 'concepts');
  return members?.map(readConcept);
}

function readConcept({ key: written, at, value }: Member): DocumentConcept {
  // Who targets a name that is written wrong here means this concept.
  const name = checkText(at, written, 'a name', GRAPH_LIMITS.nameLength) ?? written.trim();
  const members = isNothing(value) ? [] : (readMap(value, 'a concept') ?? []);
  const levels: DocumentLevel[] = [];
  let id: string | null = null;
  for (const member of members) {
    if (member.key === 'id') {
      id = readText(member.value, 'an id', GRAPH_LIMITS.idLength) ?? null;
      continue;
    }
    const level = readLevelMember(member);
    if (level === undefined) continue;
    if (levels.some((other) => other.level === level.level)) {
      note(member.at, 'document.duplicate-key', `level ${level.level} of ${quote(name)} is there twice`);
      continue;
    }
    levels.push(level);
  }
  levels.sort((left, right) => left.level - right.level);
  return { name, key: foldName(name), id, place: placeOf(at), levels };
}

function readLevelMember({ key, at, value }: Member): DocumentLevel | undefined {
  const level = levelOf(key);
  if (level === 'out-of-range') return note(at, 'document.depth-range', `the depth ${quote(key)} is not 0 to 4`);
  if (level === null) {
    const meant = nearest(key, [...LEVEL_WORDS, 'id']);
    return note(at, 'document.unknown-key', `a concept has no key ${quote(key)}`, meant);
  }
  const place = placeOf(at);
  if (isNothing(value)) return { level, place, properties: {}, relata: [] };
  if (isScalar(value.node) && typeof value.node.value === 'string') {
    const properties = propertiesOf(value, { text: readJson(value) ?? '' });
    return { level, place, properties, relata: [] };
  }
  const members = readMap(value, 'a level (or its text alone)');
  if (members === undefined) return undefined;
  const properties = propertiesOf(value, readProperties(members));
  const relata = members.flatMap((member) => readRelation(member));
  noteRepeats(relata, at);
  return { level, place, properties, relata };
}

function propertiesOf(at: At, properties: JsonObject): JsonObject {
  checkSize(at, properties, 'properties', GRAPH_LIMITS.propertiesLength);
  return properties;
}

function readProperties(members: readonly Member[]): JsonObject {
  const text = members.find((member) => member.key === 'text');
  const properties = members.find((member) => member.key === 'properties');
  const object =
    properties === undefined || isNothing(properties.value) ? {} : (readObject(properties.value, 'properties') ?? {});
  if (text === undefined) return object;
  if (!isScalar(text.value.node) || typeof text.value.node.value !== 'string') {
    note(text.value, 'document.type', 'the text of a level is a text');
    return object;
  }
  if (Object.hasOwn(object, 'text')) note(text.at, 'document.duplicate-key', 'the text is there twice');
  return { text: readJson(text.value) ?? '', ...object };
}

function readRelation({ key, at, value }: Member): readonly DocumentRelatum[] {
  if (key === 'text' || key === 'properties') return [];
  if (!isRelationType(key)) {
    const isList = isMap(value.node) || isSeq(value.node);
    const code = isList ? 'document.unknown-relation' : 'document.unknown-key';
    const message = isList ? `there is no relation ${quote(key)}` : `a level has no key ${quote(key)}`;
    note(at, code, message, nearest(key, isList ? RELATION_TYPES : LEVEL_KEYS));
    return [];
  }
  if (isNothing(value)) return [];
  if (isMap(value.node)) return (readMap(value, 'a relation') ?? []).flatMap((member) => readTarget(key, member));
  const items = readList(value, 'a relation is a map of concepts to depths, or');
  return (items ?? []).flatMap((item) => readItem(key, item));
}

/** `path: identity`, `path: [identity, 2]` or `path: { depth: 1, metadata: … }`. */
function readTarget(relation: RelationType, { key: target, at, value }: Member): readonly DocumentRelatum[] {
  if (checkText(at, target, 'a name', GRAPH_LIMITS.nameLength) === undefined) return [];
  const values = isSeq(value.node) ? (readList(value, 'depths') ?? []) : [value];
  return values.flatMap((one) => {
    const read = isMap(one.node)
      ? readDetails(one, false)
      : { depth: isNothing(one) ? 0 : readLevel(one), metadata: null };
    return read?.depth === undefined ? [] : [relatumOf(relation, target, read.depth as DepthLevel, read.metadata, at)];
  });
}

/** A name alone (at depth 0), or `{ concept: path, depth: 1 }`. */
function readItem(relation: RelationType, at: At): readonly DocumentRelatum[] {
  if (!isMap(at.node)) {
    const target = readText(at, 'a name', GRAPH_LIMITS.nameLength);
    return target === undefined ? [] : [relatumOf(relation, target, 0, null, at)];
  }
  const read = readDetails(at, true);
  if (read?.concept === undefined || read.depth === undefined) return [];
  return [relatumOf(relation, read.concept, read.depth, read.metadata, at)];
}

type Details = {
  readonly concept?: string | undefined;
  readonly depth: DepthLevel | undefined;
  readonly metadata: JsonObject | null;
};

function readDetails(at: At, withConcept: boolean): Details | undefined {
  const members = readMap(at, 'a relatum');
  if (members === undefined) return undefined;
  noteUnknown(members, withConcept ? ['concept', 'depth', 'metadata'] : ['depth', 'metadata'], 'a relatum');
  const find = (key: string): At | undefined => members.find((member) => member.key === key)?.value;
  const [concept, depth, metadata] = [find('concept'), find('depth'), find('metadata')];
  const about = metadata === undefined ? undefined : readObject(metadata, 'metadata');
  if (metadata !== undefined && about !== undefined)
    checkSize(metadata, about, 'metadata', GRAPH_LIMITS.metadataLength);
  if (withConcept && concept === undefined) return note(at, 'document.type', 'a relatum names a concept');
  return {
    concept: concept === undefined ? undefined : readText(concept, 'a name', GRAPH_LIMITS.nameLength),
    depth: depth === undefined ? 0 : readLevel(depth),
    metadata: about ?? null,
  };
}

function relatumOf(
  relation: RelationType,
  target: string,
  targetDepth: DepthLevel,
  metadata: JsonObject | null,
  at: At,
): DocumentRelatum {
  return { relation, target, key: foldName(target), targetDepth, metadata, place: placeOf(at) };
}

function noteRepeats(relata: readonly DocumentRelatum[], at: At): void {
  const seen = new Set<string>();
  for (const { relation, key, target, targetDepth, place } of relata) {
    const id = relatumKey({ relation, target: key, targetDepth });
    if (seen.has(id)) {
      const message = `${relation} ${quote(target)} at ${targetDepth} is there twice`;
      at.source.problems.push({ ...place, code: 'document.duplicate-relatum', message, suggestion: null });
    }
    seen.add(id);
  }
}
