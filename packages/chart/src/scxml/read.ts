import { type ChartFault, chartInvalid } from '../fault.ts';
import { inlineValue } from '../inline-value.ts';
import type { ChartIr, DataItem, StateIr, TransitionIr } from '../ir.ts';
import { definedOnly, within } from '../optional.ts';
import { placesOf, type ReadChart, type SourcePlace } from '../places.ts';
import { readActions, readBlock, readContent, readInvoke, readParams } from './content.ts';
import { Element, type Reading } from './element.ts';
import { SCXML_NAMESPACE } from './vocabulary.ts';
import { defaultXmlLimits, parseXml, type XmlLimits } from './xml.ts';
import type { XmlElement } from './xml-element.ts';

/**
 * Reads an SCXML document (W3C Recommendation 1.0) from its bytes. Comments are lost, foreign attributes and elements are kept.
 * @throws CHART_INVALID with line and column of every fault.
 */
export function readScxml(bytes: Uint8Array, limits: Partial<XmlLimits> = {}): ChartIr {
  return read(bytes, limits, undefined);
}

/** Like {@link readScxml}, with the places of the chart's parts for faults found later. @throws CHART_INVALID */
export function readScxmlDocument(bytes: Uint8Array, limits: Partial<XmlLimits> = {}): ReadChart {
  const places = new Map<object, SourcePlace>();
  const chart = read(bytes, limits, places);
  return { chart, placeOf: placesOf(chart, (part) => places.get(part)) };
}

function read(bytes: Uint8Array, limits: Partial<XmlLimits>, places: Reading['places']): ChartIr {
  const { root, placeOf, pathOf } = parseXml(bytes, { ...defaultXmlLimits, ...limits });
  const faults: ChartFault[] = [];
  const chart = readChart(root, { faults, places, placeOf, pathOf });
  if (faults.length > 0) throw chartInvalid(faults);
  return chart;
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
    ...within('extensions', extensionsWith(root, 'datamodel')),
  });
}

/** Foreign attributes and elements of an element, and of those children that the IR has no part of its own for. */
function extensionsWith(element: Element, child: string) {
  const inner = element.named(child).flatMap((one) => one.extensions);
  return [...element.extensions, ...inner];
}

const STATES = new Set(['state', 'parallel', 'final', 'history']);

function statesOf(parent: Element): readonly StateIr[] {
  return parent.children.filter(({ name }) => STATES.has(name)).map(stateOf);
}

function stateOf(element: Element): StateIr {
  const blocks = (name: string) => element.named(name).map(readBlock);
  for (const name of ['initial', 'donedata'])
    if (element.named(name).length > 1) element.fault('unknown-element', `<${element.name}> has at most one <${name}>`);
  return element.mark({
    type: element.name as StateIr['type'],
    ...definedOnly({ id: element.get('id'), initial: initialOf(element), history: historyType(element) }),
    transitions: element.named('transition').map((child) => transitionOf(child)),
    onEntry: blocks('onentry'),
    onExit: blocks('onexit'),
    data: dataOf(element),
    invokes: element.named('invoke').map((child) => readInvoke(child, chartOf)),
    states: statesOf(element),
    ...definedOnly({ doneData: doneDataOf(element) }),
    ...within('extensions', extensionsWith(element, 'datamodel')),
  });
}

function historyType(element: Element): StateIr['history'] {
  if (element.name !== 'history') return undefined;
  const type = element.get('type') ?? 'shallow';
  if (type !== 'shallow' && type !== 'deep') element.fault('history', "the type of a history is 'shallow' or 'deep'");
  return type === 'deep' ? 'deep' : 'shallow';
}

function initialOf(element: Element): StateIr['initial'] {
  const words = element.words('initial');
  const given = element.children.find((child) => child.name === 'initial');
  const transition = given?.children[0];
  if (given !== undefined && given.children.length !== 1)
    given.fault('initial', '<initial> has exactly one <transition>');
  if (words.length > 0 && transition !== undefined)
    element.fault('initial', 'a state has an attribute initial or an element <initial>, not both');
  if (transition !== undefined) return transitionOf(transition, given?.extensions);
  return words.length > 0 ? words : undefined;
}

function transitionOf(element: Element, outer: Element['extensions'] = []): TransitionIr {
  const type = element.get('type') ?? 'external';
  if (type !== 'internal' && type !== 'external')
    element.fault('transition', "the type of a transition is 'internal' or 'external'");
  return element.mark({
    events: element.words('event'),
    ...definedOnly({ cond: element.get('cond') }),
    targets: element.words('target'),
    type: type === 'internal' ? 'internal' : 'external',
    content: readActions(element),
    ...within('extensions', [...outer, ...element.extensions]),
  });
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
    ...definedOnly({ expr, src, value: text === '' ? undefined : inlineValue(text) }),
    ...within('extensions', element.extensions),
  });
}

function doneDataOf(element: Element): StateIr['doneData'] {
  const done = element.children.find((child) => child.name === 'donedata');
  if (done === undefined) return undefined;
  const content = done.children.find((child) => child.name === 'content');
  return done.mark({
    ...within('params', readParams(done)),
    ...definedOnly({ content: content === undefined ? undefined : readContent(content) }),
    ...within('extensions', done.extensions),
  });
}
