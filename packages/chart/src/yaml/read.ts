import { type DocumentLimits, type DocumentPath, readYaml as readDocument } from '@warrant/core/documents';
import { type ChartFault, chartInvalid } from '../fault.ts';
import type { ChartIr, DataItem, StateIr, TransitionIr } from '../ir.ts';
import { definedOnly, within } from '../optional.ts';
import { placesOf, type ReadChart, type SurveyedChart } from '../places.ts';
import { YamlNode } from './node.ts';
import { extensionsOf, need, readBlocks, readContent, readInvoke, readParams, readWithin } from './read-content.ts';
import { FORMAT, keys, VERTEP_VERSION } from './vocabulary.ts';

/** How large and how nested a chart in YAML may be. */
export type YamlLimits = DocumentLimits & {
  /** Line ends and the signs `, : [ { ! & *` together, which bound the work that a document makes. @default 25000 */
  readonly maxSigns?: number;
};

/** What a chart of some thousand states needs. */
const LIMITS = { maxBytes: 256 * 1024, maxDepth: 100, maxSigns: 25_000 } as const;

/**
 * Reads a chart written in YAML, under the header `format: warrant.chart/1` or `vertep: 1`. Comments are lost.
 * @throws CHART_INVALID with line and column of every fault.
 */
export function readYaml(bytes: Uint8Array | string, limits: YamlLimits = {}): ChartIr {
  return readYamlDocument(bytes, limits).chart;
}

/** Like {@link readYaml}, with the places of the chart's parts for faults found later. @throws CHART_INVALID */
export function readYamlDocument(bytes: Uint8Array | string, limits: YamlLimits = {}): ReadChart {
  const { faults, ...read } = surveyYaml(bytes, limits);
  if (faults.length > 0) throw chartInvalid(faults);
  return read;
}

/**
 * Reads as much as can be read, with every fault of reading: what is left is compiled to tell the other faults as well.
 * @throws CHART_INVALID for what is no YAML at all
 */
export function surveyYaml(bytes: Uint8Array | string, limits: YamlLimits = {}): SurveyedChart {
  const { maxSigns, ...bounds } = { ...LIMITS, ...limits };
  refuseDense(bytes, bounds.maxBytes, maxSigns);
  const read = readDocument({ file: 'chart', text: bytes }, bounds);
  if (read.type === 'faulty') throw chartInvalid(read.faults.map(withoutFile));
  const faults: ChartFault[] = [];
  const origins = new WeakMap<object, DocumentPath>();
  const { document } = read;
  const root = new YamlNode({ document, faults, origins }, document.value, []);
  const chart = readHeaderAndChart(root);
  return {
    chart,
    faults,
    placeOf: placesOf(chart, (part, rest) => {
      const path = origins.get(part);
      if (path === undefined) return undefined;
      const { line, column } = document.placeOf([...path, ...surfaceSteps(rest)]);
      return { line, column };
    }),
  };
}

/** A document of many small parts costs far more than one of as many bytes in a few. */
function refuseDense(text: Uint8Array | string, maxBytes: number, maxSigns: number): void {
  if (text.length > maxBytes) return;
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    const sign = typeof text === 'string' ? text.charCodeAt(at) : text[at];
    if (sign !== undefined && SIGNS.has(sign)) count += 1;
  }
  if (count <= maxSigns) return;
  const message = `the document has ${count} line ends and signs of YAML (at most ${maxSigns})`;
  throw chartInvalid([{ code: 'too-large', path: '', line: 1, column: 1, message }]);
}

const SIGNS: ReadonlySet<number> = new Set([...',:[{!&*\n\r'].map((sign) => sign.charCodeAt(0)));

function withoutFile(fault: ChartFault & { readonly expected?: string }): ChartFault {
  const { code, path, line, column, message, expected } = fault;
  return {
    code,
    path,
    message: expected === undefined ? message : `${message} (${expected})`,
    ...definedOnly({ line, column }),
  };
}

const SURFACE_WORDS: Readonly<Record<string, string>> = { targets: 'target', events: 'event', processor: 'type' };

/** The last step of a path into the IR, in the surface's words: `sendIdExpr` is `sendidexpr` there. */
function surfaceSteps(rest: readonly string[]): readonly string[] {
  const [step, ...more] = rest;
  return step === undefined || more.length > 0 ? [] : [SURFACE_WORDS[step] ?? step.toLowerCase()];
}

function readHeaderAndChart(root: YamlNode): ChartIr {
  if (!root.isMap) root.wrong('a map with a header');
  const format = root.get('format');
  const vertep = root.get('vertep');
  if (root.isMap && (format === undefined) === (vertep === undefined))
    root.fault('header', `a chart begins with 'format: ${FORMAT}' or 'vertep: ${VERTEP_VERSION}'`);
  if (format !== undefined && format.value !== FORMAT) format.fault('header', `expected ${FORMAT}`);
  if (vertep !== undefined && vertep.value !== VERTEP_VERSION) vertep.fault('header', `expected ${VERTEP_VERSION}`);
  return readChart(root, keys.document);
}

