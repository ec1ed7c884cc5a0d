import { stringify } from 'yaml';
import type { ChartIr, DataItem, StateIr, TransitionIr } from '../ir.ts';
import { FORMAT, VERTEP_VERSION } from './vocabulary.ts';
import {
  filled,
  jsonMember,
  type Plain,
  plainBlock,
  plainBlocks,
  plainContent,
  plainExtensions,
  plainInvoke,
  plainParams,
} from './write-content.ts';

export type WriteYamlOptions = {
  /** Which header the document carries. @default 'warrant' */
  readonly header?: 'warrant' | 'vertep';
};

/** The chart as a YAML document. Reading it gives the same chart. */
export function writeYaml(chart: ChartIr, options: WriteYamlOptions = {}): string {
  const header = options.header === 'vertep' ? { vertep: VERTEP_VERSION } : { format: FORMAT };
  return stringify({ ...header, ...plainChart(chart) }, { lineWidth: 120, aliasDuplicateObjects: false });
}

function plainChart(chart: ChartIr): Plain {
  return filled({
    name: chart.name,
    datamodel: chart.datamodel === 'cel' ? undefined : chart.datamodel,
    binding: chart.binding === 'early' ? undefined : chart.binding,
    initial: words(chart.initial),
    data: plainData(chart.data),
    states: plainStates(chart.states),
    extensions: plainExtensions(chart.extensions),
  });
}

/** What JavaScript would move to the front of a map. */
const NUMBER = /^(0|[1-9]\d*)$/;

/** One word stands alone; words that a reader would split stand in a list. */
function words(list: readonly string[] | undefined): string | readonly string[] | undefined {
  const [first] = list ?? [];
  return list?.length === 1 && first !== undefined && /^\S+$/.test(first) ? first : list;
}

function canBeKeys(names: readonly (string | undefined)[]): names is readonly string[] {
  return names.every((name) => name !== undefined && !NUMBER.test(name)) && new Set(names).size === names.length;
}

function plainStates(states: readonly StateIr[]): unknown {
  if (states.length === 0) return undefined;
  const ids = states.map(({ id }) => id);
  if (!canBeKeys(ids)) return states.map((state) => ({ ...filled({ id: state.id }), ...plainState(state) }));
  return Object.fromEntries(states.map((state) => [state.id, plainState(state)]));
}

function plainState(state: StateIr): Plain {
  const { initial } = state;
  return filled({
    type: state.type === 'state' ? undefined : state.type,
    history: state.history === 'deep' ? 'deep' : undefined,
    initial: initial !== undefined && 'targets' in initial ? plainTransition(initial) : words(initial),
    entry: plainBlocks(state.onEntry),
    exit: plainBlocks(state.onExit),
    ...plainTransitions(state),
    data: plainData(state.data),
    invoke: state.invokes.map((invoke) => plainInvoke(invoke, plainChart)),
    donedata: state.doneData && {
      ...filled({
        params: plainParams(state.doneData.params),
        content: state.doneData.content && plainContent(state.doneData.content),
        extensions: plainExtensions(state.doneData.extensions),
      }),
    },
    states: plainStates(state.states),
    extensions: plainExtensions(state.extensions),
  });
}

/** As `default`, `always` and `on` where reading these gives the same order, else as a list. */
function plainTransitions({ type, transitions }: StateIr): Plain {
  const [only] = transitions;
  if (type === 'history' && transitions.length === 1 && only?.events.length === 0)
    return { default: plainTransition(only) };
  const count = transitions.findIndex((one) => one.events.length > 0);
  const eventless = count < 0 ? transitions : transitions.slice(0, count);
  const groups = groupByEvent(transitions.slice(eventless.length));
  if (groups === undefined) return { transitions: transitions.map(withEvent) };
  return filled({
    always: eventless.map(plainTransition),
    on: groups.size === 0 ? undefined : Object.fromEntries(groups),
  });
}

/** Transitions under their event, when each event's transitions stand together; undefined when a map cannot hold them. */
function groupByEvent(transitions: readonly TransitionIr[]): ReadonlyMap<string, unknown> | undefined {
  const groups = new Map<string, unknown[]>();
  let last = '';
  for (const transition of transitions) {
    const key = transition.events.join(' ');
    const isBroken = transition.events.length === 0 || transition.events.some((event) => !/^\S+$/.test(event));
    if (isBroken || NUMBER.test(key) || (groups.has(key) && key !== last)) return undefined;
    groups.set(key, [...(groups.get(key) ?? []), plainTransition(transition)]);
    last = key;
  }
  return new Map([...groups].map(([key, list]) => [key, list.length === 1 ? list[0] : list]));
}

function withEvent(transition: TransitionIr): unknown {
  const plain = plainTransition(transition);
  const members = typeof plain === 'string' ? { target: plain } : plain;
  return { ...filled({ event: words(transition.events) }), ...members };
}

function plainTransition(transition: TransitionIr): Plain | string {
  const { cond, targets, type, content } = transition;
  const members = filled({
    cond,
    target: words(targets),
    type: type === 'internal' ? type : undefined,
    do: plainBlock(content),
    extensions: plainExtensions(transition.extensions),
  });
  const [target] = Object.values(members);
  return Object.keys(members).join() === 'target' && typeof target === 'string' ? target : members;
}

/** Values alone stand in a map; anything more needs the list. */
function plainData(items: readonly DataItem[]): unknown {
  if (items.length === 0) return undefined;
  const plain = items.every((item) => item.value !== undefined && item.expr === undefined && item.src === undefined);
  if (plain && items.every((item) => item.extensions === undefined) && canBeKeys(items.map(({ id }) => id)))
    return Object.fromEntries(items.map(({ id, value }) => [id, value]));
  return items.map((item) => ({
    ...filled({ id: item.id, expr: item.expr, src: item.src, extensions: plainExtensions(item.extensions) }),
    ...jsonMember(item.value),
  }));
}
