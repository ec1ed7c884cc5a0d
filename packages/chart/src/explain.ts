import { isWarrantError, type Json, type JsonObject } from '@warrant/core';
import type { Chart, ChartNode, Transition } from './chart.ts';
import { activeNodes, probeScope } from './configuration.ts';
import { removeConflicts } from './conflicts.ts';
import type { Expression, Scope } from './data-model.ts';
import { type DomainOf, exitSet } from './domain.ts';
import type { ChartEvent } from './event.ts';
import { historyReader } from './history.ts';
import { plannedDomain } from './plan.ts';
import { type ConditionOutcome, judgeIn, waitsFor } from './select.ts';
import type { ChartState } from './state.ts';
import type { ExternalEvent } from './step.ts';

/** Why an event moves a chart or does not. */
export type Explanation = {
  /** Null: the transitions that wait for no event. */
  readonly event: string | null;
  readonly status: ChartState['status'];
  readonly configuration: readonly string[];
  /** Transitions of active states that wait for the event, in the order in which they are asked. */
  readonly considered: readonly Considered[];
  /** Names of the transitions that are taken, in document order. */
  readonly taken: readonly string[];
  /** Of an event that is not of its declared type: JSON Pointers to what is wrong in its data. */
  readonly violations: readonly string[];
  /** What active states wait for now. */
  readonly awaited: readonly string[];
};

export type Considered = {
  readonly transition: string;
  readonly source: string;
  readonly targets: readonly string[];
  /**
   * `pre-empted`: another transition, named in `by`, leaves the same state and goes before.
   * `not-reached`: the transition in `by`, of the same state or one inside it, holds already.
   */
  readonly outcome: 'taken' | 'guard-false' | 'guard-error' | 'pre-empted' | 'not-reached';
  readonly by?: string;
  readonly guard?: ExplainedGuard;
  /** Of one that holds: the innermost state that stays active through it, none when it has no target; the chart itself is ''. */
  readonly domain?: string;
  /** Of one that holds: the states that it leaves, in document order. */
  readonly exits?: readonly string[];
};

export type ExplainedGuard = { readonly source: string; readonly parts: readonly GuardPart[] };
/** A sub-expression with its value, or the code of the error that it ended in. */
export type GuardPart = { readonly source: string } & ({ readonly value: Json } | { readonly error: string });

/** Which transitions an event would concern and what became of each. Reads only. @throws CHART_MISMATCH */
export function explain(
  chart: Chart,
  state: ChartState,
  event: ExternalEvent | null,
  variables: JsonObject = {},
): Explanation {
  const configuration = activeNodes(chart, state);
  const seen: ChartEvent | null =
    event === null ? null : { ...event, type: event.type ?? 'external', data: event.data ?? null };
  const violations = seen === null ? [] : (chart.types?.violations(seen.name, seen.data) ?? []);
  const scope = probeScope(state, seen, variables);
  const isMoving = violations.length === 0 && state.status === 'running';
  const found = isMoving ? consider(configuration, seen, scope) : [];
  const domainOf = plannedDomain(chart, historyReader(chart, state.history));
  const enabled = found
    .filter(({ outcome, by }) => outcome === 'holds' && by === undefined)
    .map((one) => one.transition);
  const taken = removeConflicts(enabled, domainOf);
  const view = { configuration, domainOf, taken, scope, dataModel: chart.dataModel };
  return {
    event: seen?.name ?? null,
    status: state.status,
    configuration: state.configuration,
    considered: found.map((one) => explained(one, view)),
    taken: taken.map(({ id }) => id),
    violations,
    awaited: [...new Set(configuration.flatMap((node) => node.transitions).flatMap((transition) => transition.events))],
  };
}

type Found = {
  readonly transition: Transition;
  readonly outcome: ConditionOutcome | 'not-asked';
  /** What held before this one was asked. */
  readonly by: Transition | undefined;
};

/** Goes the way that selection goes, without stopping at what holds. */
function consider(configuration: readonly ChartNode[], event: ChartEvent | null, scope: Scope): readonly Found[] {
  const judge = judgeIn(scope);
  const found = new Map<Transition, Found>();
  for (const atom of configuration) {
    if (atom.type !== 'atomic' && atom.type !== 'final') continue;
    let chosen: Transition | undefined;
    for (const transition of waiting(atom, event)) {
      if (chosen === undefined) {
        const outcome = judge(transition);
        found.set(transition, { transition, outcome, by: undefined });
        if (outcome === 'holds') chosen = transition;
      } else if (!found.has(transition)) found.set(transition, { transition, outcome: 'not-asked', by: chosen });
    }
  }
  return [...found.values()];
}

/** Transitions of the atom and what it lies in that wait for the event, innermost first. */
function waiting(atom: ChartNode, event: ChartEvent | null): readonly Transition[] {
  const all: Transition[] = [];
  for (let node: ChartNode | undefined = atom; node !== undefined; node = node.parent)
    all.push(...node.transitions.filter((transition) => waitsFor(transition, event)));
  return all;
}

type View = {
  readonly configuration: readonly ChartNode[];
  readonly domainOf: DomainOf;
  readonly taken: readonly Transition[];
  readonly scope: Scope;
  readonly dataModel: Chart['dataModel'];
};

function explained({ transition, outcome, by }: Found, view: View): Considered {
  const { source, targets, cond } = transition;
  const base = { transition: transition.id, source: source.id, targets: targets.map(({ id }) => id) };
  const guard = cond === undefined ? {} : { guard: explainGuard(cond, view) };
  if (outcome === 'not-asked') return { ...base, outcome: 'not-reached', ...(by === undefined ? {} : { by: by.id }) };
  if (outcome === 'fails') return { ...base, outcome: 'guard-false', ...guard };
  if (outcome === 'error') return { ...base, outcome: 'guard-error', ...guard };
  const exits = exitSet(transition, view.configuration, view.domainOf);
  const domain = view.domainOf(transition);
  const moved = {
    ...(domain === undefined ? {} : { domain: domain.index === 0 ? '' : domain.id }),
    exits: exits.map(({ id }) => id),
  };
  if (view.taken.includes(transition)) return { ...base, outcome: 'taken', ...guard, ...moved };
  const rival = view.taken.find((other) =>
    exitSet(other, view.configuration, view.domainOf).some((node) => exits.includes(node)),
  );
  return { ...base, outcome: 'pre-empted', ...(rival === undefined ? {} : { by: rival.id }), ...guard, ...moved };
}

function explainGuard(cond: Expression, { dataModel, scope }: View): ExplainedGuard {
  const parts = (dataModel.parts?.(cond.source) ?? []).map((part) => ({
    source: part.source,
    ...outcomeOf(part, scope),
  }));
  return { source: cond.source, parts };
}

function outcomeOf(part: Expression, scope: Scope): { readonly value: Json } | { readonly error: string } {
  try {
    return { value: part.evaluate(scope) };
  } catch (error) {
    if (!isWarrantError(error)) throw error;
    const { reason } = error.data;
    return { error: typeof reason === 'string' ? reason : error.code };
  }
}