function readChart(node: YamlNode, known: readonly string[] = keys.chart): ChartIr {
  node.checkKeys(known);
  const initial = node.get('initial')?.words() ?? [];
  return node.mark({
    ...definedOnly({ name: node.textOf('name') }),
    datamodel: node.get('datamodel')?.choice(['cel', 'null'] as const, 'cel') ?? 'cel',
    binding: node.get('binding')?.choice(['early', 'late'] as const, 'early') ?? 'early',
    ...(initial.length > 0 ? { initial } : {}),
    data: readData(node.get('data')),
    states: readStates(node.get('states')),
    ...extensionsOf(node),
  });
}

/** A map by id, or a list of states that may have none. */
function readStates(node: YamlNode | undefined): readonly StateIr[] {
  if (node === undefined || node.value === null) return [];
  if (node.isList) return node.items().map((item) => readState(item, item.textOf('id')));
  return node.members().map(([id, state]) => {
    if (state.get('id') !== undefined) state.fault('duplicate-id', 'the id is the key already');
    return readState(state, id);
  });
}

function readState(node: YamlNode, id: string | undefined): StateIr {
  if (node.value !== null) node.checkKeys(keys.state);
  const type = node.get('type')?.choice(['state', 'parallel', 'final', 'history'] as const, 'state') ?? 'state';
  const history = node.get('history');
  if (history !== undefined && type !== 'history') history.fault('nesting', 'only a history is shallow or deep');
  const done = node.get('donedata');
  return node.mark({
    type,
    ...definedOnly({
      id,
      initial: readInitial(node.get('initial')),
      history: type === 'history' ? (history?.choice(['shallow', 'deep'] as const, 'shallow') ?? 'shallow') : undefined,
    }),
    transitions: readTransitions(node),
    onEntry: readBlocks(node.get('entry')),
    onExit: readBlocks(node.get('exit')),
    data: readData(node.get('data')),
    invokes: invokesOf(node.get('invoke')).map((one) => readInvoke(one, readChart)),
    states: readStates(node.get('states')),
    ...definedOnly({ doneData: done && readDoneData(done) }),
    ...extensionsOf(node),
  });
}

function invokesOf(node: YamlNode | undefined): readonly YamlNode[] {
  if (node === undefined) return [];
  return node.isList ? node.items() : [node];
}

function readDoneData(node: YamlNode): NonNullable<StateIr['doneData']> {
  node.checkKeys(keys.donedata);
  const content = node.get('content');
  return node.mark({
    ...within('params', readParams(node.get('params'))),
    ...definedOnly({ content: content && readContent(content) }),
    ...extensionsOf(node),
  });
}

function readInitial(node: YamlNode | undefined): StateIr['initial'] {
  if (node === undefined) return undefined;
  if (node.isMap) return readTransition(node, []);
  const words = node.words();
  return words.length > 0 ? words : undefined;
}

/** `default` (of a history), `always`, `on` and `transitions`, in this order. */
function readTransitions(node: YamlNode): readonly TransitionIr[] {
  const byDefault = node.get('default');
  const always = node.get('always');
  return [
    ...(byDefault === undefined ? [] : [readTransition(byDefault, [])]),
    ...(always === undefined ? [] : alternatives(always).map((one) => readTransition(one, []))),
    ...(node.get('on')?.members() ?? []).flatMap(([event, one]) =>
      alternatives(one).map((alternative) => readTransition(alternative, words(event))),
    ),
    ...(node.get('transitions')?.items() ?? []).map((one) => readTransition(one)),
  ];
}

function alternatives(node: YamlNode): readonly YamlNode[] {
  return node.isList ? node.items() : [node];
}

function words(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}

/** Text names the targets; a map says more. */
function readTransition(node: YamlNode, given?: readonly string[]): TransitionIr {
  const own = node.get('event');
  const events = given ?? own?.words() ?? [];
  if (!node.isMap) return node.mark({ events, targets: words(node.text()), type: 'external', content: [] });
  node.checkKeys(keys.transition);
  if (own !== undefined && given !== undefined) own.fault('transition', 'the event is said by the place already');
  return node.mark({
    events,
    ...definedOnly({ cond: node.textOf('cond') }),
    targets: node.get('target')?.words() ?? [],
    type: node.get('type')?.choice(['external', 'internal'] as const, 'external') ?? 'external',
    ...readWithin(node, 'do'),
  });
}

/** A map of values by id, or a list of items that also know expressions and sources. */
function readData(node: YamlNode | undefined): readonly DataItem[] {
  if (node === undefined || node.value === null) return [];
  if (!node.isList) return node.members().map(([id, value]) => value.mark({ id, value: value.json() }));
  return node.items().map((item) => {
    item.checkKeys(keys.data);
    if (['expr', 'value', 'src'].filter((key) => item.get(key) !== undefined).length > 1)
      item.fault('data', 'a data item has expr, value or src, only one of them');
    return item.mark({
      id: need(item, 'id'),
      ...definedOnly({ expr: item.textOf('expr'), value: item.get('value')?.json(), src: item.textOf('src') }),
      ...extensionsOf(item),
    });
  });
}
