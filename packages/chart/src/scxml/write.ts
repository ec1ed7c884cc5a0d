import type { ChartIr, DataItem, StateIr, TransitionIr } from '../ir.ts';
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
  const foreign = foreignPart(chart.extensions, prefixes);
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
      ...dataModel(chart.data, prefixes),
      ...chart.states.map((state) => stateElement(state, prefixes)),
    ],
  );
}

type Prefixes = ReadonlyMap<string, string>;

function stateElement(state: StateIr, prefixes: Prefixes): Out {
  const foreign = foreignPart(state.extensions, prefixes);
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
      ...dataModel(state.data, prefixes),
      ...(asElement === undefined ? [] : [element('initial', [], [transitionElement(asElement, prefixes)])]),
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

function dataModel(items: readonly DataItem[], prefixes: Prefixes): readonly Out[] {
  return items.length === 0
    ? []
    : [
        element(
          'datamodel',
          [],
          items.map((item) => dataElement(item, prefixes)),
        ),
      ];
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
  const foreign = foreignPart(done.extensions, prefixes);
  return [
    element('donedata', foreign.attributes, [
      ...foreign.elements,
      ...(done.content === undefined ? [] : [contentElement(done.content, prefixes)]),
      ...paramElements(done.params, prefixes),
    ]),
  ];
}
