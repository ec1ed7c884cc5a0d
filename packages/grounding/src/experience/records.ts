import { type DepthLevel, foldName } from '@warrant/core';
import { isDepthLevel } from '../levels.ts';
import type { TraceRecord } from '../trace.ts';

/** A level of a concept that something stood on. `concept` is a fold key. */
export type Exercised = { readonly concept: string; readonly level: DepthLevel };

/** One thing that happened to concepts: they were asked for, or an act on them ended. */
export type ExperienceRecord =
  | {
      readonly type: 'checked';
      readonly at: string;
      readonly grounded: readonly Exercised[];
      readonly failed: readonly Exercised[];
    }
  | {
      readonly type: 'acted';
      readonly at: string;
      readonly outcome: ActOutcome;
      readonly exercised: readonly Exercised[];
    };
/** How a guarded act ended: it ran and succeeded or failed, or it did not run. */
export type ActOutcome = 'ok' | 'error' | 'blocked' | 'declined' | 'ungrounded';

/** What a check says: each concept at the deepest level that an edge of the pathway used, gaps at the level they ask for. */
export function recordOfTrace(
  trace: Pick<TraceRecord, 'at' | 'minDepth' | 'resolved' | 'steps' | 'gaps'>,
): ExperienceRecord {
  const used = levels();
  for (const name of trace.resolved) used.add(name, trace.minDepth ?? 0);
  for (const { source, sourceDepth, target, targetDepth } of trace.steps) {
    used.add(source, sourceDepth);
    used.add(target, targetDepth);
  }
  const missed = levels();
  for (const gap of trace.gaps) {
    if (gap.type === 'depth') missed.add(gap.concept, gap.required);
    else if (gap.type === 'relational') missed.add(gap.target, gap.required);
    else missed.add(gap.concept, 0);
  }
  const failed = missed.list();
  const lacking = new Set(failed.map(({ concept }) => concept));
  return {
    type: 'checked',
    at: trace.at,
    grounded: used.list().filter(({ concept }) => !lacking.has(concept)),
    failed,
  };
}

/** The deepest level of each concept. */
export function levels() {
  const deepest = new Map<string, DepthLevel>();
  return {
    add: (name: string, level: unknown): void => {
      if (!isDepthLevel(level)) return;
      const concept = foldName(name);
      if (level >= (deepest.get(concept) ?? 0)) deepest.set(concept, level);
    },
    list: (): readonly Exercised[] => [...deepest].map(([concept, level]) => ({ concept, level })),
  };
}
