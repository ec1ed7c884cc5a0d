import { type Chart, type ChartNode, isDescendant, type Transition } from '../src/chart.ts';
import { transitionDomain } from '../src/domain.ts';

/** The other engine's domain of a transition: of the source and the first target alone, histories taken as they stand, parallels included. */
function otherDomain({ source, targets, internal }: Transition): ChartNode | undefined {
  const [first] = targets;
  if (first === undefined) return undefined;
  if (internal && source.type === 'compound' && targets.every((target) => isDescendant(target, source))) return source;
  let holder = source.parent;
  while (holder !== undefined && !isDescendant(first, holder)) holder = holder.parent;
  return holder;
}

/** Everything that a history could stand for: its default, or any one state below its parent. */
function readings(history: ChartNode): readonly (readonly ChartNode[] | undefined)[] {
  const below = (node: ChartNode): readonly ChartNode[] => [node, ...node.children.flatMap(below)];
  const parent = history.parent as ChartNode;
  const others = parent.children.flatMap(below).filter(({ type }) => type !== 'history');
  return [undefined, ...others.map((node) => [node])];
}

/** Whether the two engines ever disagree on what the transition leaves (standard, getTransitionDomain and findLCCA). */
export function isReadDifferently(transition: Transition): boolean {
  const histories = transition.targets.filter(({ type }) => type === 'history');
  const possible = histories.flatMap(readings);
  const other = otherDomain(transition);
  return (possible.length === 0 ? [undefined] : possible).some(
    (reading) => transitionDomain(transition, () => reading) !== other,
  );
}

/** Deep histories of which the other engine forgets finals. */
export function hasForgetfulHistory(chart: Chart): boolean {
  return chart.nodes.some(
    ({ type, deep, parent }) =>
      type === 'history' &&
      deep &&
      chart.nodes.some((node) => node.type === 'final' && isDescendant(node, parent as ChartNode)),
  );
}

/** The words of a story as the other engine would put them: within the exits, and within the entries, of a microstep by depth first. */
export function byDepth(chart: Chart, story: readonly string[]): readonly string[] {
  const node = (word: string) => chart.byId.get(word.slice(1)) as ChartNode;
  const inEntryOrder = (a: string, b: string) => node(a).depth - node(b).depth || node(a).index - node(b).index;
  return runsOf(story).flatMap((run) => {
    if (run[0]?.startsWith('+')) return run.toSorted(inEntryOrder);
    return run[0]?.startsWith('-') ? run.toSorted((a, b) => inEntryOrder(b, a)) : run;
  });
}

/** Whether exits fall and entries rise in document order, as entryOrder and exitOrder of the standard have it. */
export function isInDocumentOrder(chart: Chart, story: readonly string[]): boolean {
  return runsOf(story).every((run) => {
    if (run[0]?.startsWith('~')) return true;
    const places = run.map((word) => (chart.byId.get(word.slice(1)) as ChartNode).index);
    if (run[0]?.startsWith('-')) places.reverse();
    return places.every((place, index) => index === 0 || (places[index - 1] as number) < place);
  });
}

/** Cut where the sign changes: a microstep is at most one run of exits, one of transitions, one of entries. */
function runsOf(story: readonly string[]): readonly (readonly string[])[] {
  const runs: string[][] = [];
  for (const word of story) {
    const last = runs.at(-1);
    if (last?.[0]?.[0] === word[0]) last?.push(word);
    else runs.push([word]);
  }
  return runs;
}

type Difference = {
  readonly name: string;
  /** Where the standard settles it. */
  readonly clause: string;
  /** States of a YAML chart. */
  readonly chart: string;
  readonly events: readonly string[];
  /** What the last event does here, and in the other engine. */
  readonly ours: string;
  readonly theirs: string;
};

