import { runBlock, runBlocks } from '../src/actions.ts';
import type { Chart, ChartNode, CompiledBlock, Transition } from '../src/chart.ts';
import { makeData } from '../src/enter.ts';
import { reasonOf } from '../src/errors.ts';
import type { ChartEvent } from '../src/event.ts';
import { routeToInvokes, startInvokes } from '../src/invoke.ts';
import { payloadDespiteFaults } from '../src/payload.ts';
import { closeRun, enqueue, LimitReached, Run, raise, raiseError } from '../src/run.ts';
import { deliver } from '../src/send.ts';
import type { ChartState, Effect } from '../src/state.ts';
import type { InitialInput, Input } from '../src/step.ts';

// Appendix D of the standard as it stands there, procedure by procedure, without regard to what it costs: what the
// interpreter is compared with. Executable content, data and invokes are the interpreter's own.

type Stepped = readonly [ChartState | 'stopped', readonly Effect[]];

/** The interpreter's `initial`, by the letter. */
export function initialByLetter(chart: Chart, input: InitialInput): Stepped {
  const { digest, name } = chart;
  const nothing = { configuration: [], data: {}, history: {}, timers: [], invokes: [], bound: [] } as const;
  const empty = { chart: digest, session: input.sessionId, name, status: 'running', steps: -1, ...nothing } as const;
  return perform(new Run(chart, empty, input), (run) => {
    const root = chart.nodes[0] as ChartNode;
    if (chart.binding === 'late') {
      const ids = chart.nodes.flatMap(({ data }) => data.map(({ id }) => id));
      run.data = Object.fromEntries(ids.map((id) => [id, null]));
    }
    for (const node of chart.binding === 'early' ? chart.nodes : [root]) makeData(run, node.data, {});
    enterStates(run, [root.initial as Transition]);
    macrostep(run);
    mainEventLoop(run);
  });
}

/** The interpreter's `step`, by the letter. */
export function stepByLetter(chart: Chart, state: ChartState, input: Input): Stepped {
  if (state.status !== 'running') return [state, []];
  return perform(new Run(chart, state, input), (run) => {
    if ('event' in input) enqueue(run, { type: 'external', data: null, ...input.event });
    else fire(run, input.timer);
    mainEventLoop(run);
  });
}

function fire(run: Run, id: string): void {
  const timer = run.timers.find((one) => one.id === id);
  run.timers = run.timers.filter((one) => one !== timer);
  if (timer !== undefined) deliver(run, timer);
}

function perform(run: Run, work: (run: Run) => void): Stepped {
  try {
    work(run);
    return [closeRun(run), run.effects];
  } catch (error) {
    if (error instanceof LimitReached) return ['stopped', []];
    throw error;
  }
}

function mainEventLoop(run: Run): void {
  for (let count = 1; run.status === 'running'; count += 1) {
    const event = run.external.shift();
    if (event === undefined) return;
    if (count > run.chart.limits.macrosteps) throw new LimitReached('macrosteps', run.chart.limits.macrosteps);
    run.event = event;
    routeToInvokes(run, event);
    const enabled = selectTransitions(run, event);
    if (enabled.length > 0) microstep(run, enabled);
    macrostep(run);
  }
  exitInterpreter(run);
}

function macrostep(run: Run): void {
  let count = 0;
  do {
    for (let isDone = false; run.status === 'running' && !isDone; ) {
      if (count > run.chart.limits.microsteps) throw new LimitReached('microsteps', run.chart.limits.microsteps);
      let enabled = selectTransitions(run, null);
      if (enabled.length === 0) {
        const event = run.internal.shift();
        isDone = event === undefined;
        if (event !== undefined) {
          run.event = event;
          enabled = selectTransitions(run, event);
        }
      }
      if (enabled.length > 0) microstep(run, enabled);
      if (!isDone) count += 1;
    }
    if (run.status === 'running') startInvokes(run);
  } while (run.status === 'running' && run.internal.length > 0);
}

function exitInterpreter(run: Run): void {
  let data: Extract<Effect, { type: 'done' }>['data'] = null;
  for (const state of run.configuration.toSorted(exitOrder)) {
    leave(run, state);
    if (state.type === 'final' && state.parent?.index === 0) data = doneData(run, state, () => undefined);
  }
  run.internal.length = 0;
  run.external.length = 0;
  for (const timer of run.timers) run.effects.push({ type: 'cancel-timer', timer: timer.id });
  run.timers = [];
  run.effects.push({ type: 'done', data });
}

