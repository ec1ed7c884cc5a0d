import { namingOf } from './classify.ts';
import type { ResolvedConfig } from './config-types.ts';
import { isWithin, mentions, type Naming } from './identifiers.ts';
import type { Draft } from './state.ts';
import type { Step } from './step.ts';
import type { Claim, Evidence, GateState, RunningCall } from './types.ts';

// An answer counts in its turn until something it was of changes. What a look was of is kept in few words; a look at more
// than that, or a change of nobody knows what, is taken to concern everything.

const MOST_KEPT = 2;
const LONGEST_KEPT = 80;

type Targets = readonly string[] | null | undefined;

function concerns(look: Targets, change: Targets): boolean {
  if (!look || !change) return true;
  return look.some((seen) => change.some((target) => isWithin(seen, target) || isWithin(target, seen)));
}

/** True for a call that may be changing something while it runs. */
export function isChanging(call: RunningCall): boolean {
  return (call.kind === 'write' || call.kind === 'run') && call.keeps !== true;
}

/** Evidence of an answer: stale from the start where a change of the same thing ended after the call had begun. */
export function evidenceOfCall(state: GateState, step: Step, tier: Evidence['tier']): Evidence {
  const { call, event } = step;
  const entry: { -readonly [Member in keyof Evidence]: Evidence[Member] } = {
    callId: call.id,
    tier,
    seq: event.endSeq,
  };
  if (isShort(call.targets)) entry.targets = call.targets;
  if (isOvertaken(state, step, entry.targets)) entry.stale = true;
  return entry;
}

function isShort(targets: Targets): targets is readonly string[] {
  if (!targets || targets.length === 0 || targets.length > MOST_KEPT) return false;
  for (const target of targets) if (target.length > LONGEST_KEPT) return false;
  return true;
}

function isOvertaken(state: GateState, { call, config }: Step, targets: Targets): boolean {
  if (state.lastMutation === null || state.lastMutation < call.from || isChanging(call)) return false;
  if (config.settings.obligations === 'last-mutation') return true;
  return state.open.some((item) => item.ended !== null && item.ended >= call.from && concerns(targets, item.targets));
}

/** Something has changed: what was seen of it is no longer known. */
export function overtake(config: ResolvedConfig, state: Draft, targets: Targets): void {
  if (config.settings.staleAssertions === 'allow' || state.evidence.length === 0) return;
  state.evidence = state.evidence.map((entry) =>
    entry.stale !== true && concerns(entry.targets, targets) ? { ...entry, stale: true } : entry,
  );
}

/** True for evidence of which nothing has changed since, nor is changing now. */
export function isFreshEvidence(state: GateState, entry: Evidence): boolean {
  return (
    entry.stale !== true && !state.running.some((call) => isChanging(call) && concerns(entry.targets, call.targets))
  );
}

/** Changed things that a claim names and that nobody has looked at since they changed. */
export function staleNames(config: ResolvedConfig, state: GateState, claim: Claim): readonly string[] {
  if (claim.about === undefined && claim.text === undefined) return [];
  const naming = namingOf(config);
  const names = new Set<string>();
  for (const item of state.open)
    for (const target of item.targets ?? [])
      if (isNamed(naming, claim, target) && !isSeen(state, target)) names.add(target);
  return [...names];
}

function isNamed(naming: Naming, claim: Claim, target: string): boolean {
  if (claim.about?.some((name) => isWithin(target, name) || isWithin(name, target)) === true) return true;
  if (claim.text === undefined) return false;
  const base = target.slice(target.lastIndexOf('/') + 1);
  return mentions(claim.text, target, naming) || (base.includes('.') && mentions(claim.text, base, naming));
}

function isSeen(state: GateState, target: string): boolean {
  return state.evidence.some(
    (entry) => entry.targets?.some((seen) => isWithin(target, seen)) === true && isFreshEvidence(state, entry),
  );
}
