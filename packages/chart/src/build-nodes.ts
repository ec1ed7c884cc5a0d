import type { ChartNode, Transition } from './chart.ts';
import { type ContentCompiler, compileBlock, compileInvoke, compilePayload, givenValue } from './compile-content.ts';
import { type Descriptor, parseDescriptor } from './event.ts';
import type { ChartFault } from './fault.ts';
import type { ChartIr, StateIr, TransitionIr } from './ir.ts';

/** Where in the IR a node stands, as a JSON Pointer; put together only for faults. */
export type PathOf = (node: ChartNode) => string;

type BuiltNodes = {
  /** In document order; node 0 is the chart itself. */
  readonly nodes: readonly ChartNode[];
  readonly byId: ReadonlyMap<string, ChartNode>;
  readonly pathOf: PathOf;
};

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };
type Draft = Mutable<Omit<ChartNode, 'children' | 'parent'>> & {
  children: ChartNode[];
  parent: ChartNode | undefined;
};

type Building = {
  readonly compiler: ContentCompiler;
  readonly faults: ChartFault[];
  readonly nodes: Draft[];
  /** What each node is made of, and its place among the states of its parent. */
  readonly parts: (StateIr | ChartIr)[];
  readonly places: number[];
  readonly byId: Map<string, Draft>;
  readonly descriptors: Map<string, Descriptor>;
  transitions: number;
  invokes: number;
};

const NOTHING: readonly never[] = [];

/** Makes the nodes of a chart and leads their transitions to each other. What does not fit becomes a fault. */
export function buildNodes(ir: ChartIr, compiler: ContentCompiler, faults: ChartFault[]): BuiltNodes {
  const building: Building = {
    compiler,
    faults,
    nodes: [],
    parts: [],
    places: [],
    byId: new Map(),
    descriptors: new Map(),
    transitions: 0,
    invokes: 0,
  };
  const { nodes, byId } = building;
  declare(building, ir, undefined, 0);
  for (const node of nodes) connect(building, node);
  for (const node of nodes) summarize(node);
  return { nodes, byId, pathOf: (node) => pathOf(building, node) };
}

function pathOf({ places }: Building, node: ChartNode): string {
  const steps: number[] = [];
  for (let at = node; at.parent !== undefined; at = at.parent) steps.push(places[at.index] as number);
  return steps
    .reverse()
    .map((place) => `/states/${place}`)
    .join('');
}

function declare(building: Building, ir: StateIr | ChartIr, parent: Draft | undefined, place: number): Draft {
  const { nodes, byId, faults } = building;
  const node = draftOf(ir, nodes.length, parent);
  nodes.push(node);
  building.parts.push(ir);
  building.places.push(place);
  if (byId.has(node.id))
    faults.push({
      code: 'duplicate-id',
      path: `${pathOf(building, node)}/id`,
      message: `the id '${node.id}' is taken already`,
    });
  byId.set(node.id, node);
  fill(building, node, ir);
  let at = 0;
  for (const child of ir.states) {
    node.children.push(declare(building, child, node, at));
    at += 1;
  }
  node.last = nodes.length - 1;
  return node;
}

function draftOf(ir: StateIr | ChartIr, index: number, parent: Draft | undefined): Draft {
  return {
    index,
    id: ('id' in ir ? ir.id : undefined) ?? `#${index}`,
    type: typeOf(ir),
    parent,
    depth: parent === undefined ? 0 : parent.depth + 1,
    last: index,
    children: [],
    transitions: NOTHING,
    initial: undefined,
    deep: 'history' in ir && ir.history === 'deep',
    onEntry: NOTHING,
    onExit: NOTHING,
    data: NOTHING,
    invokes: NOTHING,
    doneData: undefined,
    extensions: ir.extensions ?? NOTHING,
    histories: NOTHING,
    hasEventless: false,
    leavesQuietly: true,
  };
}

function typeOf(ir: StateIr | ChartIr): ChartNode['type'] {
  if (!('type' in ir)) return 'compound';
  if (ir.type !== 'state') return ir.type;
  return ir.states.some(isNoHistory) ? 'compound' : 'atomic';
}

function isNoHistory({ type }: { readonly type: string }): boolean {
  return type !== 'history';
}