function selectTransitions(run: Run, event: ChartEvent | null): readonly Transition[] {
  const failed = new Set<Transition>();
  const enabled = new Set<Transition>();
  for (const atom of run.configuration.filter(isAtomicState).toSorted(entryOrder)) {
    const all = [atom, ...properAncestors(atom, undefined)].flatMap(({ transitions }) => transitions);
    const taken = all.find((one) => isNamed(one, event) && conditionMatch(run, one, failed));
    if (taken !== undefined) enabled.add(taken);
  }
  for (const { id } of failed) raiseError(run, 'error.execution', 'chart.condition', { data: { transition: id } });
  return removeConflictingTransitions(run, [...enabled]);
}

function isNamed({ events }: Transition, event: ChartEvent | null): boolean {
  if (event === null) return events.length === 0;
  const tokens = event.name.split('.');
  const names = events.map((one) => one.replace(/[.][*]?$/, '').split('.'));
  return names.some(([first, ...more]) => first === '*' || [first, ...more].every((token, at) => token === tokens[at]));
}

function conditionMatch(run: Run, transition: Transition, failed: Set<Transition>): boolean {
  try {
    return transition.cond === undefined || transition.cond.evaluate(run) === true;
  } catch {
    failed.add(transition);
    return false;
  }
}

function removeConflictingTransitions(run: Run, enabled: readonly Transition[]): readonly Transition[] {
  let filtered: readonly Transition[] = [];
  for (const t1 of enabled) {
    const left = computeExitSet(run, [t1]);
    const rivals = filtered.filter((t2) => computeExitSet(run, [t2]).some((state) => left.includes(state)));
    if (rivals.every((t2) => isDescendant(t1.source, t2.source)))
      filtered = [...filtered.filter((t2) => !rivals.includes(t2)), t1];
  }
  return filtered;
}

function microstep(run: Run, enabled: readonly Transition[]): void {
  exitStates(run, enabled);
  for (const { content } of enabled.toSorted((a, b) => a.order - b.order)) runBlock(run, content);
  enterStates(run, enabled);
}

function exitStates(run: Run, enabled: readonly Transition[]): void {
  const left = computeExitSet(run, enabled).toSorted(exitOrder);
  run.toInvoke = run.toInvoke.filter((state) => !left.includes(state));
  for (const state of left)
    for (const history of state.children.filter(({ type }) => type === 'history')) {
      const kept = run.configuration.filter((one) =>
        history.deep ? isAtomicState(one) && isDescendant(one, state) : one.parent === state,
      );
      run.history = { ...run.history, [history.id]: kept.map(({ id }) => id) };
    }
  for (const state of left) leave(run, state);
}

function leave(run: Run, state: ChartNode): void {
  runBlocks(run, state.onExit);
  for (const { id } of run.invokes.filter((one) => one.state === state.id))
    run.effects.push({ type: 'cancel-invoke', id });
  run.invokes = run.invokes.filter((one) => one.state !== state.id);
  run.configuration = run.configuration.filter((one) => one !== state);
}

function computeExitSet(run: Run, transitions: readonly Transition[]): readonly ChartNode[] {
  const domains = transitions.map((one) => getTransitionDomain(run, one));
  return run.configuration.filter((state) =>
    domains.some((domain) => domain !== undefined && isDescendant(state, domain)),
  );
}

type Entry = {
  readonly states: Set<ChartNode>;
  readonly byDefault: Set<ChartNode>;
  readonly historyContent: Map<ChartNode, CompiledBlock>;
};

function enterStates(run: Run, transitions: readonly Transition[]): void {
  const entry: Entry = { states: new Set(), byDefault: new Set(), historyContent: new Map() };
  for (const transition of transitions) {
    for (const target of transition.targets) addDescendantStatesToEnter(run, target, entry);
    const domain = getTransitionDomain(run, transition);
    for (const target of getEffectiveTargetStates(run, transition))
      addAncestorStatesToEnter(run, target, domain, entry);
  }
  for (const state of [...entry.states].sort(entryOrder)) enter(run, state, entry);
}

function enter(run: Run, state: ChartNode, entry: Entry): void {
  // An invoke that runs already goes on: `toInvoke` is of states that were not active.
  if (!run.configuration.includes(state)) {
    run.configuration = [...run.configuration, state].sort(entryOrder);
    if (state.invokes.length > 0) run.toInvoke = [...run.toInvoke, state];
  }
  if (run.chart.binding === 'late' && state.data.length > 0 && !run.bound.includes(state.id)) {
    run.bound = [...run.bound, state.id];
    makeData(run, state.data, {});
  }
  runBlocks(run, state.onEntry);
  if (entry.byDefault.has(state)) runBlock(run, state.initial?.content ?? []);
  runBlock(run, entry.historyContent.get(state) ?? []);
  if (state.type === 'final') announce(run, state, state.parent as ChartNode);
}

