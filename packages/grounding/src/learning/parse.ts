import { canonicalJson, isWellFormed, type Json, type JsonObject, type Reason } from '@warrant/core';
import { isDepthLevel } from '../levels.ts';
import { RELATIONS } from '../relations.ts';
import type { LearningCandidate, ProposedLevel } from './candidate.ts';
import { reason } from './reasons.ts';

const RELATION_SET: ReadonlySet<unknown> = new Set(RELATIONS);

/** A candidate as it came from a model or a file, or what is wrong with it. Empty slots are legal here. */
export type ParsedCandidate =
  | { readonly type: 'candidate'; readonly candidate: LearningCandidate }
  | { readonly type: 'refused'; readonly reasons: readonly Reason[] };

/** Reads a candidate from data of any origin; nothing of it is trusted. */
export function parseCandidate(value: unknown): ParsedCandidate {
  const faults: Reason[] = [];
  const candidate = read(value, faults);
  return candidate === undefined || faults.length > 0
    ? { type: 'refused', reasons: faults }
    : { type: 'candidate', candidate };
}

function read(value: unknown, faults: Reason[]): LearningCandidate | undefined {
  const data = asObject(value);
  if (data === undefined) return fault(faults, '', 'a candidate is an object');
  switch (data['type']) {
    case 'existence':
      return {
        type: 'existence',
        name: text(data['name'], '/name', faults),
        identity: data['identity'] === null ? null : level(data['identity'], '/identity', faults),
      };
    case 'depth':
    case 'relational':
      return { type: data['type'], levels: levels(data['levels'], faults) };
    case 'reachability':
      return {
        type: 'reachability',
        source: orNull(data['source'], (given) => text(given, '/source', faults)),
        target: orNull(data['target'], (given) => text(given, '/target', faults)),
        relation: orNull(data['relation'], (given) => relation(given, faults)),
        sourceDepth: orNull(data['sourceDepth'], (given) => depth(given, '/sourceDepth', faults)),
        targetDepth: orNull(data['targetDepth'], (given) => depth(given, '/targetDepth', faults)),
      };
    default:
      return fault(faults, '/type', 'a candidate is existence, depth, relational or reachability');
  }
}

function levels(value: unknown, faults: Reason[]): readonly ProposedLevel[] {
  if (!Array.isArray(value)) {
    fault(faults, '/levels', 'levels are a list');
    return [];
  }
  return value.map((entry, index) => level(entry, `/levels/${index}`, faults));
}

function level(value: unknown, path: string, faults: Reason[]): ProposedLevel {
  const data = asObject(value);
  if (data === undefined) fault(faults, path, 'a level is an object with level and properties');
  return {
    level: depth(data?.['level'], `${path}/level`, faults),
    properties: properties(data?.['properties'], `${path}/properties`, faults),
  };
}

function properties(value: unknown, path: string, faults: Reason[]): JsonObject {
  const data = asObject(value);
  if (data === undefined) {
    fault(faults, path, 'properties are an object');
    return {};
  }
  try {
    canonicalJson(data as Json);
  } catch {
    fault(faults, path, 'properties hold JSON values only');
  }
  return data as JsonObject;
}

function depth(value: unknown, path: string, faults: Reason[]): ProposedLevel['level'] {
  if (isDepthLevel(value)) return value;
  fault(faults, path, 'a depth is an integer from 0 to 4');
  return 0;
}

function relation(value: unknown, faults: Reason[]): (typeof RELATIONS)[number] {
  if (RELATION_SET.has(value)) return value as (typeof RELATIONS)[number];
  fault(faults, '/relation', `a relation is one of ${RELATIONS.join(', ')}`);
  return 'requires';
}

function text(value: unknown, path: string, faults: Reason[]): string {
  if (typeof value === 'string' && isWellFormed(value)) return value;
  fault(faults, path, 'a name is well-formed text');
  return '';
}

function orNull<T>(value: unknown, read: (given: unknown) => T): T | null {
  return value === null || value === undefined ? null : read(value);
}

function asObject(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}

function fault(faults: Reason[], path: string, message: string): undefined {
  faults.push(reason('learning.malformed', message, { path }));
}