/** What the node holds itself; most hold little. */
function fill(building: Building, node: Draft, ir: StateIr | ChartIr): void {
  const { compiler } = building;
  if (ir.data.length > 0) {
    const path = pathOf(building, node);
    node.data = ir.data.map(({ id, expr, value }, index) => ({
      id,
      value: givenValue(compiler, expr, value, `${path}/data/${index}`),
    }));
  }
  if (!('type' in ir)) return;
  if (ir.onEntry.length + ir.onExit.length + ir.invokes.length === 0 && ir.doneData === undefined) return;
  const path = pathOf(building, node);
  node.onEntry = ir.onEntry.map((block, index) => compileBlock(compiler, block, `${path}/onEntry/${index}`));
  node.onExit = ir.onExit.map((block, index) => compileBlock(compiler, block, `${path}/onExit/${index}`));
  node.invokes = ir.invokes.map((invoke, index) => {
    building.invokes += 1;
    return compileInvoke(compiler, invoke, building.invokes, `${path}/invokes/${index}`);
  });
  if (ir.doneData !== undefined) node.doneData = compilePayload(compiler, ir.doneData, `${path}/doneData`);
}

function connect(building: Building, node: Draft): void {
  const ir = building.parts[node.index] as StateIr | ChartIr;
  const transitions: readonly Transition[] = 'type' in ir ? transitionsOf(building, node, ir.transitions) : NOTHING;
  if (node.type === 'history') {
    node.initial = transitions[0];
    if (transitions.length !== 1)
      building.faults.push({
        code: 'history-default',
        path: pathOf(building, node),
        message: 'a history has exactly one transition: its default',
      });
  } else node.transitions = transitions;
  if (node.type === 'compound') node.initial = initialOf(building, node, ir.initial);
}

function transitionsOf(building: Building, node: Draft, given: readonly TransitionIr[]): readonly Transition[] {
  if (given.length === 0) return NOTHING;
  const made: Transition[] = [];
  for (const one of given) made.push(transition(building, node, one, made.length));
  return made;
}

function initialOf(building: Building, node: Draft, given: StateIr['initial']): Transition {
  if (given !== undefined && 'targets' in given) return transition(building, node, given, 'initial');
  if (given?.length === 0)
    building.faults.push({
      code: 'initial',
      path: `${pathOf(building, node)}/initial`,
      message: 'an initial names at least one state',
    });
  const first = node.children.find(isNoHistory);
  const targets = given ?? (first === undefined ? NOTHING : [first.id]);
  return transition(building, node, { events: NOTHING, targets, type: 'external', content: NOTHING }, 'initial');
}

/** `place`: which of the state's transitions it is. */
type Place = number | 'initial';

function transition(building: Building, source: Draft, ir: TransitionIr, place: Place): Transition {
  const { compiler } = building;
  const { events, cond, content } = ir;
  building.transitions += 1;
  return {
    id: `${source.id}#${place}`,
    order: building.transitions,
    source,
    events,
    descriptors: events.length === 0 ? NOTHING : descriptorsOf(building, events),
    cond: cond === undefined ? undefined : compiler.condition(cond, `${pathAt(building, source, place)}/cond`),
    targets: targetsOf(building, source, ir, place),
    internal: ir.type === 'internal',
    content:
      content.length === 0 ? NOTHING : compileBlock(compiler, content, `${pathAt(building, source, place)}/content`),
    extensions: ir.extensions ?? NOTHING,
  };
}

function pathAt(building: Building, source: Draft, place: Place): string {
  return `${pathOf(building, source)}/${place === 'initial' ? place : `transitions/${place}`}`;
}

/** The same few descriptors stand in many places. */
function descriptorsOf({ descriptors }: Building, events: readonly string[]): readonly Descriptor[] {
  const found: Descriptor[] = [];
  for (const event of events) {
    const known = descriptors.get(event) ?? parseDescriptor(event);
    descriptors.set(event, known);
    found.push(known);
  }
  return found;
}

function targetsOf(building: Building, source: Draft, ir: TransitionIr, place: Place): readonly ChartNode[] {
  const targets: ChartNode[] = [];
  for (const id of ir.targets) {
    const node = building.byId.get(id);
    if (node === undefined)
      building.faults.push({
        code: 'unknown-target',
        path: `${pathAt(building, source, place)}/targets`,
        message: `there is no state '${id}'`,
      });
    else targets.push(node);
  }
  return targets;
}

/** What a step asks of a node often. Parents come before their children. */
function summarize(node: Draft): void {
  if (node.children.length > 0) node.histories = node.children.filter(isHistory);
  node.hasEventless = node.parent?.hasEventless === true || node.transitions.some(isEventless);
  node.leavesQuietly = node.onExit.length === 0 && node.invokes.length === 0;
}

function isHistory({ type }: ChartNode): boolean {
  return type === 'history';
}

function isEventless({ events }: Transition): boolean {
  return events.length === 0;
}