function announce(run: Run, final: ChartNode, parent: ChartNode): void {
  if (parent.index === 0) {
    run.status = 'done';
    return;
  }
  const data = doneData(run, final, (error) => raiseError(run, 'error.execution', reasonOf(error)));
  raise(run, { name: `done.state.${parent.id}`, type: 'platform', data });
  const grandparent = parent.parent as ChartNode;
  if (grandparent.type === 'parallel' && isInFinalState(run, grandparent))
    raise(run, { name: `done.state.${grandparent.id}`, type: 'platform', data: null });
}

function doneData(run: Run, final: ChartNode, failed: (error: unknown) => void) {
  return final.doneData === undefined ? null : payloadDespiteFaults(final.doneData, run, failed);
}

function isInFinalState(run: Run, state: ChartNode): boolean {
  const children = getChildStates(state);
  if (state.type === 'parallel') return children.every((child) => isInFinalState(run, child));
  return children.some((child) => child.type === 'final' && run.configuration.includes(child));
}

function addDescendantStatesToEnter(run: Run, state: ChartNode, entry: Entry): void {
  if (state.type === 'history') return addHistory(run, state, entry);
  entry.states.add(state);
  if (state.type === 'compound') {
    entry.byDefault.add(state);
    addAll(run, state.initial?.targets ?? [], state, entry);
  } else if (state.type === 'parallel') addChildren(run, state, entry);
}

function addHistory(run: Run, history: ChartNode, entry: Entry): void {
  const parent = history.parent as ChartNode;
  const remembered = rememberedBy(run, history);
  if (remembered === undefined) entry.historyContent.set(parent, history.initial?.content ?? []);
  addAll(run, remembered ?? history.initial?.targets ?? [], parent, entry);
}

function addAll(run: Run, targets: readonly ChartNode[], ancestor: ChartNode, entry: Entry): void {
  for (const target of targets) addDescendantStatesToEnter(run, target, entry);
  for (const target of targets) addAncestorStatesToEnter(run, target, ancestor, entry);
}

function addAncestorStatesToEnter(run: Run, state: ChartNode, end: ChartNode | undefined, entry: Entry): void {
  for (const ancestor of properAncestors(state, end)) {
    entry.states.add(ancestor);
    if (ancestor.type === 'parallel') addChildren(run, ancestor, entry);
  }
}

function addChildren(run: Run, parallel: ChartNode, entry: Entry): void {
  for (const child of getChildStates(parallel))
    if (![...entry.states].some((state) => isDescendant(state, child))) addDescendantStatesToEnter(run, child, entry);
}

function getTransitionDomain(run: Run, transition: Transition): ChartNode | undefined {
  const { source, internal } = transition;
  const targets = getEffectiveTargetStates(run, transition);
  if (targets.length === 0) return undefined;
  if (internal && source.type === 'compound' && targets.every((target) => isDescendant(target, source))) return source;
  const holders = source.index === 0 ? [source] : properAncestors(source, undefined);
  return holders.find(
    (holder) => holder.type === 'compound' && targets.every((target) => isDescendant(target, holder)),
  );
}

function getEffectiveTargetStates(run: Run, { targets }: Transition): readonly ChartNode[] {
  const all = targets.flatMap((target) => {
    if (target.type !== 'history') return [target];
    return rememberedBy(run, target) ?? getEffectiveTargetStates(run, target.initial as Transition);
  });
  return [...new Set(all)];
}

function rememberedBy({ history, chart }: Run, { id }: ChartNode): readonly ChartNode[] | undefined {
  return history[id]?.map((one) => chart.byId.get(one) as ChartNode);
}

function properAncestors(state: ChartNode, end: ChartNode | undefined): readonly ChartNode[] {
  const { parent } = state;
  return parent === undefined || parent === end ? [] : [parent, ...properAncestors(parent, end)];
}

function isDescendant(state: ChartNode, of: ChartNode): boolean {
  return properAncestors(state, undefined).includes(of);
}

function getChildStates({ children }: ChartNode): readonly ChartNode[] {
  return children.filter(({ type }) => type !== 'history');
}

function isAtomicState(state: ChartNode): boolean {
  return getChildStates(state).length === 0;
}

function entryOrder(a: ChartNode, b: ChartNode): number {
  return a.index - b.index;
}

function exitOrder(a: ChartNode, b: ChartNode): number {
  return b.index - a.index;
}
