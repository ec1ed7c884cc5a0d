import { isWellFormed, type Primitive, WarrantError } from '@warrant/core';
import { isDepthLevel } from './levels.ts';
import { RELATIONS } from './relations.ts';

const RELATION_SET: ReadonlySet<unknown> = new Set(RELATIONS);

/**
 * Refuses a primitive that no store can hold, so that a record from elsewhere cannot change what levels mean.
 * @throws GROUNDING_VIEW_INVALID with the path of the fault.
 */
export function checkPrimitive(value: Primitive): void {
  const primitive = object(value);
  if (primitive === undefined) throw notObject('');
  if (!isText(primitive['id'])) throw notText('/id');
  if (!isText(primitive['name'])) throw notText('/name');
  if (object(primitive['provenance']) === undefined) throw notObject('/provenance');
  const depths = primitive['depths'];
  if (!Array.isArray(depths)) throw invalid('/depths', 'is not a list');
  let levels = 0;
  for (let index = 0; index < depths.length; index += 1) levels |= checkDepth(depths[index], index, levels);
}

/** Paths are put together only for a fault: every primitive of a view comes by here. @returns the level's bit */
function checkDepth(value: unknown, index: number, levels: number): number {
  const depth = object(value);
  if (depth === undefined) throw notObject(`/depths/${index}`);
  const { level, properties, relata, provenance } = depth;
  if (!isDepthLevel(level)) throw invalid(`/depths/${index}/level`, 'is not a level from 0 to 4');
  if ((levels & (1 << level)) !== 0) throw invalid(`/depths/${index}/level`, 'repeats a level');
  if (object(properties) === undefined) throw notObject(`/depths/${index}/properties`);
  if (object(provenance) === undefined) throw notObject(`/depths/${index}/provenance`);
  if (!Array.isArray(relata)) throw invalid(`/depths/${index}/relata`, 'is not a list');
  for (let at = 0; at < relata.length; at += 1) {
    const relatum = object(relata[at]);
    if (relatum === undefined) throw notObject(`/depths/${index}/relata/${at}`);
    const fault = faultOf(relatum);
    if (fault !== undefined) throw invalid(`/depths/${index}/relata/${at}/${fault[0]}`, fault[1]);
  }
  return 1 << level;
}

function faultOf(relatum: Record<string, unknown>): readonly [key: string, problem: string] | undefined {
  if (!RELATION_SET.has(relatum['relation'])) return ['relation', 'is not a relation'];
  if (!isText(relatum['target'])) return ['target', 'is not well-formed text'];
  if (!isDepthLevel(relatum['targetDepth'])) return ['targetDepth', 'is not a level from 0 to 4'];
  if (object(relatum['provenance']) === undefined) return ['provenance', 'is not an object'];
  return undefined;
}

function object(value: unknown): Record<string, unknown> | undefined {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as Record<string, unknown>) : undefined;
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && isWellFormed(value);
}

function notObject(path: string): WarrantError {
  return invalid(path, 'is not an object');
}

function notText(path: string): WarrantError {
  return invalid(path, 'is not well-formed text');
}

function invalid(path: string, problem: string): WarrantError {
  return new WarrantError('GROUNDING_VIEW_INVALID', `a primitive of the view ${problem} at ${path || 'the root'}`, {
    data: { path, problem },
  });
}