/** Where the other engine does not follow the standard, each with a chart that shows it. */
export const DIFFERENCES: readonly Difference[] = [
  {
    name: 'entries and exits by depth before document order',
    clause: 'Appendix D, entryOrder and exitOrder',
    chart:
      's0: { type: parallel, on: { a: s6 }, states: { s1: { states: { s2: { states: { s3: {} } } } }, s4: { states: { s5: {} } } } }\n  s6: {}',
    events: ['a'],
    ours: '-s5 -s4 -s3 -s2 -s1 -s0 ~s0#0 +s6',
    theirs: '-s3 -s5 -s2 -s4 -s1 -s0 ~s0#0 +s6',
  },
  {
    name: 'a parallel may be a domain',
    clause: 'Appendix D, findLCCA: compound states and the document only',
    chart: 's0: { type: parallel, states: { s1: { on: { a: s2 } }, s2: {} } }',
    events: ['a'],
    ours: '-s2 -s1 -s0 ~s1#0 +s0 +s1 +s2',
    theirs: '-s2 -s1 ~s1#0 +s1 +s2',
  },
  {
    name: 'only the first target makes the domain',
    clause: 'Appendix D, getTransitionDomain: of the source and all targets',
    chart:
      's0: { type: parallel, states: { s1: { states: { s2: { on: { a: { target: [s3, s6] } } }, s3: {} } }, s4: { states: { s5: {}, s6: {} } } } }',
    events: ['a'],
    ours: '-s5 -s4 -s2 -s1 -s0 ~s2#0 +s0 +s1 +s3 +s4 +s6',
    theirs: '-s2 ~s2#0 +s0 +s4 +s3 +s6',
  },
  {
    name: 'the domain of a history is taken of the history itself',
    clause: 'Appendix D, getTransitionDomain: of the effective targets, here a state below the source’s own parent',
    chart:
      's0: { initial: s2, states: { s1: { states: { s2: { on: { a: s3 } } } }, s3: { type: history, history: deep, default: s2 } } }',
    events: ['a'],
    ours: '-s2 ~s2#0 +s1 +s2',
    theirs: '-s2 -s1 ~s2#0 +s1 +s2',
  },
  {
    name: 'a deep history forgets finals',
    clause: 'Appendix D, exitStates and isAtomicState: a final has no children',
    chart:
      's0: { type: parallel, on: { b: s6 }, states: { s1: { states: { s2: { on: { a: s3 } }, s3: { type: final } } }, s4: { states: { s5: {} } }, s7: { type: history, history: deep, default: s4 } } }\n  s6: { on: { c: s7 } }',
    events: ['a', 'b', 'c'],
    ours: '-s6 ~s6#0 +s0 +s1 +s3 +s4 +s5',
    theirs: '-s6 ~s6#0 +s0 +s1 +s4 +s2 +s5',
  },
  {
    name: 'finals below the top end the chart',
    clause: 'Appendix D, enterStates: only a final whose parent is the document ends it',
    chart: 's0: { on: { b: s3 }, states: { s1: { on: { a: s2 } }, s2: { type: final } } }\n  s3: {}',
    events: ['a'],
    ours: '-s1 ~s1#0 +s2',
    theirs: '-s1 ~s1#0 +s2 done',
  },
  {
    name: 'a parallel with a history is never done',
    clause: 'Appendix D, enterStates and isInFinalState: of getChildStates, which holds no history',
    chart:
      's0: { type: parallel, on: { done.state.s0: s6 }, states: { s1: { states: { s2: { on: { a: s3 } }, s3: { type: final } } }, s4: { type: history, default: s1 }, s5: { states: { s8: { on: { a: s9 } }, s9: { type: final } } } } }\n  s6: {}',
    events: ['a'],
    ours: '-s8 -s2 ~s2#0 ~s8#0 +s3 +s9 -s9 -s5 -s3 -s1 -s0 ~s0#0 +s6',
    theirs: '-s8 -s2 ~s2#0 ~s8#0 +s3 +s9 done',
  },
];
