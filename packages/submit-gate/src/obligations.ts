import { couldMeet } from './facts.ts';
import { isWithin } from './identifiers.ts';
import type { Draft } from './state.ts';
import type { Step } from './step.ts';
import type { Obligation } from './types.ts';

/** `shown` are the targets that a look showed as they were to be. */
export type Settled = { readonly met: number; readonly contradicted: boolean; readonly shown: readonly string[] };

export const NOT_SETTLED: Settled = Object.freeze({ met: 0, contradicted: false, shown: [] });

/** Obligations that are met leave as a count and the latest of them. */
export function meet(state: Draft, met: readonly Obligation[], by: string): void {
  const last = met.at(-1);
  if (last === undefined) return;
  state.open = state.open.filter((item) => !met.includes(item));
  state.met = { count: state.met.count + met.length, last: { id: last.id, by } };
}

/** Holds a look against every open obligation: some are met, some in part, some contradicted. */
export function settle(state: Draft, step: Step): Settled {
  if (state.open.length === 0) return NOT_SETTLED;
  let contradicted = false;
  const met: Obligation[] = [];
  const shown: string[] = [];
  const open = state.open.map((item) => {
    if (!couldMeet(item, step.call, step.event) && !isNamed(item, step)) return item;
    const next = lookedAt(item, step);
    shown.push(...leftOut(item, next));
    if (next.contradicted?.by === step.call.id) contradicted = true;
    if (next.targets?.length === 0) met.push(next);
    return next;
  });
  state.open = open;
  meet(state, met, step.call.id);
  return { met: met.length, contradicted, shown };
}

function leftOut(item: Obligation, next: Obligation): readonly string[] {
  return (item.targets ?? []).filter((target) => !(next.targets as readonly string[]).includes(target));
}

/** An extractor says what a look was of, where the call itself does not. */
function isNamed(item: Obligation, { config, call, facts }: Step): boolean {
  if (config.extractors[call.tool] === undefined || item.ended === null || call.from <= item.ended) return false;
  return item.targets?.some((target) => facts.shows.includes(target)) === true;
}

function lookedAt(item: Obligation, step: Step): Obligation {
  const { facts, event } = step;
  if (item.failed && item.redo) return item;
  const back = event.readBackOf === item.id;
  const answer = facts.expectations[item.id];
  const left = item.targets === null ? null : item.targets.filter((target) => !shows(item, target, step));
  const isShown = left?.length !== item.targets?.length;
  if (answer?.type === 'differs' && facts.evidence === 'positive' && (back || isShown)) {
    return { ...item, contradicted: { by: step.call.id, found: answer.found } };
  }
  if (isStillThere(item, step)) return { ...item, contradicted: { by: step.call.id, found: 'it is still there' } };
  if (back) return backAnswer(item, step, answer?.type);
  if (!isShown || (item.expects?.type === 'stated' && answer?.type !== 'matches')) return item;
  const { contradicted: _contradicted, ...rest } = item;
  return { ...rest, targets: left };
}

/** A read-back that the shell ran for this change counts for all of it. */
function backAnswer(item: Obligation, step: Step, answer: string | undefined): Obligation {
  const removed = item.gone !== undefined && item.gone.length === (item.targets?.length ?? -1);
  if (step.facts.evidence !== 'positive' && !removed) return item;
  if (item.expects?.type === 'stated' && answer !== 'matches') return item;
  const { contradicted: _contradicted, ...rest } = item;
  return { ...rest, targets: [] };
}

/** True when a look shows something that should be gone. */
function isStillThere(item: Obligation, { call, facts }: Step): boolean {
  if (item.gone === undefined || facts.evidence !== 'positive' || item.expects !== undefined) return false;
  return item.gone.some((target) => call.targets?.includes(target) === true || facts.mentions.includes(target));
}

function shows(item: Obligation, target: string, step: Step): boolean {
  const { call, facts } = step;
  const direct = call.targets?.includes(target) === true || facts.shows.includes(target);
  if (item.gone?.includes(target) === true) {
    if (facts.evidence !== 'positive') return direct;
    const parent =
      call.targets?.some((folder) => folder !== target && isWithin(target, folder) && isParent(folder, target)) ===
      true;
    return parent && call.lists === true && !facts.mentions.includes(target);
  }
  if (facts.evidence !== 'positive' || call.lists === true) return false;
  return (
    direct || (facts.mentions.includes(target) && call.targets?.some((folder) => isWithin(target, folder)) === true)
  );
}

function isParent(folder: string, target: string): boolean {
  const rest = folder === '.' ? target : target.slice(folder.length + 1);
  return !rest.includes('/');
}
