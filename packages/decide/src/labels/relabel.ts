import { combineLabels, type Json, type JsonObject, type Label, type Labels } from '@warrant/core';
import type { Flows, PayloadFlow } from './flows.ts';
import type { Reads } from './reads.ts';

/** What a chart's own text is trusted as: a person wrote it. */
export const CHART_LABEL: Label = { trust: 'human', sources: ['chart'] };
/** What nobody vouched for. */
export const NO_LABEL: Label = { trust: 'web', sources: [] };

export type ItemLabels = Readonly<Record<string, Label>>;

/** The values that a step may have read: the items before and after it, and its event. */
export type Surroundings = { readonly before: ItemLabels; readonly after: ItemLabels; readonly event: Label };

/** With items that are trusted no more than the event. */
export function lowered({ before, after, event }: Surroundings): Surroundings {
  const low = (labels: ItemLabels) =>
    Object.fromEntries(Object.entries(labels).map(([name, label]) => [name, least([label, event])]));
  return { before: low(before), after: low(after), event };
}

/** The labels after a step: what changed has the least of what it may have been made of. */
export function relabel(
  flows: Flows,
  before: ItemLabels,
  { from, to, event }: { readonly from: JsonObject; readonly to: JsonObject; readonly event: Label },
): ItemLabels {
  if (from === to) return before;
  const changed = Object.keys(to).filter((name) => from[name] !== to[name]);
  if (changed.length === 0 || isChartsOwn(flows, changed, before, event)) return before;
  let after: ItemLabels = { ...before, ...Object.fromEntries(changed.map((name) => [name, CHART_LABEL])) };
  // One item may be made of another that this step made: until nothing falls any further.
  for (let round = 0; round <= changed.length; round += 1) {
    const around = { before, after, event };
    const next: ItemLabels = {
      ...after,
      ...Object.fromEntries(changed.map((name) => [name, made(flows, name, around)])),
    };
    const isStable = changed.every((name) => isSame(next[name], after[name]));
    after = next;
    if (isStable) break;
  }
  return changed.every((name) => isSame(before[name], after[name])) ? before : after;
}

/** What is made of values that all have the chart's own label has it too: most steps of agents that nobody else talks to. */
function isChartsOwn(
  { items, toItself }: Flows,
  changed: readonly string[],
  before: ItemLabels,
  event: Label,
): boolean {
  if (event !== CHART_LABEL || toItself !== null) return false;
  for (const name of Object.keys(before)) if (before[name] !== CHART_LABEL) return false;
  for (const name of changed) {
    if (!Object.hasOwn(before, name)) return false;
    for (const item of items.get(name)?.items ?? NO_ITEMS) if (!Object.hasOwn(before, item)) return false;
  }
  return true;
}

const NO_ITEMS: ReadonlySet<string> = new Set();

function made({ items, toItself }: Flows, name: string, around: Surroundings): Label {
  const reads = items.has('') ? undefined : items.get(name);
  if (reads === undefined) return least([...everything(around), around.event]);
  return labelOf(reads, around, toItself);
}

/** The label of a value that reads so much; of a literal, the chart's. */
function labelOf(reads: Reads, around: Surroundings, toItself: Reads | null): Label {
  const own = labelsOf(reads, around);
  // What a chart tells itself comes back as an event.
  const back = reads.event && toItself !== null ? labelsOf(toItself, around) : [];
  return least([...own, ...back]);
}

function labelsOf({ items, all, event }: Reads, around: Surroundings): readonly Label[] {
  const { before, after } = around;
  const read = all ? everything(around) : [...items].flatMap((name) => known(before[name], after[name]));
  return event ? [...read, around.event] : read;
}

function known(...labels: readonly (Label | undefined)[]): readonly Label[] {
  const found = labels.filter((label) => label !== undefined);
  return found.length === 0 ? [NO_LABEL] : found;
}

function everything({ before, after }: Surroundings): readonly Label[] {
  return [...Object.values(before), ...Object.values(after)];
}

/** Most of what is combined is one label many times. */
export function least(labels: readonly Label[]): Label {
  const different = [...new Set(labels)];
  const [only = CHART_LABEL] = different;
  return different.length <= 1 ? only : combineLabels(different);
}

function isSame(one: Label | undefined, other: Label | undefined): boolean {
  if (one === other) return true;
  if (one === undefined || other === undefined || one.trust !== other.trust) return false;
  return one.sources.length === other.sources.length && one.sources.every((name, at) => name === other.sources[at]);
}

/** The labels of what is handed on: of the whole, and of each field by its pointer. */
export function payloadLabels(
  flows: readonly PayloadFlow[],
  data: Json,
  around: Surroundings,
  toItself: Reads | null,
): Labels {
  if (flows.length === 0) return { '': least([...everything(around), around.event]) };
  const of = (reads: readonly Reads[]) => least(reads.map((one) => labelOf(one, around, toItself)));
  const whole = of(flows.map((one) => one.whole));
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return { '': whole };
  const fields = Object.keys(data).map((name): [string, Label] => {
    const known = flows.map(({ fields: named, whole: all }) => named.get(name) ?? all);
    return [`/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, of(known)];
  });
  return { '': whole, ...Object.fromEntries(fields) };
}
