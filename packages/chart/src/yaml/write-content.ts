import type { Extension, Json } from '@warrant/core';
import type { Action, Block, Content, InvokeIr, Param } from '../ir.ts';
import { EXTENSION_NAMESPACE } from './vocabulary.ts';

export type Plain = { readonly [key: string]: unknown };

/** The members that are there and not empty. */
export function filled(members: Plain): Plain {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0)),
  );
}

/** One block stands as it is; several, or one that is empty, as a list of lists. */
export function plainBlocks(blocks: readonly Block[]): readonly unknown[] {
  const [first] = blocks;
  return blocks.length === 1 && first !== undefined && first.length > 0
    ? plainBlock(first)
    : blocks.map((block) => plainBlock(block));
}

export function plainBlock(block: Block): readonly unknown[] {
  return block.map(plainAction);
}

function plainAction(action: Action): Plain {
  const extensions = plainExtensions(action.extensions);
  switch (action.type) {
    case 'raise':
      return { raise: extensions.length === 0 ? action.event : { event: action.event, extensions } };
    case 'send':
      return { send: { ...plainMessage(action), extensions: extensions.length === 0 ? undefined : extensions } };
    case 'cancel':
      return { cancel: filled({ sendid: action.sendId, sendidexpr: action.sendIdExpr, extensions }) };
    case 'assign':
      return {
        assign: {
          ...filled({ location: action.location, expr: action.expr, extensions }),
          ...jsonMember(action.value),
        },
      };
    case 'log':
      return { log: filled({ label: action.label, expr: action.expr, extensions }) };
    case 'if':
      return plainIf(action, extensions);
    case 'foreach':
      return {
        foreach: filled({
          array: action.array,
          item: action.item,
          index: action.index,
          do: plainBlock(action.content),
          extensions,
        }),
      };
    case 'extension':
      return { extensions };
  }
}

function plainIf(action: Extract<Action, { readonly type: 'if' }>, extensions: readonly unknown[]): Plain {
  const [first, ...others] = action.branches;
  const last = others.at(-1);
  const fallback = last !== undefined && last.cond === undefined ? last : undefined;
  const conditional = fallback === undefined ? others : others.slice(0, -1);
  return {
    ...filled({
      if: first?.cond ?? '',
      do: plainBlock(first?.content ?? []),
      elseif: conditional.map(({ cond, content }) => filled({ cond: cond ?? '', do: plainBlock(content) })),
      extensions,
    }),
    ...(fallback === undefined ? {} : { else: plainBlock(fallback.content) }),
  };
}

function plainMessage(send: Extract<Action, { readonly type: 'send' }>): Plain {
  return filled({
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
    namelist: send.namelist,
    params: plainParams(send.params),
    content: send.content && plainContent(send.content),
  });
}

export function plainParams(params: readonly Param[] | undefined): readonly Plain[] {
  return (params ?? []).map(({ name, expr, location, extensions }) =>
    filled({ name, expr, location, extensions: plainExtensions(extensions) }),
  );
}

export function plainContent(content: Content): Plain {
  const extensions = filled({ extensions: plainExtensions(content.extensions) });
  return 'expr' in content ? { expr: content.expr, ...extensions } : { value: content.value, ...extensions };
}

/** A value keeps its place even when it is an empty list. */
export function jsonMember(value: Json | undefined): Plain {
  return value === undefined ? {} : { value };
}

export function plainInvoke(
  invoke: InvokeIr,
  plainChart: (chart: Extract<NonNullable<InvokeIr['content']>, { chart: unknown }>['chart']) => Plain,
): Plain {
  const { content } = invoke;
  return {
    ...filled({
      type: invoke.processor,
      typeexpr: invoke.processorExpr,
      src: invoke.src,
      srcexpr: invoke.srcExpr,
      id: invoke.id,
      idlocation: invoke.idLocation,
      namelist: invoke.namelist,
      autoforward: invoke.autoforward ? true : undefined,
      params: plainParams(invoke.params),
      content:
        content === undefined
          ? undefined
          : 'chart' in content
            ? { chart: plainChart(content.chart) }
            : plainContent(content),
      extensions: plainExtensions(invoke.extensions),
    }),
    ...(invoke.finalize === undefined ? {} : { finalize: plainBlock(invoke.finalize) }),
  };
}

export function plainExtensions(extensions: readonly Extension[] | undefined): readonly Plain[] {
  return (extensions ?? []).map(plainExtension);
}

function plainExtension(one: Extension): Plain {
  const namespace = one.namespace === EXTENSION_NAMESPACE ? {} : { namespace: one.namespace };
  if ('attribute' in one) return { ...namespace, local: one.local, attribute: one.attribute };
  return {
    ...namespace,
    local: one.local,
    attributes: one.attributes,
    ...filled({ children: one.children.map((child) => (typeof child === 'string' ? child : plainExtension(child))) }),
  };
}
