import type { JsonObject } from '@warrant/core';
import { type Chart, type ChartNode, isDescendant, type Transition } from './chart.ts';
import { activeNodes, probeScope } from './configuration.ts';
import { removeConflicts } from './conflicts.ts';
import type { ChartEvent } from './event.ts';
import { historyReader } from './history.ts';
import { plannedDomain } from './plan.ts';
import { outcomeOf, waitingIn } from './select.ts';
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
  const offered: OfferedEvent[] = [];
  for (const asked of questionsOf(chart, state, options)) {
    const event = offerOf(chart, state, asked, options);
    if (event !== undefined) offered.push(event);
  }
  return offered;
}

/** One event that may be offered: what of it is the same whatever the data are. */
type Question = {
  readonly event: ChartEvent;
  readonly schema: JsonObject | undefined;
  readonly needsPayload: boolean;
  /** For each active atom, the transitions that wait for the event, those that go before first. */
  readonly waiting: readonly (readonly Transition[])[];
};

const MAX_KEPT = 256;
const questions = new WeakMap<Chart, Map<string, readonly Question[]>>();

/** An agent comes back to few configurations, so that their questions are put together once. */
function questionsOf(chart: Chart, state: ChartState, { candidates = [] }: OfferOptions): readonly Question[] {
  const configuration = activeNodes(chart, state);
  const [only] = state.configuration;
  const isOne = state.configuration.length === 1 && candidates.length === 0 && only !== undefined;
  const key = isOne ? `=${only}` : JSON.stringify([state.configuration, candidates]);
  const kept = questions.get(chart) ?? new Map<string, readonly Question[]>();
  questions.set(chart, kept);
  const known = kept.get(key);
  if (known !== undefined) return known;
  const made = makeQuestions(chart, configuration, candidates);
  if (kept.size >= MAX_KEPT) kept.clear();
  kept.set(key, made);
  return made;
}

function makeQuestions(
  chart: Chart,
  configuration: readonly ChartNode[],
  candidates: readonly string[],
): readonly Question[] {
  const names = new Set([...concreteNames(configuration), ...candidates]);
  const atoms = configuration.filter(({ type }) => type === 'atomic' || type === 'final');
  return [...names]
    .filter((name) => !RESERVED.test(name))
    .map((name) => {
      const event: ChartEvent = { name, type: 'external', data: null };
      const schema = chart.types?.schemaOf(name);
      return {
        event,
        schema,
        needsPayload: schema !== undefined && (chart.types?.violations(name, null).length ?? 0) > 0,
        waiting: atoms.map((atom) => waitingIn(atom, event)).filter((found) => found.length > 0),
      };
    })
    .filter(({ waiting }) => waiting.length > 0);
}

/** Event names that transitions of active states and their ancestors wait for, without wildcards. */
function concreteNames(configuration: readonly ChartNode[]): readonly string[] {
  const names = configuration.flatMap((node) => node.transitions.flatMap((transition) => transition.events));
  return names.filter((name) => !name.endsWith('*')).map((name) => name.replace(/[.]$/, ''));
}

function offerOf(
  chart: Chart,
  state: ChartState,
  { event, schema, needsPayload, waiting }: Question,
  options: OfferOptions,
): OfferedEvent | undefined {
  const scope = probeScope(state, event, options.variables ?? NO_VARIABLES);
  let conditional = false;
  const enabled: Transition[] = [];
  for (const transitions of waiting) {
    for (const transition of transitions) {
      if (transition.cond?.readsPayload === true) conditional = true;
      else if (outcomeOf(transition, scope) !== 'holds') continue;
      if (!enabled.includes(transition)) enabled.push(transition);
      break;
    }
  }
  if (enabled.length === 0) return undefined;
  const taken =
    enabled.length > 1 ? removeConflicts(enabled, plannedDomain(chart, historyReader(chart, state.history))) : enabled;
  const concerned = taken.filter((transition) => concerns(chart, transition, options.state));
  if (concerned.length === 0) return undefined;
  const offered: { -readonly [Key in keyof OfferedEvent]: OfferedEvent[Key] } = {
    event: event.name,
    conditional: conditional || needsPayload,
  };
  if (schema !== undefined) offered.schema = schema;
  if (options.transitions === true) offered.transitions = concerned.map(({ id }) => id);
  return offered;
}

const NO_VARIABLES: JsonObject = {};

function concerns(chart: Chart, transition: Transition, state: string | undefined): boolean {
  if (state === undefined) return true;
  const node = chart.byId.get(state);
  return (
    node !== undefined &&
    (transition.source === node || isDescendant(transition.source, node) || isDescendant(node, transition.source))
  );
}
