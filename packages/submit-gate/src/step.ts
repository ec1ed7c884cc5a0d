import { clipText } from '@warrant/core';
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
/** So many answers are copied at most when one is added; the others are shared between states. */
const RECENT = 8;

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
    signals[keptName(name)] = covers === undefined ? { from: step.call.from } : { from: step.call.from, covers };
  const kept = Object.entries(signals).slice(-32);
  state.signals = Object.fromEntries(kept);
}

/** A signal's name as the state holds it. */
export function keptName(signal: string): string {
  return clipText(signal, 64);
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

/** `mark` is the answer with the change that it came after, as it is remembered; 0 for one that is not. */
export type Look = { readonly relevant: boolean; readonly novel: boolean; readonly mark: number };

export function lookAt(state: Draft, step: Step): Look {
  const { config, call, facts } = step;
  const exempt = config.noveltyExempt.includes(call.tool) || facts.novelty === 0;
  const mark = exempt ? 0 : markOf(step, afterOf(state, step));
  return { novel: exempt || !isKnown(state, step, mark), relevant: isRelevant(config, call, facts), mark };
}

function markOf({ facts }: Step, after: number): number {
  return after === 0 ? facts.novelty : hashText(`${after}|${facts.novelty}`);
}

/** The last change before the look began, from which on the same answer is new; for the reference the last before it ended. */
function afterOf(state: GateState, { config, call }: Step): number {
  return (config.settings.obligations === 'per-mutation' ? call.after : state.lastMutation) ?? 0;
}

/** The same answer after the same change, or from a look that began after one that ended beside this look. */
function isKnown(state: GateState, step: Step, mark: number): boolean {
  if (isRemembered(state, step, mark)) return true;
  return step.call.beside?.some((ended) => isRemembered(state, step, markOf(step, ended))) === true;
}

function isRemembered({ novelty, recent }: GateState, { config }: Step, mark: number): boolean {
  return recent.includes(mark) || novelty.includes(mark, forgotten(novelty, recent, config));
}

/** How many of the oldest answers no longer count. */
function forgotten(novelty: readonly number[], recent: readonly number[], config: ResolvedConfig): number {
  return Math.max(0, novelty.length + recent.length - config.limits.novelty);
}

function isRelevant(config: ResolvedConfig, call: RunningCall, facts: ReadFacts): boolean {
  if (config.surface.length === 0 && config.settings.emptySurface === 'any') return true;
  if (call.meets || facts.shows.some((name) => config.surface.includes(name))) return true;
  if (config.settings.identifiers === 'tokens') return facts.mentions.length > 0;
  return facts.mentions.some((name) => config.surface.includes(name));
}

/** Remembers an answer, so that the same one is no news; beyond the limit the oldest is forgotten. */
export function rememberAnswer(state: Draft, step: Step, look: Look): void {
  if (!look.novel || look.mark === 0) return;
  const { novelty, recent } = state;
  const isFull = recent.length >= Math.min(RECENT, step.config.limits.novelty);
  if (isFull) state.novelty = joined(novelty.slice(forgotten(novelty, recent, step.config)), recent);
  const latest = isFull ? [] : joined([], recent);
  latest.push(look.mark);
  state.recent = latest;
}

/** One by one: for so few that is twice as fast as spreading them. */
function joined(items: number[], others: readonly number[]): number[] {
  for (let at = 0; at < others.length; at += 1) items.push(others[at] as number);
  return items;
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
