import { type ChartNode, isDescendant, type Transition } from './chart.ts';
import type { ChartFault } from './fault.ts';
import { reachableNodes } from './reachable.ts';

export type CheckOptions = {
  /** Whether states that nothing leads to are faults. */
  readonly unreachable: boolean;
};

/** What the structure of a chart must hold (standard 3.3 to 3.10), beyond what its form says. */
export function checkNodes(
  nodes: readonly ChartNode[],
  paths: ReadonlyMap<ChartNode, string>,
  options: CheckOptions,
): readonly ChartFault[] {
  const reachable = options.unreachable ? reachableNodes(nodes) : undefined;
  return nodes.flatMap((node) => {
    const path = paths.get(node) ?? '';
    const faults = [...identity(node), ...nesting(node), ...defaults(node)];
    if (reachable !== undefined && node.type !== 'history' && !reachable.has(node))
      faults.push({ code: 'unreachable', message: `nothing leads to the state '${node.id}'` });
    return [
      ...faults.map((fault) => ({ ...fault, path })),
      ...node.transitions.flatMap((transition, index) =>
        ofTransition(transition).map((fault) => ({ ...fault, path: `${path}/transitions/${index}` })),
      ),
    ];
  });
}

type Fault = Omit<ChartFault, 'path'>;

function identity(node: ChartNode): readonly Fault[] {
  if (node.index === 0 || node.id === `#${node.index}` || /^[^\s#]\S*$/.test(node.id)) return [];
  return [{ code: 'id', message: 'an id is one word and does not begin with #' }];
}

function nesting(node: ChartNode): readonly Fault[] {
  const faults: Fault[] = [];
  const refuse = (message: string) => faults.push({ code: 'nesting', message });
  if (node.index === 0 && node.children.every((child) => child.type === 'history'))
    refuse('a chart needs at least one state');
  if ((node.type === 'final' || node.type === 'history') && node.children.length > 0)
    refuse(`a ${node.type} has no states`);
  if (node.type === 'final' && node.transitions.length > 0) refuse('a final has no transitions');
  if ((node.type === 'final' || node.type === 'history') && node.invokes.length > 0)
    refuse(`a ${node.type} invokes nothing`);
  if (node.type === 'history' && node.onEntry.length + node.onExit.length > 0)
    refuse('a history has no entry and no exit');
  if (node.type !== 'final' && node.doneData !== undefined) refuse('only a final has donedata');
  if (node.type === 'final' && node.parent?.type === 'parallel') refuse('a parallel has no final of its own');
  if (node.type === 'parallel' && node.children.every((child) => child.type === 'history'))
    refuse('a parallel needs at least one region');
  if (node.type === 'history' && node.parent?.index === 0) refuse('a history lies inside a state');
  return faults;
}

function ofTransition(transition: Transition): readonly Fault[] {
  const faults: Fault[] = [];
  const { events, cond, targets, source } = transition;
  if (events.length === 0 && cond === undefined && targets.length === 0 && source.type !== 'history')
    faults.push({ code: 'transition', message: 'a transition has an event, a condition or a target' });
  if (events.some((event) => !/^\S+$/.test(event)))
    faults.push({ code: 'event', message: 'an event descriptor is one word' });
  if (!isLegalTogether(transition)) faults.push({ code: 'targets', message: 'the targets cannot be active together' });
  return faults;
}

function defaults(node: ChartNode): readonly Fault[] {
  const { initial } = node;
  if (initial === undefined) return [];
  const what = node.type === 'history' ? 'a history default' : 'an initial transition';
  const within = node.type === 'history' ? (node.parent as ChartNode) : node;
  const faults: Fault[] = [];
  const code = node.type === 'history' ? 'history-default' : 'initial';
  if (initial.cond !== undefined || initial.events.length > 0)
    faults.push({ code, message: `${what} has neither event nor condition` });
  if (initial.targets.length === 0) faults.push({ code, message: `${what} leads somewhere` });
  if (initial.targets.some((target) => !isDescendant(target, within)))
    faults.push({ code, message: `${what} leads to states inside '${within.index === 0 ? 'the chart' : within.id}'` });
  if (initial.targets.includes(node)) faults.push({ code, message: `${what} leads to itself` });
  if (!isLegalTogether(initial)) faults.push({ code, message: `${what} names states that cannot be active together` });
  return faults;
}

/** Several targets must lie in different regions of a parallel. */
function isLegalTogether({ targets }: Transition): boolean {
  return targets.every((a, i) => targets.slice(i + 1).every((b) => commonAncestor(a, b)?.type === 'parallel'));
}

function commonAncestor(a: ChartNode, b: ChartNode): ChartNode | undefined {
  let node: ChartNode | undefined = a;
  while (node !== undefined && node !== b && !isDescendant(b, node)) node = node.parent;
  return node === a || node === b ? undefined : node;
}
