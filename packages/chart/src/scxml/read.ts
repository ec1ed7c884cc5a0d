import { type ChartFault, chartInvalid } from '../fault.ts';
import type { ChartIr, DataItem, StateIr, TransitionIr } from '../ir.ts';
import { readBlock, readContent, readInvoke, readParams } from './content.ts';
import { type Element, readElement } from './element.ts';
import { inlineValue } from './inline-value.ts';
import { definedOnly, within } from './optional.ts';
import { SCXML_NAMESPACE } from './vocabulary.ts';
import { defaultXmlLimits, parseXml, type XmlElement, type XmlLimits } from './xml.ts';

/**
 * Reads an SCXML document (W3C Recommendation 1.0) from its bytes. Comments are lost, foreign attributes and elements are kept.
 * @throws CHART_INVALID with line and column of every fault.
 */
export function readScxml(bytes: Uint8Array, limits: Partial<XmlLimits> = {}): ChartIr {
  const xml = parseXml(bytes, { ...defaultXmlLimits, ...limits });
  const faults: ChartFault[] = [];
  const chart = readChart(xml, faults);
  if (faults.length > 0) throw chartInvalid(faults);
  return chart;
}

function readChart(xml: XmlElement, faults: ChartFault[]): ChartIr {
  if (xml.namespace !== SCXML_NAMESPACE || xml.local !== 'scxml') {
    throw chartInvalid([
      {
        code: 'root',
        path: '',
        line: xml.line,
        column: xml.column,
        message: `the root is <scxml> in ${SCXML_NAMESPACE}`,
      },
    ]);
  }
  return chartOf(readElement(xml, faults));
}

/** The chart that an `<scxml>` element describes. */
export function chartOf(root: Element): ChartIr {
  if ((root.get('version') ?? '1.0') !== '1.0') root.fault('version', "the version is '1.0'");
  const datamodel = root.get('datamodel') ?? 'cel';
  if (datamodel !== 'cel' && datamodel !== 'null')
    root.fault('datamodel', `the data model '${datamodel}' is not known: cel or null`);
  const initial = root.words('initial');
  return {
    ...definedOnly({ name: root.get('name') }),
    datamodel: datamodel === 'null' ? 'null' : 'cel',
    binding: root.get('binding') === 'late' ? 'late' : 'early',
    ...(initial.length > 0 ? { initial } : {}),
    data: dataOf(root),
    states: statesOf(root),
    ...within('extensions', root.extensions),
  };
}

function statesOf(parent: Element): readonly StateIr[] {
  return parent.children.filter((child) => ['state', 'parallel', 'final', 'history'].includes(child.name)).map(stateOf);
}

function stateOf(element: Element): StateIr {
  const blocks = (name: string) => element.children.filter((child) => child.name === name).map(readBlock);
  return {
    type: element.name as StateIr['type'],
    ...definedOnly({ id: element.get('id'), initial: initialOf(element), history: historyType(element) }),
    transitions: element.children.filter((child) => child.name === 'transition').map(transitionOf),
    onEntry: blocks('onentry'),
    onExit: blocks('onexit'),
    data: dataOf(element),
    invokes: element.children.filter((child) => child.name === 'invoke').map((child) => readInvoke(child, chartOf)),
    states: statesOf(element),
    ...definedOnly({ doneData: doneDataOf(element) }),
    ...within('extensions', element.extensions),
  };
}

function historyType(element: Element): StateIr['history'] {
  if (element.name !== 'history') return undefined;
  const type = element.get('type') ?? 'shallow';
  if (type !== 'shallow' && type !== 'deep') element.fault('history', "the type of a history is 'shallow' or 'deep'");
  return type === 'deep' ? 'deep' : 'shallow';
}

function initialOf(element: Element): StateIr['initial'] {
  const words = element.words('initial');
  const transition = element.children.find((child) => child.name === 'initial')?.children[0];
  if (words.length > 0 && transition !== undefined)
    element.fault('initial', 'a state has an attribute initial or an element <initial>, not both');
  if (transition !== undefined) return transitionOf(transition);
  return words.length > 0 ? words : undefined;
}

function transitionOf(element: Element): TransitionIr {
  const type = element.get('type') ?? 'external';
  if (type !== 'internal' && type !== 'external')
    element.fault('transition', "the type of a transition is 'internal' or 'external'");
  return {
    events: element.words('event'),
    ...definedOnly({ cond: element.get('cond') }),
    targets: element.words('target'),
    type: type === 'internal' ? 'internal' : 'external',
    content: readBlock(element),
    ...within('extensions', element.extensions),
  };
}

function dataOf(element: Element): readonly DataItem[] {
  return element.children
    .filter((child) => child.name === 'datamodel')
    .flatMap((model) => model.children.map(dataItem));
}

function dataItem(element: Element): DataItem {
  const id = element.get('id') ?? '';
  if (id === '') element.fault('data', '<data> needs an id');
  const expr = element.get('expr');
  const src = element.get('src');
  const text = element.text.trim();
  if ([expr, src, text === '' ? undefined : text].filter((one) => one !== undefined).length > 1)
    element.fault('data', '<data> has expr, src or content, only one of them');
  return {
    id,
    ...definedOnly({ expr, src, value: text === '' ? undefined : inlineValue(text) }),
    ...within('extensions', element.extensions),
  };
}

function doneDataOf(element: Element): StateIr['doneData'] {
  const done = element.children.find((child) => child.name === 'donedata');
  if (done === undefined) return undefined;
  const content = done.children.find((child) => child.name === 'content');
  return {
    ...within('params', readParams(done)),
    ...definedOnly({ content: content === undefined ? undefined : readContent(content) }),
  };
}
