import { clipText } from '@warrant/core';
import type { ResolvedConfig } from './config-types.ts';
import { isOvertaken, tookEffect } from './freshness.ts';
import { isWithin } from './identifiers.ts';
import { meet } from './obligations.ts';
import { appended, type Draft } from './state.ts';
import { addNamedSignals, lookAt, note, qualify, rememberAnswer, rememberShown, type Step } from './step.ts';
import { changedBy, recordEnd, recordLook } from './things.ts';
import type { GateState, Obligation, RunningCall } from './types.ts';

/** A change that ended: its obligation waits for a look from here on, unless its own answer shows the result. */
export function changed(state: Draft, step: Step): void {
  const { config, call, event, facts } = step;
  const failed = facts.evidence === 'error';
  const look = config.settings.obligations === 'last-mutation' ? lookAt(state, step) : null;
  const besides = isOvertaken(state, step);
  recordEnd(state, event.endSeq);
  if (call.keeps !== true) tookEffect(config, state, call, event.endSeq);
  if (config.settings.surfaceGrowth === 'mutations') state.changed = grownSurface(state, call, config);
  if (look !== null) {
    changedByReference(state, step, look);
    return;
  }
  endObligation(state, step, failed);
  if (failed) state.absent = true;
  else rememberShown(state, step);
  const own = state.open.find((item) => item.id === call.id);
  if (facts.own?.type === 'fails') {
    const found = clipText(facts.own.message, 120);
    state.open = state.open.map((item) => (item === own ? { ...item, contradicted: { by: call.id, found } } : item));
    note(state, call, { tier: 'none', cause: 'contradicting', evidence: 'contradicting', failed: true });
  } else if (facts.own?.type === 'holds' && !failed && own !== undefined && own.blind === undefined) {
    meet(state, [...state.open.filter((item) => shownByAnswer(item, call)), own], call.id);
    qualify(state, step, 'verified', besides ? 'stale' : null);
    // Its answer is a look that began when it ended.
    if (!besides) recordLook(state, call.targets ?? [], event.endSeq + 1);
    note(state, call, { tier: 'verified', cause: 'ok', evidence: 'positive', failed: false });
  } else {
    note(state, call, { tier: 'none', cause: failed ? 'error' : 'not-read-only', evidence: facts.evidence, failed });
  }
}

/** An answer that carries the resulting state is a look at its targets, so it speaks for earlier changes of them as well. */
function shownByAnswer(item: Obligation, call: RunningCall): boolean {
  if (item.ended === null || item.ended >= call.from || item.blind !== undefined) return false;
  return item.targets?.every((target) => call.targets?.includes(target)) === true;
}

/** The reference classes a change like a look, then takes the verification back. */
function changedByReference(state: Draft, step: Step, look: ReturnType<typeof lookAt>): void {
  const { evidence } = step.facts;
  if (look.relevant && evidence === 'positive') rememberAnswer(state, step, look);
  state.verified = false;
  addNamedSignals(state, step);
  const cause = !look.novel ? 'not-novel' : look.relevant ? 'not-read-only' : 'not-relevant';
  note(state, step.call, { tier: 'none', cause, evidence });
}

function grownSurface(state: GateState, call: RunningCall, config: ResolvedConfig): readonly string[] {
  let out = state.changed;
  for (const target of call.targets ?? [])
    if (!out.includes(target)) out = appended(out, target, config.limits.surface);
  return out;
}

/** The change has ended: what it overwrites of earlier changes no longer has to be seen as they left it. */
function endObligation(state: Draft, step: Step, failed: boolean): void {
  const { call, event } = step;
  const open: Obligation[] = [];
  for (const item of state.open) {
    if (item.id === call.id) open.push({ ...item, ended: event.endSeq, failed });
    else if (failed || item.ended === null || item.ended >= call.from || !overwrites(call, item)) open.push(item);
    else if (!(item.failed && item.redo)) {
      const { expects: _expects, contradicted: _contradicted, ...rest } = item;
      open.push(rest);
    }
  }
  if (open.every((item) => item.id !== call.id) && state.beyond === 0) open.push(reopened(step, failed));
  state.open = open;
}

/** A change that was reported as unverified while it still ran has its effect after the report. */
function reopened(step: Step, failed: boolean): Obligation {
  const { call, event, config } = step;
  const { id, tool, key, from } = call;
  const targets = changedBy(call);
  const redo = config.settings.failedMutations === 'redo';
  return { id, tool, key, targets, from, ended: event.endSeq, failed, redo, size: call.size + 100 };
}

function overwrites(call: RunningCall, item: Obligation): boolean {
  if (item.key === call.key) return true;
  return item.targets?.every((target) => call.targets?.some((own) => isWithin(target, own))) === true;
}
