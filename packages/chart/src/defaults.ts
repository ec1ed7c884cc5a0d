import { canonicalJson, type Extension, type Json } from '@warrant/core';
import { settledAction, settledBlock, settledWithin } from './extension-actions.ts';
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
  const first = ir.initial !== undefined && ir.initial.length > 0 ? ir.initial : firstChild(ir.states);
  const text =
    member('binding', canonicalJson(ir.binding)) +
    member('data', list(ir.data, dataItem)) +
    member('datamodel', canonicalJson(ir.datamodel)) +
    member('extensions', ofJson(extensionsOf(ir.extensions))) +
    member('initial', ofJson(first)) +
    member('name', ofJson(ir.name === '' ? undefined : ir.name)) +
    member('states', statesText(ir.states));
  return `{${text.slice(0, -1)}}`;
}

/** The text of a member and the comma after it, if it is there; whoever puts members together sorts their names. */
function member(name: string, value: string | undefined): string {
  return value === undefined ? '' : `"${name}":${value},`;
}

function ofJson(value: Json | undefined): string | undefined {
  return value === undefined ? undefined : canonicalJson(value);
}

/** A list that is not empty, each item in its canonical form. */
function list<T>(items: readonly T[], form: (item: T) => Json): string | undefined {
  return items.length === 0 ? undefined : canonicalJson(items.map(form));
}

/** The same of items whose text is put together without a form of its own. */
function printed<T>(items: readonly T[], print: (item: T) => string): string | undefined {
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

/**
 * States that are nothing but a name and transitions without content, as most of a large chart are, are printed together:
 * one call of the engine's own printer instead of one a member.
 */
function statesText(states: readonly StateIr[]): string | undefined {
  if (states.length === 0) return undefined;
  const parts: string[] = [];
  let plain: StateIr[] = [];
  const flush = () => {
    if (plain.length > 0) parts.push(plainText(plain));
    plain = [];
  };
  for (const state of states) {
    if (isPlainState(state)) plain.push(state);
    else {
      flush();
      parts.push(anyState(state));
    }
  }
  flush();
  return `[${parts.join()}]`;
}

function plainText(states: readonly StateIr[]): string {
  const forms = states.map(({ id, transitions, type }) => ({
    id,
    transitions: filled(transitions.map(plainForm)),
    type,
  }));
  const text = JSON.stringify(forms);
  // An escaped surrogate has no partner: whoever prints member by member says so.
  return text.includes('\\ud') ? states.map(anyState).join() : text.slice(1, -1);
}

function isPlainState(ir: StateIr): boolean {
  if (ir.data.length + ir.onEntry.length + ir.onExit.length + ir.invokes.length + ir.states.length > 0) return false;
  if (ir.doneData !== undefined || ir.extensions !== undefined) return false;
  if (ir.history !== undefined || ir.initial !== undefined || ir.type === 'history') return false;
  return isText(ir.id ?? '') && isText(ir.type) && ir.transitions.every(isPlain);
}

function isPlain({ cond, content: actions, events, extensions, targets, type }: TransitionIr): boolean {
  const strings = isText(cond ?? '') && isText(type) && events.every(isText) && targets.every(isText);
  return strings && actions.length === 0 && extensions === undefined;
}

/** Its members in the order of their names. */
function plainForm({ cond, events, targets, type }: TransitionIr): object {
  return { cond, events: filled(events), targets: filled(targets), type };
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function anyState(ir: StateIr): string {
  return `{${
    member('data', list(ir.data, dataItem)) +
    member('doneData', ofJson(doneData(ir.doneData))) +
    member('extensions', ofJson(extensionsOf(ir.extensions))) +
    member('history', ir.type === 'history' ? canonicalJson(ir.history ?? 'shallow') : undefined) +
    member('id', ofJson(ir.id)) +
    member('initial', ir.type === 'state' ? initial(ir) : undefined) +
    member('invokes', printed(ir.invokes, invoke)) +
    member('onEntry', list(ir.onEntry, block)) +
    member('onExit', list(ir.onExit, block)) +
    member('states', statesText(ir.states)) +
    member('transitions', printed(ir.transitions, transition))
  }"type":${canonicalJson(ir.type)}}`;
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
  const { own, content: actions } = settledWithin(ir.extensions, ir.content);
  return `{${
    member('cond', ofJson(ir.cond)) +
    member('content', list(actions, action)) +
    member('events', ofJson(filled(ir.events))) +
    member('extensions', ofJson(extensionsOf(own))) +
    member('targets', ofJson(filled(ir.targets)))
  }"type":${canonicalJson(ir.type)}}`;
}

function block(actions: Block): readonly Json[] {
  return settledBlock(actions).map(action);
}

/** Places of what is foreign count within a block, each in one form alone. */
function action(given: Action): Json {
  const ir = settledAction(given);
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

function invoke(ir: InvokeIr): string {
  const text =
    member('autoforward', canonicalJson(ir.autoforward)) +
    member('content', ir.content && invoked(ir.content)) +
    member('extensions', ofJson(extensionsOf(ir.extensions))) +
    member('finalize', ofJson(ir.finalize && block(ir.finalize))) +
    member('id', ofJson(ir.id)) +
    member('idLocation', ofJson(ir.idLocation)) +
    member('namelist', ofJson(filled(ir.namelist))) +
    member('params', ofJson(filled(ir.params?.map(param)))) +
    member('processor', ofJson(ir.processor)) +
    member('processorExpr', ofJson(ir.processorExpr)) +
    member('src', ofJson(ir.src)) +
    member('srcExpr', ofJson(ir.srcExpr));
  return `{${text.slice(0, -1)}}`;
}

/** Charts in charts are printed once, however deep they lie. */
function invoked(given: NonNullable<InvokeIr['content']>): string {
  return 'chart' in given ? `{"chart":${canonicalChart(given.chart)}}` : canonicalJson(content(given));
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
