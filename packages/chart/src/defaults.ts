import type { Extension, Json } from '@warrant/core';
import type {
  Action,
  Block,
  Branch,
  ChartIr,
  Content,
  DataItem,
  DoneData,
  InvokeIr,
  Param,
  StateIr,
  TransitionIr,
} from './ir.ts';
import { definedOnly } from './optional.ts';

/**
 * The one form of a chart among all that mean the same: defaults are written out, what is empty is left out,
 * an initial transition without content is its targets, and attributes of other namespaces are sorted.
 */
export function withDefaults(ir: ChartIr): Json {
  return compact({
    name: ir.name === '' ? undefined : ir.name,
    datamodel: ir.datamodel,
    binding: ir.binding,
    initial: ir.initial !== undefined && ir.initial.length > 0 ? ir.initial : firstChild(ir.states),
    data: each(ir.data, dataItem),
    states: each(ir.states, state),
    extensions: extensionsOf(ir.extensions),
  });
}

type Members = { readonly [name: string]: unknown };

function compact(members: Members): Json {
  return definedOnly(members) as Json;
}

/** The id of the state that is entered when nothing is said; none when it has no id to name it by. */
function firstChild(states: readonly StateIr[]): readonly string[] | undefined {
  const id = states.find((child) => child.type !== 'history')?.id;
  return id === undefined ? undefined : [id];
}

function state(ir: StateIr): Json {
  return compact({
    type: ir.type,
    id: ir.id,
    initial: ir.type === 'state' ? initial(ir) : undefined,
    history: ir.type === 'history' ? (ir.history ?? 'shallow') : undefined,
    transitions: each(ir.transitions, transition),
    onEntry: each(ir.onEntry, block),
    onExit: each(ir.onExit, block),
    data: each(ir.data, dataItem),
    invokes: each(ir.invokes, invoke),
    states: each(ir.states, state),
    doneData: doneData(ir.doneData),
    extensions: extensionsOf(ir.extensions),
  });
}

function initial({ initial: given, states }: StateIr): unknown {
  if (given === undefined) return firstChild(states);
  if (!('targets' in given)) return given.length > 0 ? given : firstChild(states);
  const plain =
    given.content.length === 0 &&
    given.events.length === 0 &&
    given.cond === undefined &&
    extensionsOf(given.extensions) === undefined;
  return plain ? given.targets : { ...(transition(given) as object), type: 'external' };
}

function transition(ir: TransitionIr): Json {
  return compact({
    events: filled(ir.events),
    cond: ir.cond,
    targets: filled(ir.targets),
    type: ir.type,
    content: each(ir.content, action),
    extensions: extensionsOf(ir.extensions),
  });
}

function block(actions: Block): readonly Json[] {
  return actions.map(action);
}

function action(ir: Action): Json {
  const extensions = extensionsOf(ir.extensions);
  switch (ir.type) {
    case 'send':
      return compact({
        ...ir,
        namelist: filled(ir.namelist),
        params: filled(ir.params?.map(param)),
        content: ir.content && content(ir.content),
        extensions,
      });
    case 'assign':
      return compact({ ...ir, value: ir.expr === undefined ? (ir.value ?? null) : ir.value, extensions });
    case 'if':
      return compact({ ...ir, branches: ir.branches.map(branch), extensions });
    case 'foreach':
      return compact({ ...ir, content: block(ir.content), extensions });
    default:
      return compact({ ...ir, extensions });
  }
}

function branch(ir: Branch): Json {
  return compact({ cond: ir.cond, content: block(ir.content) });
}

function param(ir: Param): Json {
  return compact({ ...ir, extensions: extensionsOf(ir.extensions) });
}

function content(ir: Content): Json {
  return compact({ ...ir, extensions: extensionsOf(ir.extensions) });
}

function dataItem(ir: DataItem): Json {
  return compact({ ...ir, value: ir.value === null ? undefined : ir.value, extensions: extensionsOf(ir.extensions) });
}

function doneData(ir: DoneData | undefined): Json | undefined {
  if (ir === undefined) return undefined;
  const members = compact({
    params: filled(ir.params?.map(param)),
    content: ir.content && content(ir.content),
    extensions: extensionsOf(ir.extensions),
  });
  return Object.keys(members as object).length === 0 ? undefined : members;
}

function invoke(ir: InvokeIr): Json {
  const { content: given } = ir;
  return compact({
    ...ir,
    namelist: filled(ir.namelist),
    params: filled(ir.params?.map(param)),
    content: given && ('chart' in given ? { chart: withDefaults(given.chart) } : content(given)),
    finalize: ir.finalize && block(ir.finalize),
    extensions: extensionsOf(ir.extensions),
  });
}

/** What the list's items become; nothing when it is empty. */
function each<T>(list: readonly T[], change: (item: T) => Json): readonly Json[] | undefined {
  return list.length === 0 ? undefined : list.map(change);
}

function filled<T>(list: readonly T[] | undefined): readonly T[] | undefined {
  return list === undefined || list.length === 0 ? undefined : list;
}

/** XML gives attributes no order; it does give one to elements. */
function extensionsOf(list: readonly Extension[] | undefined): readonly Json[] | undefined {
  if (list === undefined || list.length === 0) return undefined;
  const attributes = list.filter((one) => 'attribute' in one);
  const elements = list.filter((one) => !('attribute' in one));
  const key = (one: Extension) => `${one.namespace} ${one.local}`;
  attributes.sort((a, b) => (key(a) < key(b) ? -1 : 1));
  return filled([...attributes, ...elements].map(extension));
}

function extension(one: Extension): Json {
  if ('attribute' in one) return { namespace: one.namespace, local: one.local, attribute: one.attribute };
  const children: Json[] = [];
  for (const child of one.children) {
    const last = children.at(-1);
    if (typeof child !== 'string') children.push(extension(child));
    else if (typeof last === 'string') children[children.length - 1] = last + child;
    else if (child !== '') children.push(child);
  }
  return { namespace: one.namespace, local: one.local, attributes: one.attributes, children };
}
