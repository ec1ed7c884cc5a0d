import type { ChartIr, DataItem, StateIr, TransitionIr } from '../ir.ts';
import { wovenIn } from './between.ts';
import { type Unwrapped, unwrap } from './wrapper.ts';
import { blockElements, blockWith, contentElement, invokeElement, paramElements, valueText } from './write-content.ts';
import { foreignAttributes, foreignPart, namespacesOf } from './write-extensions.ts';
import { attributes, element, type Out, printXml } from './write-xml.ts';

/**
 * The chart as an SCXML document. Reading it gives the same chart; what it holds beyond the standard stays in its own namespaces.
 * @throws CHART_NOT_XML for text that XML cannot hold, such as control characters.
 */
export function writeScxml(chart: ChartIr): string {
  const prefixes = namespacesOf(chart);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${printXml(chartElement(chart, prefixes), prefixes)}`;
}

/** A chart as its `<scxml>` element, also inside an invoke. */
function chartElement(chart: ChartIr, prefixes: ReadonlyMap<string, string>): Out {
  const { own, wrapped } = unwrap(chart.extensions, 'datamodel');
  const foreign = foreignPart(own, prefixes);
  return element(
    'scxml',
    [
      ...attributes({
        xmlns: 'http://www.w3.org/2005/07/scxml',
        version: '1.0',
        datamodel: chart.datamodel,
        binding: chart.binding === 'late' ? 'late' : undefined,
        name: chart.name,
        initial: chart.initial?.join(' '),
      }),
      ...foreign.attributes,
    ],
    [
      ...foreign.elements,
      ...dataModels(chart.data, wrapped, prefixes),
      ...chart.states.map((state) => stateElement(state, prefixes)),
    ],
  );
}

type Prefixes = ReadonlyMap<string, string>;

function stateElement(state: StateIr, prefixes: Prefixes): Out {
  const { own, wrapped } = unwrap(state.extensions, 'datamodel');
  const foreign = foreignPart(own, prefixes);
  const { initial } = state;
  const asElement = initial !== undefined && 'targets' in initial ? initial : undefined;
  return element(
    state.type,
    [
      ...attributes({
        id: state.id,
        initial: initial !== undefined && !('targets' in initial) ? initial.join(' ') || undefined : undefined,
        type: state.history,
      }),
      ...foreign.attributes,
    ],
    [
      ...foreign.elements,
      ...dataModels(state.data, wrapped, prefixes),
      ...(asElement === undefined ? [] : [initialElement(asElement, prefixes)]),
      ...state.onEntry.map((block) => blockWith('onentry', block, prefixes)),
      ...state.onExit.map((block) => blockWith('onexit', block, prefixes)),
      ...state.transitions.map((transition) => transitionElement(transition, prefixes)),
      ...state.invokes.map((invoke) => invokeElement(invoke, prefixes, chartElement)),
      ...doneData(state, prefixes),
      ...state.states.map((child) => stateElement(child, prefixes)),
    ],
  );
}

function transitionElement(transition: TransitionIr, prefixes: Prefixes): Out {
  const foreign = foreignPart(transition.extensions, prefixes);
  return element(
    'transition',
    [
      ...attributes({
        event: transition.events.join(' ') || undefined,
        cond: transition.cond,
        target: transition.targets.join(' ') || undefined,
        type: transition.type === 'internal' ? 'internal' : undefined,
      }),
      ...foreign.attributes,
    ],
    [...foreign.elements, ...blockElements(transition.content, prefixes)],
  );
}

function initialElement(transition: TransitionIr, prefixes: Prefixes): Out {
  const { own, wrapped } = unwrap(transition.extensions, 'initial');
  const foreign = foreignPart(wrapped.flat(), prefixes);
  const inner = transitionElement({ ...transition, extensions: own }, prefixes);
  return element('initial', foreign.attributes, [...foreign.elements, inner]);
}

/** All data stand in the first; what is foreign on others keeps them apart. */
function dataModels(items: readonly DataItem[], wrapped: Unwrapped['wrapped'], prefixes: Prefixes): readonly Out[] {
  const all = items.length > 0 && wrapped.length === 0 ? [[]] : wrapped;
  return all.map((extensions, index) => {
    const foreign = foreignPart(extensions, prefixes);
    const data = index === 0 ? items.map((item) => dataElement(item, prefixes)) : [];
    return element('datamodel', foreign.attributes, [...foreign.elements, ...data]);
  });
}

function dataElement(item: DataItem, prefixes: Prefixes): Out {
  return element(
    'data',
    [...attributes({ id: item.id, src: item.src, expr: item.expr }), ...foreignAttributes(item.extensions, prefixes)],
    item.value === undefined ? [] : [valueText(item.value)],
  );
}

function doneData(state: StateIr, prefixes: Prefixes): readonly Out[] {
  const { doneData: done } = state;
  if (done === undefined) return [];
  const parts = [
    ...(done.content === undefined ? [] : [contentElement(done.content, prefixes)]),
    ...paramElements(done.params, prefixes),
  ];
  const { own, children } = wovenIn(done.extensions, parts, prefixes);
  const foreign = foreignPart(own, prefixes);
  return [element('donedata', foreign.attributes, [...foreign.elements, ...children])];
}
