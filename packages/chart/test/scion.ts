import { createRequire } from 'node:module';
import type { ChartIr, StateIr, TransitionIr } from '../src/ir.ts';

type ScionTransition = { readonly event?: string; readonly target?: readonly string[]; readonly type?: string };
type ScionState = {
  readonly id?: string;
  readonly $type?: string;
  readonly isDeep?: boolean;
  readonly initial?: readonly string[];
  readonly transitions?: readonly ScionTransition[];
  readonly states?: readonly ScionState[];
};
type ScionChart = {
  on(event: 'onEntry' | 'onExit', listener: (id: string) => void): void;
  start(): void;
  gen(event: { readonly name: string }): void;
  getFullConfiguration(): readonly string[];
  isFinal(): boolean;
};

const { Statechart } = createRequire(import.meta.url)('@scion-scxml/core') as {
  Statechart: new (model: ScionState) => ScionChart;
};

export type OtherEngine = {
  /** Active states, sorted by name. */
  readonly configuration: () => readonly string[];
  /** Entries and exits since the last call, in order. */
  readonly story: () => readonly string[];
  readonly send: (name: string) => void;
  readonly isDone: () => boolean;
};

/** The chart in another engine: states, transitions and histories, without content. */
export function runInScion(ir: ChartIr): OtherEngine {
  const story: string[] = [];
  const chart = new Statechart({ states: ir.states.map(stateOf) });
  for (const [event, sign] of [
    ['onEntry', '+'],
    ['onExit', '-'],
  ] as const)
    chart.on(event, (id) => void (isOurs(id) && story.push(`${sign}${id}`)));
  chart.start();
  return {
    configuration: () => chart.getFullConfiguration().filter(isOurs).sort(),
    story: () => story.splice(0),
    send: (name) => chart.gen({ name }),
    isDone: () => chart.isFinal(),
  };
}

/** The engine adds states of its own. */
function isOurs(id: string): boolean {
  return /^s\d+$/.test(id);
}

function stateOf(state: StateIr): ScionState {
  const { id, initial } = state;
  return {
    ...(id === undefined ? {} : { id }),
    $type: state.type,
    ...(state.history === 'deep' ? { isDeep: true } : {}),
    ...(initial === undefined ? {} : { initial: 'targets' in initial ? initial.targets : initial }),
    transitions: state.transitions.map(transitionOf),
    states: state.states.map(stateOf),
  };
}

function transitionOf({ events, targets, type }: TransitionIr): ScionTransition {
  return {
    ...(events.length === 0 ? {} : { event: events.join(' ') }),
    ...(targets.length === 0 ? {} : { target: targets }),
    type,
  };
}
