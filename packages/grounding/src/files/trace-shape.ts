import { isDepthLevel } from '../levels.ts';
import type { TraceRecord } from '../trace.ts';

type Members = { readonly [key: string]: unknown };

/** True for what {@link TraceRecord} says: files are edited, cut off and written by other versions. */
export function isTraceRecord(value: unknown): value is TraceRecord {
  if (!isObject(value) || value['operation'] !== 'check') return false;
  const { at, actor, concepts, minDepth, grounded, resolved, gaps, steps, graph, view } = value;
  return (
    isTime(at) &&
    (actor === null || isText(actor)) &&
    isListOf(concepts, isText) &&
    (minDepth === null || isDepthLevel(minDepth)) &&
    typeof grounded === 'boolean' &&
    isListOf(resolved, isText) &&
    isListOf(gaps, isGap) &&
    isListOf(steps, isStep) &&
    isObject(graph) &&
    isText(view)
  );
}

function isGap(value: unknown): boolean {
  if (!isObject(value) || !isObject(value['remedy'])) return false;
  switch (value['type']) {
    case 'existence':
    case 'reachability':
      return isText(value['concept']);
    case 'depth':
      return isText(value['concept']) && lacksLevels(value);
    case 'relational':
      return isText(value['source']) && isText(value['target']) && lacksLevels(value);
    default:
      return false;
  }
}

function lacksLevels({ current, required, missing }: Members): boolean {
  return (current === null || isDepthLevel(current)) && isDepthLevel(required) && isListOf(missing, isDepthLevel);
}

function isStep(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { source, sourceDepth, relation, target, targetDepth } = value;
  return [source, relation, target].every(isText) && [sourceDepth, targetDepth].every(isDepthLevel);
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isListOf(value: unknown, isItem: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isItem);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isTime(value: unknown): boolean {
  return isText(value) && Number.isFinite(Date.parse(value));
}
