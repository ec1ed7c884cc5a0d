import { type Chart, type ChartNode, type CompiledBlock, isDescendant, type Transition } from './chart.ts';
import { transitionDomain } from './domain.ts';
import { matchesDescriptor } from './event.ts';
import type { PlaceOf, SourcePlace } from './places.ts';

/** Something that is allowed and hardly meant. */
export type LintFinding = {
  readonly code: 'resets-siblings' | 'never-taken' | 'endless' | 'dead-end' | 'unknown-in-state' | 'unheard-event';
  /** JSON Pointer into the IR. */
  readonly path: string;
  readonly message: string;
} & Partial<SourcePlace>;

/** What in a chart can hardly be meant. Faults that keep a chart from compiling are not repeated here. */
export function lintChart(chart: Chart, options: { readonly placeOf?: PlaceOf } = {}): readonly LintFinding[] {
  const findings = [
    ...chart.transitions.flatMap((transition) => [
      ...resetsSiblings(transition),
      ...isEndless(transition),
      ...namesUnknownState(chart, transition),
    ]),
    ...chart.nodes.flatMap((node) => [...neverTaken(node), ...deadEnd(node)]),
    ...unheard(chart),
  ];
  return findings.map((finding) => ({ ...finding, ...options.placeOf?.(finding.path) }));
}

/** The node's JSON Pointer into the IR. */
function pathOf(node: ChartNode): string {
  return node.parent === undefined ? '' : `${pathOf(node.parent)}/states/${node.parent.children.indexOf(node)}`;
}

function pathOfTransition(transition: Transition): string {
  return `${pathOf(transition.source)}/transitions/${transition.source.transitions.indexOf(transition)}`;
}

/** An external transition that stays within one region, yet whose domain lies above the parallel: every other region starts anew. */
function resetsSiblings(transition: Transition): readonly LintFinding[] {
  const { source, targets } = transition;
  const domain = transitionDomain(transition, () => undefined);
  if (domain === undefined || targets.length === 0) return [];
  for (let region = source; region.parent !== undefined; region = region.parent) {
    const parallel = region.parent;
    const staysInside = targets.every((target) => target === region || isDescendant(target, region));
    if (parallel.type !== 'parallel' || !staysInside || !isDescendant(parallel, domain)) continue;
    const siblings = parallel.children.filter((child) => child !== region && child.type !== 'history');
    if (siblings.length === 0) continue;
    const message = `'${transition.id}' leads inside '${region.id}' but leaves '${parallel.id}': ${siblings.map(({ id }) => `'${id}'`).join(', ')} start anew${transition.internal ? '' : "; type 'internal' leaves them alone"}`;
    return [{ code: 'resets-siblings', path: pathOfTransition(transition), message }];
  }
  return [];
}

/** Without event and condition, back to where it came from. */
function isEndless(transition: Transition): readonly LintFinding[] {
  const { events, cond, targets, source } = transition;
  if (events.length > 0 || cond !== undefined) return [];
  if (!targets.some((target) => target === source || isDescendant(source, target))) return [];
  const message = `'${transition.id}' waits for nothing and comes back: it runs until a limit stops the chart`;
  return [{ code: 'endless', path: pathOfTransition(transition), message }];
}

/** A transition after one of the same state that takes all its events under any condition. */
function neverTaken(node: ChartNode): readonly LintFinding[] {
  return node.transitions.flatMap((transition, index): readonly LintFinding[] => {
    const before = node.transitions
      .slice(0, index)
      .find((other) => other.cond === undefined && covers(other, transition));
    if (before === undefined) return [];
    const message = `'${transition.id}' is never taken: '${before.id}' takes the same events before it`;
    return [{ code: 'never-taken', path: pathOfTransition(transition), message }];
  });
}

function covers(first: Transition, second: Transition): boolean {
  if (first.events.length === 0 || second.events.length === 0) return first.events.length === second.events.length;
  return second.events.every((name) =>
    first.events.some((descriptor) => matchesDescriptor(descriptor, name.replace(/[.]?[*]$/, '') || '*')),
  );
}

function deadEnd(node: ChartNode): readonly LintFinding[] {
  if (node.type !== 'atomic' || node.invokes.length > 0) return [];
  for (let up: ChartNode | undefined = node; up !== undefined; up = up.parent) {
    if (up.transitions.length > 0 || up.type === 'parallel') return [];
  }
  const message = `nothing leads out of '${node.id}': it is no final, so the chart waits there for ever`;
  return [{ code: 'dead-end', path: pathOf(node), message }];
}

function namesUnknownState(chart: Chart, transition: Transition): readonly LintFinding[] {
  const source = transition.cond?.source ?? '';
  const names = [...source.matchAll(/\bIn\(\s*(["'])([^"']*)\1\s*\)/g)].map((match) => match[2] ?? '');
  return names
    .filter((name) => !chart.byId.has(name))
    .map((name) => ({
      code: 'unknown-in-state',
      path: `${pathOfTransition(transition)}/cond`,
      message: `the condition of '${transition.id}' asks for the state '${name}', which is not there`,
    }));
}

/** Raised events that no transition waits for. */
function unheard(chart: Chart): readonly LintFinding[] {
  const isHeard = (name: string) =>
    chart.transitions.some(({ events }) => events.some((descriptor) => matchesDescriptor(descriptor, name)));
  return chart.nodes.flatMap((node) => {
    const blocks = [
      ...node.onEntry,
      ...node.onExit,
      ...node.transitions.map(({ content }) => content),
      ...(node.initial === undefined ? [] : [node.initial.content]),
    ];
    return [...new Set(blocks.flatMap(raised))]
      .filter((name) => !isHeard(name))
      .map((name) => ({
        code: 'unheard-event' as const,
        path: pathOf(node),
        message: `'${node.id}' raises '${name}', which no transition waits for`,
      }));
  });
}

function raised(block: CompiledBlock): readonly string[] {
  return block.flatMap((action) => {
    if (action.type === 'raise') return [action.event];
    if (action.type === 'if') return action.branches.flatMap(({ content }) => raised(content));
    return action.type === 'foreach' ? raised(action.content) : [];
  });
}
