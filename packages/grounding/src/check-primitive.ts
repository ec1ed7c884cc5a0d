import { isWellFormed, type Primitive, WarrantError } from '@warrant/core';
import { isDepthLevel } from './levels.ts';
import { RELATIONS } from './relations.ts';

const RELATION_SET: ReadonlySet<unknown> = new Set(RELATIONS);

/**
 * Refuses a primitive that no store can hold, so that a record from elsewhere cannot change what levels mean.
 * @throws GROUNDING_VIEW_INVALID with the path of the fault.
 */
export function checkPrimitive(value: Primitive): void {
  const primitive = object(value, '');
  text(primitive['id'], '/id');
  text(primitive['name'], '/name');
  const levels = new Set<unknown>();
  for (const [index, item] of list(primitive['depths'], '/depths').entries()) {
    const path = `/depths/${index}`;
    const depth = object(item, path);
    if (!isDepthLevel(depth['level'])) throw invalid(`${path}/level`, 'is not a level from 0 to 4');
    if (levels.has(depth['level'])) throw invalid(`${path}/level`, 'repeats a level');
    levels.add(depth['level']);
    object(depth['properties'], `${path}/properties`);
    for (const [at, relatum] of list(depth['relata'], `${path}/relata`).entries()) {
      checkRelatum(object(relatum, `${path}/relata/${at}`), `${path}/relata/${at}`);
    }
  }
}

function checkRelatum(relatum: Record<string, unknown>, path: string): void {
  if (!RELATION_SET.has(relatum['relation'])) throw invalid(`${path}/relation`, 'is not a relation');
  text(relatum['target'], `${path}/target`);
  if (!isDepthLevel(relatum['targetDepth'])) throw invalid(`${path}/targetDepth`, 'is not a level from 0 to 4');
}

function object(value: unknown, path: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalid(path, 'is not an object');
  return value as Record<string, unknown>;
}

function list(value: unknown, path: string): readonly unknown[] {
  if (!Array.isArray(value)) throw invalid(path, 'is not a list');
  return value;
}

function text(value: unknown, path: string): void {
  if (typeof value !== 'string' || !isWellFormed(value)) throw invalid(path, 'is not well-formed text');
}

function invalid(path: string, problem: string): WarrantError {
  return new WarrantError('GROUNDING_VIEW_INVALID', `a primitive of the view ${problem} at ${path || 'the root'}`, {
    data: { path, problem },
  });
}
