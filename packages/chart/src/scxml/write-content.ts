import type { Json } from '@warrant/core';
import { settledBlock } from '../extension-actions.ts';
import type { Action, Block, Branch, ChartIr, Content, InvokeIr, Param, SendIr } from '../ir.ts';
import { wovenIn } from './between.ts';
import { unwrap } from './wrapper.ts';
import { foreignAttributes, foreignInBlock, foreignOfBlock, foreignPart } from './write-extensions.ts';
import { attributes, element, type Out, type OutAttribute } from './write-xml.ts';

type Prefixes = ReadonlyMap<string, string>;

/** A block as an element of its own; foreign attributes at its head go on the element. */
export function blockWith(name: string, block: Block, prefixes: Prefixes): Out {
  const [head, ...rest] = settledBlock(block);
  if (head?.type !== 'extension') return element(name, [], blockElements(block, prefixes));
  const foreign = foreignOfBlock(head.extensions, prefixes);
  return element(name, foreign.attributes, [...foreign.elements, ...blockElements(rest, prefixes)]);
}

export function blockElements(block: Block, prefixes: Prefixes): readonly Out[] {
  return settledBlock(block).flatMap((action) =>
    action.type === 'extension' ? foreignInBlock(action.extensions, prefixes) : [actionElement(action, prefixes)],
  );
}

type Acting = Exclude<Action, { readonly type: 'extension' }>;

function actionElement(action: Acting, prefixes: Prefixes): Out {
  if (action.type === 'send') return sendElement(action, prefixes);
  const foreign = foreignPart(action.extensions, prefixes);
  const make = (name: string, own: Readonly<Record<string, string | undefined>>, children: readonly Out[] = []) =>
    element(name, [...attributes(own), ...foreign.attributes], [...foreign.elements, ...children]);
  switch (action.type) {
    case 'raise':
      return make('raise', { event: action.event });
    case 'cancel':
      return make('cancel', { sendid: action.sendId, sendidexpr: action.sendIdExpr });
    case 'assign':
      return assignElement(action, foreignAttributes(action.extensions, prefixes));
    case 'log':
      return make('log', { label: action.label, expr: action.expr });
    case 'if':
      return make('if', { cond: action.branches[0]?.cond ?? '' }, branchElements(action.branches, prefixes));
    case 'foreach':
      return make(
        'foreach',
        { array: action.array, item: action.item, index: action.index },
        blockElements(action.content, prefixes),
      );
  }
}

/** XML inside an `<assign>` is its value, so that foreign elements cannot stand there. */
function assignElement(action: Extract<Action, { readonly type: 'assign' }>, foreign: readonly OutAttribute[]): Out {
  return element(
    'assign',
    [...attributes({ location: action.location, expr: action.expr }), ...foreign],
    action.value === undefined ? [] : [valueText(action.value)],
  );
}

function branchElements(branches: readonly Branch[], prefixes: Prefixes): readonly Out[] {
  return branches.flatMap(({ cond, content }, index) => {
    if (index === 0) return blockElements(content, prefixes);
    const name = cond === undefined ? 'else' : 'elseif';
    const [head, ...rest] = settledBlock(content);
    if (head?.type !== 'extension')
      return [element(name, attributes({ cond }), []), ...blockElements(content, prefixes)];
    const { own, wrapped } = unwrap(head.extensions, name);
    const foreign = foreignOfBlock(own, prefixes);
    const inside = foreignPart(wrapped.flat(), prefixes);
    const divider = element(
      name,
      [...attributes({ cond }), ...foreign.attributes, ...inside.attributes],
      inside.elements,
    );
    return [divider, ...foreign.elements, ...blockElements(rest, prefixes)];
  });
}

function sendElement(send: Extract<Action, { readonly type: 'send' }>, prefixes: Prefixes): Out {
  const { own, children } = wovenIn(send.extensions, messageParts(send, prefixes), prefixes);
  const foreign = foreignPart(own, prefixes);
  return element(
    'send',
    [...attributes(sendAttributes(send)), ...foreign.attributes],
    [...foreign.elements, ...children],
  );
}

function sendAttributes(send: SendIr): Readonly<Record<string, string | undefined>> {
  return {
    event: send.event,
    eventexpr: send.eventExpr,
    target: send.target,
    targetexpr: send.targetExpr,
    type: send.processor,
    typeexpr: send.processorExpr,
    id: send.id,
    idlocation: send.idLocation,
    delay: send.delay,
    delayexpr: send.delayExpr,
    namelist: send.namelist?.join(' '),
  };
}

function messageParts(
  from: { readonly params?: readonly Param[]; readonly content?: Content },
  prefixes: Prefixes,
): readonly Out[] {
  return [
    ...paramElements(from.params, prefixes),
    ...(from.content === undefined ? [] : [contentElement(from.content, prefixes)]),
  ];
}

export function paramElements(params: readonly Param[] | undefined, prefixes: Prefixes): readonly Out[] {
  return (params ?? []).map(({ name, expr, location, extensions }) => {
    const foreign = foreignPart(extensions, prefixes);
    return element('param', [...attributes({ name, expr, location }), ...foreign.attributes], foreign.elements);
  });
}

export function contentElement(content: Content, prefixes: Prefixes): Out {
  const foreign = foreignAttributes(content.extensions, prefixes);
  return 'expr' in content
    ? element('content', [...attributes({ expr: content.expr }), ...foreign], [])
    : element('content', foreign, [valueText(content.value)]);
}

/** A value is written as JSON, which the reader takes as JSON. */
export function valueText(value: Json): Out {
  return { type: 'text', text: JSON.stringify(value) };
}

export function invokeElement(
  invoke: InvokeIr,
  prefixes: Prefixes,
  chartElement: (chart: ChartIr, prefixes: Prefixes) => Out,
): Out {
  const { content } = invoke;
  const isChart = content !== undefined && 'chart' in content;
  const { own, wrapped } = isChart ? unwrap(invoke.extensions, 'content') : { own: invoke.extensions, wrapped: [] };
  const foreign = foreignPart(own, prefixes);
  const around = foreignPart(wrapped.flat(), prefixes);
  return element(
    'invoke',
    [
      ...attributes({
        type: invoke.processor,
        typeexpr: invoke.processorExpr,
        src: invoke.src,
        srcexpr: invoke.srcExpr,
        id: invoke.id,
        idlocation: invoke.idLocation,
        namelist: invoke.namelist?.join(' '),
        autoforward: invoke.autoforward ? 'true' : undefined,
      }),
      ...foreign.attributes,
    ],
    [
      ...foreign.elements,
      ...paramElements(invoke.params, prefixes),
      ...(content === undefined
        ? []
        : 'chart' in content
          ? [element('content', around.attributes, [...around.elements, chartElement(content.chart, prefixes)])]
          : [contentElement(content, prefixes)]),
      ...(invoke.finalize === undefined ? [] : [blockWith('finalize', invoke.finalize, prefixes)]),
    ],
  );
}
