import { type ChartFault, chartInvalid } from '../fault.ts';
import type { ChartIr, DataItem, StateIr, TransitionIr } from '../ir.ts';
import { definedOnly, within } from '../optional.ts';
import { placesOf, type ReadChart, type SourcePlace, type SurveyedChart } from '../places.ts';
import { extensionsBetween } from './between.ts';
import { readBlock, readContent, readInvoke, readParams, readWithin, valueIn } from './content.ts';
import { Element, type Reading } from './element.ts';
import { SCXML_NAMESPACE } from './vocabulary.ts';
import { wrapperOf } from './wrapper.ts';
import { defaultXmlLimits, parseXml, type XmlLimits } from './xml.ts';
import type { XmlElement } from './xml-element.ts';

/**
 * Reads an SCXML document (W3C Recommendation 1.0) from its bytes. Comments are lost, foreign attributes and elements are kept.
 * @throws CHART_INVALID with line and column of every fault.
 */
export function readScxml(bytes: Uint8Array, limits: Partial<XmlLimits> = {}): ChartIr {
  const { chart, faults } = read(bytes, limits, undefined);
  if (faults.length > 0) throw chartInvalid(faults);
  return chart;
}

/** Like {@link readScxml}, with the places of the chart's parts for faults found later. @throws CHART_INVALID */
export function readScxmlDocument(bytes: Uint8Array, limits: Partial<XmlLimits> = {}): ReadChart {
  const { faults, ...read } = surveyScxml(bytes, limits);
  if (faults.length > 0) throw chartInvalid(faults);
  return read;
}

/**
 * Reads as much as can be read, with every fault of reading: what is left is compiled to tell the other faults as well.
 * @throws CHART_INVALID for what is no SCXML at all
 */
export function surveyScxml(bytes: Uint8Array, limits: Partial<XmlLimits> = {}): SurveyedChart {
  const places = new Map<object, SourcePlace>();
  const { chart, faults } = read(bytes, limits, places);
  return { chart, faults, placeOf: placesOf(chart, (part) => places.get(part)) };
}

function read(
  bytes: Uint8Array,
  limits: Partial<XmlLimits>,
  places: Reading['places'],
): Pick<SurveyedChart, 'chart' | 'faults'> {
  const { root, placeOf, pathOf } = parseXml(bytes, { ...defaultXmlLimits, ...limits });
  const faults: ChartFault[] = [];
  return { chart: readChart(root, { faults, places, placeOf, pathOf }), faults };
}

function readChart(xml: XmlElement, reading: Reading): ChartIr {
  if (xml.namespace !== SCXML_NAMESPACE || xml.local !== 'scxml') {
    throw chartInvalid([
      {
        code: 'root',
        path: reading.pathOf(xml),
        ...reading.placeOf(xml),
        message: `the root is <scxml> in ${SCXML_NAMESPACE}`,
      },
    ]);
  }
  return chartOf(new Element(xml, reading));
}

/** The chart that an `<scxml>` element describes. */
function chartOf(root: Element): ChartIr {
  if ((root.get('version') ?? '1.0') !== '1.0') root.fault('version', "the version is '1.0'");
  const datamodel = root.get('datamodel') ?? 'cel';
  if (datamodel !== 'cel' && datamodel !== 'null')
    root.fault('datamodel', `the data model '${datamodel}' is not known: cel or null`);
  const binding = root.get('binding') ?? 'early';
  if (binding !== 'early' && binding !== 'late') root.fault('binding', "the binding is 'early' or 'late'");
  const initial = root.words('initial');
  return root.mark({
    ...definedOnly({ name: root.get('name') }),
    datamodel: datamodel === 'null' ? 'null' : 'cel',
    binding: binding === 'late' ? 'late' : 'early',
    ...(initial.length > 0 ? { initial } : {}),
    data: dataOf(root),
    states: statesOf(root),
    ...within('extensions', [
      ...root.extensions,
      ...root.named('datamodel').flatMap(({ extensions }) => wrapperOf('datamodel', extensions)),
    ]),
  });
}

type Draft<T> = { -readonly [Key in keyof T]: T[Key] };
type StateExtensions = NonNullable<StateIr['extensions']>;
type StateParts = Draft<
  Pick<StateIr, 'transitions' | 'onEntry' | 'onExit' | 'data' | 'invokes' | 'states'> & {
    /** Of children that the IR has no part of its own for. */
    readonly foreign: StateExtensions;
    readonly initial: Element | undefined;
    readonly done: Element | undefined;
  }
>;
const NOTHING: readonly never[] = [];
const BARE = { own: NOTHING, content: NOTHING };

function statesOf(parent: Element): readonly StateIr[] {
  let states = NOTHING as readonly StateIr[];
  for (const child of parent.children) if (isState(child)) states = added(states, stateOf(child));
  return states;
}

function isState({ name }: Element): boolean {
  return name === 'state' || name === 'parallel' || name === 'final' || name === 'history';
}

/** The list with one item more; the one empty list there is becomes a new one. */
function added<T>(list: readonly T[], item: T): readonly T[] {
  if (list === NOTHING) return [item];
  (list as T[]).push(item);
  return list;
}

