import { canonicalJson, type Extension, type Json } from '@warrant/core';
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
 * The canonical JSON (RFC 8785) of the one form of a chart among all that mean the same: defaults are written out, what
 * is empty is left out, an initial transition without content is its targets, and attributes of other namespaces are sorted.
 */
export function canonicalChart(ir: ChartIr): string {
  let text = '';
  text = member(text, 'binding', canonicalJson(ir.binding));
  text = member(
    text,
    'data',
    list(ir.data, (item) => canonicalJson(dataItem(item))),
  );
  text = member(text, 'datamodel', canonicalJson(ir.datamodel));
  text = member(text, 'extensions', ofJson(extensionsOf(ir.extensions)));
  text = member(
    text,
    'initial',
    ofJson(ir.initial !== undefined && ir.initial.length > 0 ? ir.initial : firstChild(ir.states)),
  );
  text = member(text, 'name', ofJson(ir.name === '' ? undefined : ir.name));
  text = member(text, 'states', list(ir.states, state));
  return `{${text}}`;
}

/** The text of an object's members with one more, if it is there; names come sorted. */
function member(text: string, name: string, value: string | undefined): string {
  if (value === undefined) return text;
  return text === '' ? `"${name}":${value}` : `${text},"${name}":${value}`;
}

function ofJson(value: Json | undefined): string | undefined {
  return value === undefined ? undefined : canonicalJson(value);
}

/** A list that is not empty. */
function list<T>(items: readonly T[], print: (item: T) => string): string | undefined {
  if (items.length === 0) return undefined;
  let text = '';
  for (const item of items) text += text === '' ? print(item) : `,${print(item)}`;
  return `[${text}]`;
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

function state(ir: StateIr): string {
  let text = '';
  text = member(
    text,
    'data',
    list(ir.data, (item) => canonicalJson(dataItem(item))),
  );
  text = member(text, 'doneData', ofJson(doneData(ir.doneData)));
  text = member(text, 'extensions', ofJson(extensionsOf(ir.extensions)));
  text = member(text, 'history', ir.type === 'history' ? canonicalJson(ir.history ?? 'shallow') : undefined);
  text = member(text, 'id', ofJson(ir.id));
  text = member(text, 'initial', ir.type === 'state' ? initial(ir) : undefined);
  text = member(
    text,
    'invokes',
    list(ir.invokes, (one) => canonicalJson(invoke(one))),
  );
  text = member(
    text,
    'onEntry',
    list(ir.onEntry, (one) => canonicalJson(block(one))),
  );
  text = member(
    text,
    'onExit',
    list(ir.onExit, (one) => canonicalJson(block(one))),
  );
  text = member(text, 'states', list(ir.states, state));
  text = member(text, 'transitions', list(ir.transitions, transition));
  text = member(text, 'type', canonicalJson(ir.type));
  return `{${text}}`;
}

function initial({ initial: given, states }: StateIr): string | undefined {
  if (given === undefined) return ofJson(firstChild(states));
  if (!('targets' in given)) return ofJson(given.length > 0 ? given : firstChild(states));
  const plain =
    given.content.length === 0 &&
    given.events.length === 0 &&
    given.cond === undefined &&
    extensionsOf(given.extensions) === undefined;
  return plain ? canonicalJson(given.targets) : transition({ ...given, type: 'external' });
}

function transition(ir: TransitionIr): string {
  let text = '';
  text = member(text, 'cond', ofJson(ir.cond));
  text = member(
    text,
    'content',
    list(ir.content, (one) => canonicalJson(action(one))),
  );
  text = member(text, 'events', ofJson(filled(ir.events)));
  text = member(text, 'extensions', ofJson(extensionsOf(ir.extensions)));
  text = member(text, 'targets', ofJson(filled(ir.targets)));
  text = member(text, 'type', canonicalJson(ir.type));
  return `{${text}}`;
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
    content: given && ('chart' in given ? { chart: JSON.parse(canonicalChart(given.chart)) as Json } : content(given)),
    finalize: ir.finalize && block(ir.finalize),
    extensions: extensionsOf(ir.extensions),
  });
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
