import type { MemoryRecord } from '@warrant/core';
import { DAY_MS } from '../times.ts';
import type { Grouping } from './cluster.ts';

/** Writes one text for several records, usually with a model. What it writes goes to people first. */
export type MergeFunction = (records: readonly MemoryRecord[]) => Promise<string>;

export type ConsolidationSettings = {
  /** Whether a session start may begin one. @default true */
  readonly automatic: boolean;
  /** Session starts after which it is due. @default 10 */
  readonly afterStarts: number;
  /** Days after which it is due. @default 7 */
  readonly afterDays: number;
  /** `either` of the two, or `both`; with `both` the first run waits for the starts alone. @default 'either' */
  readonly needs: 'either' | 'both';
  /** Records younger than so many hours stay out. @default 24 */
  readonly sinceHours: number;
  /** Least records of a cluster; never below 2. @default 2 */
  readonly minClusterSize: number;
  /** @default 'subject' */
  readonly grouping: Grouping;
  /** Records of a cluster from which a missing skill is told of. @default 5 */
  readonly candidateSize: number;
  /** Whether a skill is asked for then, where there is a reviewer. @default true */
  readonly draftSkills: boolean;
  /** @default null: no model, nothing that the records say is lost */
  readonly merge: MergeFunction | null;
};

export const DEFAULT_CONSOLIDATION: ConsolidationSettings = {
  automatic: true,
  afterStarts: 10,
  afterDays: 7,
  needs: 'either',
  sinceHours: 24,
  minClusterSize: 2,
  grouping: 'subject',
  candidateSize: 5,
  draftSkills: true,
  merge: null,
};

/** Whether a consolidation is due. Pure. */
export function isConsolidationDue(
  settings: Pick<ConsolidationSettings, 'afterStarts' | 'afterDays' | 'needs'>,
  since: { readonly starts: number; readonly at: string; readonly ranBefore: boolean },
  now: string,
): boolean {
  const enough = since.starts >= settings.afterStarts;
  const old = Date.parse(now) - Date.parse(since.at) >= settings.afterDays * DAY_MS;
  if (settings.needs === 'either') return enough || old;
  return enough && (old || !since.ranBefore);
}
