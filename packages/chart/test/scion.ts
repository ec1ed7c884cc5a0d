import { createRequire } from 'node:module';
import type { ChartIr, StateIr, TransitionIr } from '../src/ir.ts';

type Content = (this: { raise(event: { readonly name: string }): void }) => void;
type ScionTransition = {
  readonly event?: string;
  readonly target?: readonly string[];
  readonly type?: string;
  readonly cond?: () => boolean;
  readonly onTransition?: readonly Content[];
};
type ScionState = {
  readonly id?: string;
  readonly $type?: string;
  readonly isDeep?: boolean;
  readonly initial?: readonly string[];
  readonly transitions?: readonly ScionTransition[];
  readonly states?: readonly ScionState[];
};
type IsIn = (state: string) => boolean;
type Factory = (x: unknown, session: string, processors: unknown, isIn: IsIn) => ScionState;
type ScionChart = {
  on(event: 'onEntry' | 'onExit', listener: (id: string) => void): void;
  on(event: 'onTransition', listener: (source: string, targets: unknown, index: number) => void): void;
  on(event: 'onSmallStepBegin', listener: () => void): void;
  start(): void;
  gen(event: { readonly name: string }): void;
  getFullConfiguration(): readonly string[];
  isFinal(): boolean;
};

const { Statechart } = createRequire(import.meta.url)('@scion-scxml/core') as {
  Statechart: new (model: Factory) => ScionChart;
};

export type OtherEngine = {
  /** Active states, sorted by name. */
  readonly configuration: () => readonly string[];
  /** Since the last call, in order: `-s1` an exit, `~s1#0` a transition, `+s2` an entry. */
  readonly story: () => readonly string[];
  readonly send: (name: string) => void;
  readonly isDone: () => boolean;
};

/** This engine has no limit of its own; ours is asked first and stops much earlier. */
const MICROSTEPS = 500;

/** The chart in another engine: states, transitions, histories, `In()` conditions and raised events. */
export function runInScion(ir: ChartIr): OtherEngine {
  const story: string[] = [];
  let microsteps = 0;
  const chart = new Statechart((_x, _session, _processors, isIn) => ({
    states: ir.states.map((state) => stateOf(state, isIn)),
  }));
  for (const [event, sign] of [
    ['onEntry', '+'],
    ['onExit', '-'],
  ] as const)
    chart.on(event, (id) => void (isOurs(id) && story.push(`${sign}${id}`)));
  chart.on('onTransition', (source, _targets, index) => void (isOurs(source) && story.push(`~${source}#${index}`)));
  chart.on('onSmallStepBegin', () => {
    microsteps += 1;
    if (microsteps > MICROSTEPS) throw new Error('the other engine does not come to rest');
  });
  chart.start();
  return {
    configuration: () => chart.getFullConfiguration().filter(isOurs).sort(),
    story: () => story.splice(0),
    send: (name) => {
      microsteps = 0;
      chart.gen({ name });
    },
    isDone: () => chart.isFinal(),
  };
}

/** The engine adds states of its own. */
function isOurs(id: string): boolean {
  return /^s\d+$/.test(id);
}

function stateOf(state: StateIr, isIn: IsIn): ScionState {
  const { id, initial } = state;
  return {
    ...(id === undefined ? {} : { id }),
    $type: state.type,
    ...(state.history === 'deep' ? { isDeep: true } : {}),
    ...(initial === undefined ? {} : { initial: 'targets' in initial ? initial.targets : initial }),
    transitions: state.transitions.map((transition) => transitionOf(transition, isIn)),
    states: state.states.map((child) => stateOf(child, isIn)),
  };
}

function transitionOf({ events, targets, type, cond, content }: TransitionIr, isIn: IsIn): ScionTransition {
  const state = cond === undefined ? undefined : /^In\('(\w+)'\)$/.exec(cond)?.[1];
  const raised = content.flatMap((action) => (action.type === 'raise' ? [action.event] : []));
  return {
    ...(events.length === 0 ? {} : { event: events.join(' ') }),
    ...(targets.length === 0 ? {} : { target: targets }),
    ...(state === undefined ? {} : { cond: () => isIn(state) }),
    ...(raised.length === 0 ? {} : { onTransition: raised.map(raising) }),
    type,
  };
}

function raising(name: string): Content {
  return function () {
    this.raise({ name });
  };
}
