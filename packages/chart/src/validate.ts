import type { PathOf } from './build-nodes.ts';
import { type ChartNode, isDescendant, type Transition } from './chart.ts';
import { type ChartFault, MAX_FAULTS } from './fault.ts';
import { circlingHistories } from './history-circles.ts';
import { reachableNodes } from './reachable.ts';

export type CheckOptions = {
  /** Whether states that nothing leads to are faults. */
  readonly unreachable: boolean;
};

/** What the structure of a chart must hold (standard 3.3 to 3.10), beyond what its form says. */
export function checkNodes(nodes: readonly ChartNode[], pathOf: PathOf, options: CheckOptions): readonly ChartFault[] {
  const unreached = options.unreachable ? unreachedNodes(nodes) : undefined;
  const circling = circlingHistories(nodes);
  const faults: ChartFault[] = [];
  const refuse: Refuse = (node, code, message, at = '') =>
    // Of more than are told only the number counts.
    void faults.push({ code, path: faults.length < MAX_FAULTS ? `${pathOf(node)}${at}` : '', message });
  for (const node of nodes) {
    identity(node, refuse);
    nesting(node, refuse);
    if (node.initial !== undefined) defaults(node, node.initial, refuse, circling);
    if (unreached?.has(node) === true) refuse(node, 'unreachable', `nothing leads to the state '${node.id}'`);
    const { transitions } = node;
    for (let at = 0; at < transitions.length; at += 1) ofTransition(transitions[at] as Transition, at, refuse);
  }
  return faults;
}

/** The states that nothing leads to. Of those that share an id it is not known which is meant: they and what is in them do not count. */
function unreachedNodes(nodes: readonly ChartNode[]): ReadonlySet<ChartNode> | undefined {
  const reachable = reachableNodes(nodes);
  const unreached = nodes.filter(({ index, type }) => type !== 'history' && reachable[index] !== true);
  if (unreached.length === 0) return undefined;
  const seen = new Set<string>();
  const twice = new Set(nodes.flatMap(({ id }) => (seen.size === seen.add(id).size ? [id] : [])));
  const spared = new Set<ChartNode>();
  // Parents come before their children.
  for (const node of nodes)
    if (twice.has(node.id) || (node.parent !== undefined && spared.has(node.parent))) spared.add(node);
  return new Set(unreached.filter((node) => !spared.has(node)));
}

/** `at` is the step from the node on to what is wrong in it. */
type Refuse = (node: ChartNode, code: string, message: string, at?: string) => void;

function identity(node: ChartNode, refuse: Refuse): void {
  if (node.index !== 0 && !ONE_WORD.test(node.id) && node.id !== `#${node.index}`)
    refuse(node, 'id', 'an id is one word and does not begin with #');
}

const ONE_WORD = /^[^\s#]\S*$/;

function nesting(node: ChartNode, refuse: Refuse): void {
  const { type, parent } = node;
  const isEmpty = node.children.length === node.histories.length;
  if (node.index === 0 && isEmpty) refuse(node, 'nesting', 'a chart needs at least one state');
  if (isEnd(node)) nestingOfEnd(node, refuse);
  if (type !== 'final' && node.doneData !== undefined) refuse(node, 'nesting', 'only a final has donedata');
  if (type === 'final' && parent?.type === 'parallel') refuse(node, 'nesting', 'a parallel has no final of its own');
  if (type === 'parallel' && isEmpty) refuse(node, 'nesting', 'a parallel needs at least one region');
}

function nestingOfEnd(node: ChartNode, refuse: Refuse): void {
  if (node.children.length > 0) refuse(node, 'nesting', `a ${node.type} has no states`);
  if (node.invokes.length > 0) refuse(node, 'nesting', `a ${node.type} invokes nothing`);
  if (node.type === 'final' && node.transitions.length > 0) refuse(node, 'nesting', 'a final has no transitions');
  if (node.type === 'history' && node.onEntry.length + node.onExit.length > 0)
    refuse(node, 'nesting', 'a history has no entry and no exit');
  if (node.type === 'history' && node.parent?.index === 0) refuse(node, 'nesting', 'a history lies inside a state');
}

/** Nothing lies inside of it. */
function isEnd({ type }: ChartNode): boolean {
  return type === 'final' || type === 'history';
}

function ofTransition(transition: Transition, index: number, refuse: Refuse): void {
  const { events, cond, targets, source } = transition;
  if (events.length === 0 && cond === undefined && targets.length === 0 && source.type !== 'history')
    refuse(source, 'transition', 'a transition has an event, a condition or a target', `/transitions/${index}`);
  for (let at = 0; at < events.length; at += 1)
    if (!WITHOUT_SPACE.test(events[at] as string))
      refuse(source, 'event', 'an event descriptor is one word', `/transitions/${index}`);
  if (targets.length > 1 && !areLegalTogether(targets))
    refuse(source, 'targets', 'the targets cannot be active together', `/transitions/${index}`);
}

const WITHOUT_SPACE = /^\S+$/;

function defaults(node: ChartNode, initial: Transition, refuse: Refuse, circling: ReadonlySet<ChartNode>): void {
  const isHistory = node.type === 'history';
  const what = isHistory ? 'a history default' : 'an initial transition';
  const within = isHistory ? (node.parent as ChartNode) : node;
  const code = isHistory ? 'history-default' : 'initial';
  const fault = (message: string) => refuse(node, code, message);
  if (initial.cond !== undefined || initial.events.length > 0) fault(`${what} has neither event nor condition`);
  if (initial.targets.length === 0) fault(`${what} leads somewhere`);
  if (initial.targets.some((target) => !isDescendant(target, within)))
    fault(`${what} leads to states inside '${within.index === 0 ? 'the chart' : within.id}'`);
  if (!isHistory && initial.targets.includes(node)) fault(`${what} leads to itself`);
  if (circling.has(node)) fault(`${what} leads back to itself`);
  if (!areLegalTogether(initial.targets)) fault(`${what} names states that cannot be active together`);
}

/** Several targets must lie in different regions of a parallel. In document order it is enough to ask neighbours: what holds two others holds some two neighbours between them. */
function areLegalTogether(targets: readonly ChartNode[]): boolean {
  if (targets.length < 2) return true;
  const inOrder = targets.toSorted((a, b) => a.index - b.index);
  return inOrder.every((node, at) => {
    const next = inOrder[at + 1];
    return next === undefined || commonAncestor(node, next)?.type === 'parallel';
  });
}

function commonAncestor(a: ChartNode, b: ChartNode): ChartNode | undefined {
  let node: ChartNode | undefined = a;
  while (node !== undefined && node !== b && !isDescendant(b, node)) node = node.parent;
  return node === a || node === b ? undefined : node;
}
