import type { JsonObject } from '@warrant/core';
import { type Chart, type ChartNode, isDescendant, type Transition } from './chart.ts';
import { activeNodes, probeScope } from './configuration.ts';
import type { ChartEvent } from './event.ts';
import { historyReader } from './history.ts';
import { plannedDomain } from './plan.ts';
import { type Judge, judgeIn, selectTransitions } from './select.ts';
import type { ChartState } from './state.ts';

/** An event that would move the chart now. */
export type OfferedEvent = {
  readonly event: string;
  /** Whether it does depends on its payload: a guard reads it, or the event's type does not allow it to be missing. */
  readonly conditional: boolean;
  /** JSON Schema 2020-12 of the payload, where the chart declares one. */
  readonly schema?: JsonObject;
  /** With the option `transitions`: those it would take that concern the state, by their names. */
  readonly transitions?: readonly string[];
};

export type OfferOptions = {
  readonly variables?: JsonObject;
  /** Only events that move this state, one below it or one above it. */
  readonly state?: string;
  /** Names to offer besides those that transitions name: a wildcard may take them. */
  readonly candidates?: readonly string[];
  /** Whether to name the transitions that each event would take. @default false */
  readonly transitions?: boolean;
};

const RESERVED = /^(error|done|vt|cancel[.]invoke)([.:]|$)/;

/** What a decider may choose from: events in document order, guards that read the payload counted as holding. Nothing is changed, no error is raised. */
export function enabledEvents(chart: Chart, state: ChartState, options: OfferOptions = {}): readonly OfferedEvent[] {
  if (state.status !== 'running') return [];
  const configuration = activeNodes(chart, state);
  const names = new Set([...concreteNames(chart, configuration), ...(options.candidates ?? [])]);
  return [...names]
    .filter((name) => !RESERVED.test(name))
    .flatMap((name) => offerOf(chart, state, configuration, name, options));
}

/** Event names that transitions of active states and their ancestors wait for, without wildcards. */
function concreteNames(chart: Chart, configuration: readonly ChartNode[]): readonly string[] {
  const sources = new Set(configuration);
  const names = chart.nodes
    .filter((node) => sources.has(node) || node.index === 0)
    .flatMap((node) => node.transitions.flatMap((transition) => transition.events));
  return names.filter((name) => !name.endsWith('*')).map((name) => name.replace(/[.]$/, ''));
}

function offerOf(
  chart: Chart,
  state: ChartState,
  configuration: readonly ChartNode[],
  name: string,
  options: OfferOptions,
): readonly OfferedEvent[] {
  const event: ChartEvent = { name, type: 'external', data: null };
  const judge = judgeIn(probeScope(state, event, options.variables ?? {}));
  let conditional = false;
  const probing: Judge = (transition) => {
    if (transition.cond?.readsPayload !== true) return judge(transition);
    conditional = true;
    return 'holds';
  };
  const domainOf = plannedDomain(chart, historyReader(chart, state.history));
  const { transitions } = selectTransitions(configuration, event, probing, domainOf);
  const concerned = transitions.filter((transition) => concerns(chart, transition, options.state));
  if (concerned.length === 0) return [];
  const named = options.transitions === true ? { transitions: concerned.map(({ id }) => id) } : {};
  const schema = chart.types?.schemaOf(name);
  if (schema === undefined) return [{ event: name, conditional, ...named }];
  const needsPayload = (chart.types?.violations(name, null).length ?? 0) > 0;
  return [{ event: name, conditional: conditional || needsPayload, schema, ...named }];
}

function concerns(chart: Chart, transition: Transition, state: string | undefined): boolean {
  if (state === undefined) return true;
  const node = chart.byId.get(state);
  return (
    node !== undefined &&
    (transition.source === node || isDescendant(transition.source, node) || isDescendant(node, transition.source))
  );
}
