import { isWarrantError } from '@warrant/core';
import type { ChartNode, Transition } from './chart.ts';
import { removeConflicts } from './conflicts.ts';
import type { Expression, Scope } from './data-model.ts';
import type { DomainOf } from './domain.ts';
import { type ChartEvent, namesEvent } from './event.ts';

/** How a condition ended: what is not true does not hold; an error is also reported. */
export type ConditionOutcome = 'holds' | 'fails' | 'error';

export type Selection = {
  /** The optimally enabled set (standard 3.13), in document order. */
  readonly transitions: readonly Transition[];
  /** Transitions whose condition could not be evaluated. */
  readonly errors: readonly Transition[];
};

export type Judge = (transition: Transition) => ConditionOutcome;

/** Judges a condition in a scope. */
export function judgeIn(scope: Scope): Judge {
  return (transition) => outcomeOf(transition, scope);
}

/** How the condition of a transition ends in a scope. */
export function outcomeOf({ cond }: Transition, scope: Scope): ConditionOutcome {
  return cond === undefined ? 'holds' : judged(cond, scope);
}

function judged(cond: Expression, scope: Scope): ConditionOutcome {
  try {
    return cond.evaluate(scope) === true ? 'holds' : 'fails';
  } catch (error) {
    if (isWarrantError(error)) return 'error';
    throw error;
  }
}

/** Which transitions the event (or none) would take; reads only. `configuration` is in document order. */
export function selectTransitions(
  configuration: readonly ChartNode[],
  event: ChartEvent | null,
  judge: Judge,
  domainOf: DomainOf,
): Selection {
  const errors: Transition[] = [];
  const enabled: Transition[] = [];
  for (const node of configuration) {
    if (node.type !== 'atomic' && node.type !== 'final') continue;
    if (event === null && !node.hasEventless) continue;
    const taken = firstEnabled(node, event, judge, errors);
    if (taken !== undefined && !enabled.includes(taken)) enabled.push(taken);
  }
  return { transitions: enabled.length > 1 ? removeConflicts(enabled, domainOf) : enabled, errors };
}

/** The remembered states of a history node, if any. */
export type HistoryOf = (history: ChartNode) => readonly ChartNode[] | undefined;

function firstEnabled(
  atom: ChartNode,
  event: ChartEvent | null,
  judge: Judge,
  errors: Transition[],
): Transition | undefined {
  for (let node: ChartNode | undefined = atom; node !== undefined; node = node.parent) {
    for (const transition of node.transitions) {
      if (!waitsFor(transition, event)) continue;
      const outcome = judge(transition);
      if (outcome === 'holds') return transition;
      if (outcome === 'error' && !errors.includes(transition)) errors.push(transition);
    }
  }
  return undefined;
}

/** The transitions of an active atom and of the states around it that wait for the event; the first that holds is taken. */
export function waitingIn(atom: ChartNode, event: ChartEvent): readonly Transition[] {
  const found: Transition[] = [];
  for (let node: ChartNode | undefined = atom; node !== undefined; node = node.parent)
    for (const transition of node.transitions) if (waitsFor(transition, event)) found.push(transition);
  return found;
}

/** Whether the transition waits for the event, or for none. */
export function waitsFor(transition: Transition, event: ChartEvent | null): boolean {
  const { descriptors } = transition;
  if (event === null) return descriptors.length === 0;
  for (const descriptor of descriptors) if (namesEvent(descriptor, event.name)) return true;
  return false;
}