function stateOf(element: Element): StateIr {
  const parts = partsOf(element);
  const state: Draft<Partial<StateIr>> = { type: element.name as StateIr['type'] };
  const id = element.get('id');
  if (id !== undefined) state.id = id;
  const initial = initialOf(element, parts.initial);
  if (initial !== undefined) state.initial = initial;
  const history = historyType(element);
  if (history !== undefined) state.history = history;
  state.transitions = parts.transitions;
  state.onEntry = parts.onEntry;
  state.onExit = parts.onExit;
  state.data = parts.data;
  state.invokes = parts.invokes;
  state.states = parts.states;
  if (parts.done !== undefined) state.doneData = doneDataOf(parts.done);
  const extensions = parts.foreign.length === 0 ? element.extensions : [...element.extensions, ...parts.foreign];
  if (extensions.length > 0) state.extensions = extensions;
  return element.mark(state as StateIr);
}

/** What stands in a state, by kind, each in document order. */
function partsOf(element: Element): StateParts {
  const parts: StateParts = {
    transitions: NOTHING,
    onEntry: NOTHING,
    onExit: NOTHING,
    data: NOTHING,
    invokes: NOTHING,
    states: NOTHING,
    foreign: NOTHING,
    initial: undefined,
    done: undefined,
  };
  for (const child of element.children) takePart(parts, child, element);
  return parts;
}

function takePart(parts: StateParts, child: Element, state: Element): void {
  switch (child.name) {
    case 'transition':
      parts.transitions = added(parts.transitions, transitionOf(child));
      return;
    case 'onentry':
      parts.onEntry = added(parts.onEntry, readBlock(child));
      return;
    case 'onexit':
      parts.onExit = added(parts.onExit, readBlock(child));
      return;
    case 'datamodel':
      for (const item of child.children) parts.data = added(parts.data, dataItem(item));
      for (const extension of wrapperOf('datamodel', child.extensions)) parts.foreign = added(parts.foreign, extension);
      return;
    case 'invoke':
      parts.invokes = added(parts.invokes, readInvoke(child, chartOf));
      return;
    case 'initial':
      parts.initial = onlyOne(parts.initial, child, state);
      return;
    case 'donedata':
      parts.done = onlyOne(parts.done, child, state);
      return;
    default:
      if (isState(child)) parts.states = added(parts.states, stateOf(child));
  }
}

function onlyOne(first: Element | undefined, next: Element, state: Element): Element {
  if (first === undefined) return next;
  state.fault('unknown-element', `<${state.name}> has at most one <${next.name}>`);
  return first;
}

function historyType(element: Element): StateIr['history'] {
  if (element.name !== 'history') return undefined;
  const type = element.get('type') ?? 'shallow';
  if (type !== 'shallow' && type !== 'deep') element.fault('history', "the type of a history is 'shallow' or 'deep'");
  return type === 'deep' ? 'deep' : 'shallow';
}

function initialOf(element: Element, given: Element | undefined): StateIr['initial'] {
  const words = element.words('initial');
  const transition = given?.children[0];
  if (given !== undefined && given.children.length !== 1)
    given.fault('initial', '<initial> has exactly one <transition>');
  if (words.length > 0 && transition !== undefined)
    element.fault('initial', 'a state has an attribute initial or an element <initial>, not both');
  if (transition !== undefined) return transitionOf(transition, given?.extensions);
  return words.length > 0 ? words : undefined;
}

/** `outer`: what is foreign on the `<initial>` around it. */
function transitionOf(element: Element, outer: Element['extensions'] = []): TransitionIr {
  const type = element.get('type') ?? 'external';
  if (type !== 'internal' && type !== 'external')
    element.fault('transition', "the type of a transition is 'internal' or 'external'");
  const transition: Draft<Partial<TransitionIr>> = { events: element.words('event') };
  const cond = element.get('cond');
  if (cond !== undefined) transition.cond = cond;
  transition.targets = element.words('target');
  transition.type = type === 'internal' ? 'internal' : 'external';
  const { own, content } = element.isBare ? BARE : readWithin(element);
  transition.content = content;
  const extensions = outer.length === 0 ? own : [...own, ...wrapperOf('initial', outer)];
  if (extensions.length > 0) transition.extensions = extensions;
  return element.mark(transition as TransitionIr);
}

function dataOf(element: Element): readonly DataItem[] {
  return element.named('datamodel').flatMap((model) => model.children.map(dataItem));
}

function dataItem(element: Element): DataItem {
  const id = element.get('id') ?? '';
  if (id === '') element.fault('data', '<data> needs an id');
  const expr = element.get('expr');
  const src = element.get('src');
  const text = element.text.trim();
  if ([expr, src, text === '' ? undefined : text].filter((one) => one !== undefined).length > 1)
    element.fault('data', '<data> has expr, src or content, only one of them');
  return element.mark({
    id,
    ...definedOnly({ expr, src, value: text === '' ? undefined : valueIn(element, text) }),
    ...within('extensions', element.extensions),
  });
}

function doneDataOf(done: Element): NonNullable<StateIr['doneData']> {
  const content = done.children.find((child) => child.name === 'content');
  return done.mark({
    ...within('params', readParams(done)),
    ...definedOnly({ content: content === undefined ? undefined : readContent(content) }),
    ...within('extensions', extensionsBetween(done)),
  });
}
