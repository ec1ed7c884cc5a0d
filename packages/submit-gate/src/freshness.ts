import { namingOf } from './classify.ts';
import type { ResolvedConfig } from './config-types.ts';
import { isRelated, isWithin, mentions, type Naming } from './identifiers.ts';
import { type Draft, isCovered } from './state.ts';
import type { Step } from './step.ts';
import { changedBy, hasChangedSince, isPastStale, isSeen, recordChange } from './things.ts';
import type { Claim, Evidence, GateState, RunningCall } from './types.ts';

// An answer counts in its turn until something it was of changes. What a look was of is kept in few words; a look at more
// than that, or a change of nobody knows what, is taken to concern everything.

const MOST_KEPT = 2;
const LONGEST_KEPT = 80;
const NOTHING: readonly string[] = Object.freeze([]);

type Targets = readonly string[] | null | undefined;

function concerns(look: Targets, change: Targets): boolean {
  if (!look || !change) return true;
  return look.some((seen) => change.some((target) => isRelated(seen, target)));
}

/** True for a call that may be changing something while it runs. */
export function isChanging(call: RunningCall): boolean {
  return (call.kind === 'write' || call.kind === 'run') && call.keeps !== true;
}

/** Evidence of an answer: stale from the start where a change of the same thing ended after the call had begun. */
export function evidenceOfCall(
  state: GateState,
  step: Step,
  tier: Evidence['tier'],
  mark: 'stale' | 'held' | null,
): Evidence {
  const { call, event } = step;
  const entry: { -readonly [Member in keyof Evidence]: Evidence[Member] } = {
    callId: call.id,
    tier,
    seq: event.endSeq,
  };
  if (isShort(call.targets)) entry.targets = call.targets;
  if (mark === 'held') entry.held = true;
  if (mark === 'stale' || (!isChanging(call) && isOvertaken(state, step))) entry.stale = true;
  return entry;
}

function isShort(targets: Targets): targets is readonly string[] {
  if (!targets || targets.length === 0 || targets.length > MOST_KEPT) return false;
  for (const target of targets) if (target.length > LONGEST_KEPT) return false;
  return true;
}

/** True when a change of what the call is of ended after the call had begun. */
export function isOvertaken(state: GateState, { call, config }: Step): boolean {
  if (state.lastMutation === null || state.lastMutation < call.from) return false;
  if (config.settings.obligations === 'last-mutation') return true;
  return hasChangedSince(state, isShort(call.targets) ? call.targets : undefined, call.from);
}

/** A change has ended: what was seen of it is no longer known, nor what a signal says that covers it. */
export function tookEffect(config: ResolvedConfig, state: Draft, call: RunningCall, ended: number): void {
  const targets = changedBy(call);
  if (config.settings.signals !== 'forever') {
    const kept = Object.entries(state.signals).filter(([, signal]) => !isCovered(signal.covers, targets));
    state.signals = Object.fromEntries(kept);
  }
  overtake(config, state, targets, ended);
}

/** Something has changed: what was seen of it is no longer known. */
export function overtake(config: ResolvedConfig, state: Draft, targets: readonly string[] | null, ended: number): void {
  if (config.settings.obligations === 'per-mutation') recordChange(state, targets, ended);
  else if (config.settings.staleAssertions === 'allow') return;
  state.evidence = state.evidence.map((entry) =>
    concerns(entry.targets, targets) ? { ...entry, stale: true } : entry,
  );
}

/** True for evidence of which nothing has changed since, nor is changing now. */
export function isFreshEvidence(state: GateState, entry: Evidence): boolean {
  return (
    entry.stale !== true && !state.running.some((call) => isChanging(call) && concerns(entry.targets, changedBy(call)))
  );
}

/** True when something changed was shown in this turn; a check beside a change counts once that had no effect. */
export function isVerified(state: GateState): boolean {
  return state.verified || state.evidence.some((entry) => entry.held === true && isFreshEvidence(state, entry));
}

/** Things that a claim names, have changed or may have, and were not looked at since. */
export function staleNames(config: ResolvedConfig, state: GateState, claim: Claim): readonly string[] {
  const { about, text } = claim;
  const changing = state.running.filter(isChanging);
  const names = new Set<string>();
  for (const name of about ?? NOTHING) addAbout(state, name, changing, names);
  if (text === undefined) return [...names];
  const naming = namingOf(config);
  const fresh = state.things.map(({ name }) => name).filter((name) => isSeen(state, name, changing));
  for (const { name } of state.things)
    if (!fresh.includes(name) && isMentioned(text, name, fresh, naming)) names.add(name);
  for (const name of namesOf(changing)) if (isMentioned(text, name, NOTHING, naming)) names.add(name);
  return [...names];
}

function namesOf(changing: readonly RunningCall[]): readonly string[] {
  return changing.flatMap((call) => changedBy(call) ?? NOTHING);
}

/** A name that was only ever seen within other answers cannot go stale by a change of nobody knows what. */
function addAbout(state: GateState, name: string, changing: readonly RunningCall[], names: Set<string>): void {
  const isUnseen = (thing: string): boolean => !isSeen(state, thing, changing);
  const touched = [
    ...state.things.filter(({ changed }) => changed !== undefined).map((thing) => thing.name),
    ...namesOf(changing),
  ];
  for (const part of touched) if (isWithin(part, name) && isUnseen(part)) names.add(part);
  const known = touched.some((folder) => isWithin(name, folder)) || state.things.some((thing) => thing.name === name);
  if ((known || isPastStale(state)) && isUnseen(name)) names.add(name);
}

function isMentioned(text: string, name: string, fresh: readonly string[], naming: Naming): boolean {
  if (name === '.') return false;
  if (mentions(text, name, naming)) return true;
  const base = baseOf(name);
  return base.includes('.') && mentions(text, base, naming) && !fresh.some((other) => baseOf(other) === base);
}

function baseOf(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1);
}
