import type { GraphStore, GroundingResult } from '@warrant/core';
import { outcomesOf } from './outcomes.ts';

/** Hands outcomes to the store in batches, after the checks of the current turn were answered. */
export type MetricsBatch = {
  readonly add: (result: GroundingResult) => void;
  readonly flush: () => void;
};

/** Results waiting beyond this many are counted at once, so that a busy turn holds no memory. */
const MOST_WAITING = 1024;

/** @param onFault told when the store refuses to count; the batch is dropped then */
export function createMetricsBatch(graph: Pick<GraphStore, 'count'>, onFault: (error: unknown) => void): MetricsBatch {
  let waiting: GroundingResult[] = [];
  let timer: NodeJS.Immediate | undefined;
  const flush = () => {
    if (timer !== undefined) clearImmediate(timer);
    timer = undefined;
    const results = waiting;
    waiting = [];
    if (results.length === 0) return;
    try {
      graph.count(results.flatMap(outcomesOf));
    } catch (error) {
      onFault(error);
    }
  };
  return {
    add: (result) => {
      waiting.push(result);
      if (waiting.length >= MOST_WAITING) flush();
      else timer ??= setImmediate(flush);
    },
    flush,
  };
}
