import { type ChartNode, isDescendant, type Transition } from './chart.ts';
import type { ChartFault } from './fault.ts';

/** What the structure of a chart must hold (standard 3.3 to 3.10), beyond what its form says. */
export function checkNodes(nodes: readonly ChartNode[], paths: ReadonlyMap<ChartNode, string>): readonly ChartFault[] {
  return nodes.flatMap((node) =>
    [...nesting(node), ...defaults(node)].map((fault) => ({ ...fault, path: paths.get(node) ?? '' })),
  );
}

type Fault = Omit<ChartFault, 'path'>;

function nesting(node: ChartNode): readonly Fault[] {
  const faults: Fault[] = [];
  const refuse = (message: string) => faults.push({ code: 'nesting', message });
  if (node.index === 0 && node.children.every((child) => child.type === 'history'))
    refuse('a chart needs at least one state');
  if ((node.type === 'final' || node.type === 'history') && node.children.length > 0)
    refuse(`a ${node.type} has no states`);
  if (node.type === 'final' && node.transitions.length > 0) refuse('a final has no transitions');
  if (node.type === 'parallel' && node.children.some((child) => child.type === 'final'))
    refuse('a parallel has no final of its own');
  if (node.type === 'history' && node.parent?.index === 0) refuse('a history lies inside a state');
  return faults;
}

function defaults(node: ChartNode): readonly Fault[] {
  const { initial } = node;
  if (initial === undefined) return [];
  const what = node.type === 'history' ? 'a history default' : 'an initial transition';
  const within = node.type === 'history' ? (node.parent as ChartNode) : node;
  const faults: Fault[] = [];
  if (initial.cond !== undefined || initial.events.length > 0)
    faults.push({ code: 'initial', message: `${what} has neither event nor condition` });
  if (initial.targets.some((target) => !isDescendant(target, within)))
    faults.push({ code: 'initial', message: `${what} leads to states inside '${within.id}'` });
  if (!isLegalTogether(initial))
    faults.push({ code: 'initial', message: `${what} names states that cannot be active together` });
  return faults;
}

/** Several targets must lie in different regions of a parallel. */
function isLegalTogether({ targets }: Transition): boolean {
  return targets.every((a, i) => targets.slice(i + 1).every((b) => commonAncestor(a, b)?.type === 'parallel'));
}

function commonAncestor(a: ChartNode, b: ChartNode): ChartNode | undefined {
  let node: ChartNode | undefined = a;
  while (node !== undefined && node !== b && !isDescendant(b, node)) node = node.parent;
  return node;
}
