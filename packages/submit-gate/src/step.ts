import { contractOf } from './classify.ts';
import type { ResolvedConfig } from './config-types.ts';
import { codesOf, type ReadFacts } from './facts.ts';
import { evidenceOfCall } from './freshness.ts';
import { hashesOf, lookedAtName, remember } from './memory.ts';
import { appended, type Draft } from './state.ts';
import { hashText } from './text/hash.ts';
import type { Considered, GateState, RecordedObservation, RunningCall } from './types.ts';

const CONSIDERED = 8;
const EVIDENCE = 48;
/** Characters of a remembered answer. */
const HASH = 11;

/** One step over one answer: the call as it began, its answer and the facts taken from it. */
export type Step = {
  readonly config: ResolvedConfig;
  readonly call: RunningCall;
  readonly event: RecordedObservation;
  readonly facts: ReadFacts;
};

/** Notes what an answer counted for and why; `failed` when the call did not succeed. */
export function note(
  state: Draft,
  call: RunningCall,
  entry: Omit<Considered, 'callId' | 'tool'> & { readonly failed?: boolean },
): void {
  const { evidence, tier, cause } = entry;
  state.considered = appended(
    state.considered,
    { callId: call.id, tool: call.tool, evidence, tier, cause },
    CONSIDERED,
  );
  if (entry.failed !== undefined) state.trailingError = entry.failed;
}

/** Signals that the shell names itself count when the call succeeded. */
export function addNamedSignals(state: Draft, step: Step): void {
  const named = step.event.signals;
  if (named !== undefined && step.event.outcome === 'ok') addSignals(state, step, named);
}

export function addSignals(state: Draft, step: Step, names: readonly string[]): void {
  const covers = contractOf(step.config, step.call).covers;
  const signals = { ...state.signals };
  for (const name of names.slice(0, 32))
    signals[name.slice(0, 64)] = covers === undefined ? { from: step.call.from } : { from: step.call.from, covers };
  const kept = Object.entries(signals).slice(-32);
  state.signals = Object.fromEntries(kept);
}

/** A qualifying answer: latches, budget and the list of evidence. */
export function qualify(
  state: Draft,
  step: Step,
  tier: 'observed' | 'verified',
  mark: 'stale' | 'held' | null = null,
): void {
  const { config, event } = step;
  state.budget = Math.min(state.budget + config.refill, config.cap);
  state.halted = false;
  state.grounded = true;
  if (tier === 'verified') {
    state.verified = true;
    state.lastVerification = event.endSeq;
  }
  state.evidence = appended(state.evidence, evidenceOfCall(state, step, tier, mark), EVIDENCE);
}

/** `mark` is the answer with the change that it came after, as it is remembered; empty for one that is not. */
export type Look = { readonly relevant: boolean; readonly novel: boolean; readonly mark: string };

export function lookAt(state: Draft, step: Step): Look {
  const { config, call, facts } = step;
  const exempt = config.noveltyExempt.includes(call.tool) || facts.novelty === '';
  const mark = exempt ? '' : markOf(step, afterOf(state, step));
  return { novel: exempt || !isKnown(state, step, mark), relevant: isRelevant(config, call, facts), mark };
}

function markOf({ facts }: Step, after: number): string {
  return after === 0 ? facts.novelty : hashText(`${after}|${facts.novelty}`);
}

/** The last change before the look began, from which on the same answer is new; for the reference the last before it ended. */
function afterOf(state: GateState, { config, call }: Step): number {
  return (config.settings.obligations === 'per-mutation' ? call.after : state.lastMutation) ?? 0;
}

/** The same answer after the same change, or from a look that began after one that ended beside this look. */
function isKnown({ novelty }: GateState, step: Step, mark: string): boolean {
  if (holds(novelty, mark)) return true;
  return step.call.beside?.some((ended) => holds(novelty, markOf(step, ended))) === true;
}

function holds(novelty: string, mark: string): boolean {
  let at = novelty.indexOf(mark);
  while (at !== -1 && at % HASH !== 0) at = novelty.indexOf(mark, at + 1);
  return at >= 0;
}

function isRelevant(config: ResolvedConfig, call: RunningCall, facts: ReadFacts): boolean {
  if (config.surface.length === 0 && config.settings.emptySurface === 'any') return true;
  if (call.meets || facts.shows.some((name) => config.surface.includes(name))) return true;
  if (config.settings.identifiers === 'tokens') return facts.mentions.length > 0;
  return facts.mentions.some((name) => config.surface.includes(name));
}

/** Remembers an answer, so that the same one is no news; beyond the limit the oldest is forgotten. */
export function rememberAnswer(state: Draft, step: Step, look: Look): void {
  if (!look.novel) return;
  state.novelty = (state.novelty + look.mark).slice(-HASH * step.config.limits.novelty);
}

/** Remembers which codes and identifiers were seen. */
export function rememberShown(state: Draft, step: Step): void {
  if (step.config.settings.unseenCodes === 'ignore' || state.codesFull) return;
  const targets = step.call.targets ?? [];
  const codes = codesOf(step.config, state, step.event, step.facts.evidence);
  let hashes = codes + hashesOf(targets) + hashesOf(step.facts.shows);
  // What was looked at by name is kept apart from what an answer merely named.
  if (step.config.settings.namedChanges === 'refuse' && step.call.kind === 'read')
    hashes += hashesOf(targets.map(lookedAtName));
  remember(step.config, state, hashes);
}
