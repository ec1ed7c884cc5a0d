import { isRelated, isWithin } from './identifiers.ts';
import { appended, type Draft } from './state.ts';
import type { GateState, RunningCall, Thing } from './types.ts';

// When each thing was last changed and last looked at, by name and over turns: whether it was reported or met in between
// has no say in whether a look is overtaken. What no longer fits leaves as three numbers that err towards "changed".

const MOST_THINGS = 48;
const MOST_BESIDE = 8;
const NEVER = Number.NEGATIVE_INFINITY;

/** What a call changes; null where that cannot be known or was more than is kept. */
export function changedBy(call: RunningCall): readonly string[] | null {
  return call.many === true ? null : call.targets;
}

function later(known: number | null | undefined, ended: number): number {
  return Math.max(known ?? ended, ended);
}

/** A change has ended: calls that run began before it. */
export function recordEnd(state: Draft, ended: number): void {
  state.lastMutation = later(state.lastMutation, ended);
  state.running = state.running.map((call) => ({ ...call, beside: appended(call.beside ?? [], ended, MOST_BESIDE) }));
}

/** What a change that has ended touched; `targets` is null where nobody knows. */
export function recordChange(state: Draft, targets: readonly string[] | null, ended: number): void {
  if (targets === null) {
    state.unknownChange = later(state.unknownChange, ended);
    return;
  }
  for (const name of targets) {
    const known = thingOf(state, name);
    put(state, known, { ...known, name, changed: later(known?.changed, ended) });
  }
}

/** A look that began at `from` shows `names`; of one that a change has overtaken only the name is kept. */
export function recordLook(state: Draft, names: readonly string[], from: number): void {
  for (const name of names) {
    const known = thingOf(state, name);
    if (known?.seen !== undefined && (known.seen > (state.lastMutation ?? NEVER) || known.seen >= from)) continue;
    if (from > lastChange(state, name)) put(state, known, { ...known, name, seen: from });
    else if (known === undefined) put(state, known, { name });
  }
}

/** As {@link recordLook}, for names that an answer shows besides: of those only what is known already. */
export function recordShown(state: Draft, names: readonly string[], from: number): void {
  for (const name of names) if (thingOf(state, name) !== undefined) recordLook(state, [name], from);
}

function thingOf(state: GateState, name: string): Thing | undefined {
  for (const thing of state.things) if (thing.name === name) return thing;
  return undefined;
}

function put(state: Draft, known: Thing | undefined, thing: Thing): void {
  const rest = state.things.filter((item) => item !== known);
  if (rest.length >= MOST_THINGS) forget(state, rest[0] as Thing);
  state.things = appended(rest, thing, MOST_THINGS);
}

function forget(state: Draft, thing: Thing): void {
  const { past } = state;
  const seen = thing.seen ?? NEVER;
  const fresh = seen > lastChange(state, thing.name);
  const changed = thing.changed === undefined ? past.changed : later(past.changed, thing.changed);
  const oldest = fresh ? Math.min(past.seen ?? seen, seen) : past.seen;
  const unseen = past.unseen || !fresh;
  state.past = { changed, seen: oldest, unseen };
}

/** When a thing, or something around it, last changed, changes of nobody knows what among them. */
function lastChange(state: GateState, name: string): number {
  let last = state.unknownChange ?? NEVER;
  let known = false;
  for (const thing of state.things) {
    if (thing.name === name) known = true;
    const changed = thing.changed ?? NEVER;
    if (changed > last && isWithin(name, thing.name)) last = changed;
  }
  return known ? last : Math.max(last, state.past.changed ?? NEVER);
}

/** True when a change of one of the targets, or of a part of one, ended at `from` or later; without targets, of anything. */
export function hasChangedSince(state: GateState, targets: readonly string[] | undefined, from: number): boolean {
  if ((state.unknownChange ?? NEVER) >= from || (state.past.changed ?? NEVER) >= from) return true;
  return isNamedChangedSince(state, targets, from);
}

function isNamedChangedSince(state: GateState, targets: readonly string[] | undefined, from: number): boolean {
  return state.things.some(
    ({ name, changed }) =>
      (changed ?? NEVER) >= from && (targets === undefined || targets.some((target) => isRelated(target, name))),
  );
}

/** True when a look that began at `from` shows a changed thing as its own changes left it. */
export function showsAsChanged(state: GateState, name: string, from: number): boolean {
  return (state.past.changed ?? NEVER) < from && !isNamedChangedSince(state, [name], from);
}

/** True when it, or a folder around it, was looked at after it last changed and it is not being changed. */
export function isSeen(state: GateState, name: string, changing: readonly RunningCall[]): boolean {
  if (changing.some((call) => changedBy(call)?.some((target) => isRelated(target, name)) !== false)) return false;
  const last = lastChange(state, name);
  return state.things.some(({ name: seen, seen: from }) => (from ?? NEVER) > last && isWithin(name, seen));
}

/** True when something that can no longer be named has changed and was not looked at since. */
export function isPastStale({ past, unknownChange }: GateState): boolean {
  return past.unseen || (past.seen !== null && unknownChange !== null && unknownChange >= past.seen);
}
