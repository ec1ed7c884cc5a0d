import type { Json, JsonObject, Label, Labels, Trust } from '@warrant/core';
import type { CelPath } from '@warrant/core/cel';

const ORDER: readonly Trust[] = ['web', 'tool', 'provider', 'agent', 'human'];
const UNKNOWN: Label = { trust: 'web', sources: [] };

/** Places of the arguments that get a label of their own at most; a condition on a place beyond them finds none and fires. */
const MAX_POINTERS = 2000;

/**
 * A label for every place a condition may ask about: every value of the arguments, and the pointers that its source
 * names. A value has the label of the nearest labelled place around it, but never more trust than what lies inside it;
 * without any it counts as coming from the web.
 */
export function effectiveLabels(args: JsonObject, labels: Labels, named: readonly string[]): Labels {
  const pointers = new Set(named);
  collectPointers(args, '', pointers);
  const all = new Map(Object.entries(labels).map(([pointer, label]) => [pointer, knownTrust(label)]));
  const effective = new Map<string, Label>();
  for (const pointer of [...pointers, ...all.keys()]) {
    const inside = [...all].filter(([other]) => other.startsWith(`${pointer}/`)).map(([, label]) => label);
    effective.set(pointer, least([inherited(pointer, all), ...inside]));
  }
  // Pointers come from outside: built from entries, a member named `__proto__` stays a member.
  return Object.fromEntries(effective);
}

/** The JSON Pointers that a condition writes out, from its paths. */
export function namedPointers(paths: readonly CelPath[]): readonly string[] {
  return paths.flatMap(([variable, member, pointer]) =>
    variable === 'call' && member === 'labels' && pointer !== undefined ? [pointer] : [],
  );
}

function inherited(pointer: string, labels: ReadonlyMap<string, Label>): Label {
  for (let at = pointer; ; at = at.slice(0, at.lastIndexOf('/'))) {
    const label = labels.get(at);
    if (label !== undefined) return label;
    if (!at.includes('/')) return UNKNOWN;
  }
}

function least(labels: readonly Label[]): Label {
  const [first = UNKNOWN, ...rest] = labels;
  return rest.reduce((lowest, label) => (rank(label) < rank(lowest) ? label : lowest), first);
}

function rank(label: Label): number {
  return ORDER.indexOf(label.trust);
}

/** A trust that is not known is worth as little as none. */
function knownTrust(label: Label): Label {
  return ORDER.includes(label.trust) ? label : { ...label, trust: UNKNOWN.trust };
}

function collectPointers(value: Json, at: string, pointers: Set<string>): void {
  if (pointers.size >= MAX_POINTERS) return;
  pointers.add(at);
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    collectPointers(member as Json, `${at}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`, pointers);
  }
}
