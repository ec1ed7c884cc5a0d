import { canonicalJson, type Extension, isWarrantError, type Json } from '@warrant/core';
import { isAttribute, type Settled, settledBlock, settledWithin } from '../extension-actions.ts';
import { inlineValue } from '../inline-value.ts';
import type { Action, Block, ChartIr, Content, InvokeIr, Param, SendIr } from '../ir.ts';
import { definedOnly, within } from '../optional.ts';
import { fitsIn } from '../size.ts';
import { extensionsBetween } from './between.ts';
import type { Element } from './element.ts';
import { wrapperOf } from './wrapper.ts';

/** The executable content of an element that is a block and nothing else: what is foreign in it stays in the block. */
export function readBlock(element: Element): Block {
  return element.mark(settledBlock([...kept(element.head), ...readActions(element)]));
}

/** The executable content of an element that has extensions of its own, and these. */
export function readWithin(element: Element): Settled {
  return settledWithin(element.head, readActions(element));
}

const NOTHING: Block = [];

/** The actions in an element and what is foreign after each. */
function readActions(element: Element): Block {
  const { children } = element;
  if (children.length === 0) return NOTHING;
  return children.flatMap((child, at) => [...actionsOf(child), ...kept(element.foreignAt(at + 1))]);
}

function actionsOf(child: Element): readonly Action[] {
  return Object.hasOwn(readers, child.name) ? [readAction(child)] : NOTHING;
}

function kept(extensions: readonly Extension[]): readonly Action[] {
  return extensions.length === 0 ? NOTHING : [{ type: 'extension', extensions }];
}

type Reader = (element: Element) => Action;

const readers: Readonly<Record<string, Reader>> = {
  raise: (element) => ({ type: 'raise', event: need(element, 'event') }),
  send: readSend,
  cancel: (element) => ({
    type: 'cancel',
    ...definedOnly({ sendId: element.get('sendid'), sendIdExpr: element.get('sendidexpr') }),
  }),
  assign: readAssign,
  log: (element) => ({ type: 'log', ...definedOnly({ label: element.get('label'), expr: element.get('expr') }) }),
  if: readIf,
  foreach: (element) => {
    const { own, content } = readWithin(element);
    return {
      type: 'foreach',
      array: need(element, 'array'),
      item: need(element, 'item'),
      ...definedOnly({ index: element.get('index') }),
      content,
      ...within('extensions', own),
    };
  },
};

function readAction(element: Element): Action {
  const action = (readers[element.name] as Reader)(element);
  const holdsBlock = action.type === 'if' || action.type === 'foreach';
  return element.mark(holdsBlock ? action : { ...action, ...within('extensions', extensionsBetween(element)) });
}

function readAssign(element: Element): Action {
  const expr = element.get('expr');
  const text = element.text.trim();
  if (expr !== undefined && text !== '') element.fault('assign', '<assign> has expr or content, not both');
  const value = expr === undefined && text !== '' ? valueIn(element, text) : undefined;
  return { type: 'assign', location: need(element, 'location'), ...definedOnly({ expr, value }) };
}

/** `<elseif>` and `<else>` stand between the actions they divide (standard 4.3). */
function readIf(element: Element): Action {
  const branches: { cond?: string; content: Action[] }[] = [element.mark({ cond: need(element, 'cond'), content: [] })];
  for (const [at, child] of element.children.entries()) {
    if (child.name === 'elseif' || child.name === 'else') {
      if (branches.at(-1)?.cond === undefined) child.fault('if', 'nothing divides an <if> after its <else>');
      const cond = child.name === 'elseif' ? { cond: need(child, 'cond') } : {};
      branches.push(child.mark({ ...cond, content: [...kept(onDivider(child))] }));
    } else branches.at(-1)?.content.push(...actionsOf(child));
    branches.at(-1)?.content.push(...kept(element.foreignAt(at + 1)));
  }
  for (const branch of branches) branch.content = [...settledBlock(branch.content)];
  const [first] = branches;
  const { own, content } = settledWithin(element.head, first?.content ?? NOTHING);
  if (first !== undefined) first.content = [...content];
  return { type: 'if', branches, ...within('extensions', own) };
}

/** Elements in an `<elseif>` or `<else>` stay in it; others of the branch stand beside it. */
function onDivider({ name, extensions }: Element): readonly Extension[] {
  if (extensions.length === 0) return extensions;
  const elements = extensions.filter((one) => !isAttribute(one));
  return [...extensions.filter(isAttribute), ...wrapperOf(name, elements)];
}

function readSend(element: Element): SendIr {
  const content = element.named('content')[0];
  const get = (name: string) => element.get(name);
  return {
    type: 'send',
    ...definedOnly({
      event: get('event'),
      eventExpr: get('eventexpr'),
      target: get('target'),
      targetExpr: get('targetexpr'),
      processor: get('type'),
      processorExpr: get('typeexpr'),
      id: get('id'),
      idLocation: get('idlocation'),
      delay: get('delay'),
      delayExpr: get('delayexpr'),
      content: content === undefined ? undefined : readContent(content),
    }),
    ...within('namelist', element.words('namelist')),
    ...within('params', readParams(element)),
  };
}

export function readParams(element: Element): readonly Param[] {
  return element.named('param').map((param) =>
    param.mark({
      name: need(param, 'name'),
      ...definedOnly({ expr: param.get('expr'), location: param.get('location') }),
      ...within('extensions', param.extensions),
    }),
  );
}

export function readContent(element: Element): Content {
  const expr = element.get('expr');
  if (expr !== undefined && element.text.trim() !== '')
    element.fault('content', '<content> has expr or content, not both');
  const extensions = within('extensions', element.extensions);
  return element.mark(
    expr === undefined ? { value: valueIn(element, element.text), ...extensions } : { expr, ...extensions },
  );
}

/** What is written in place, as a value that the chart's state can hold. */
export function valueIn(element: Element, text: string): Json {
  const value = inlineValue(text);
  try {
    canonicalJson(value);
    if (!fitsIn(value, Number.POSITIVE_INFINITY)) element.fault('too-deep', 'the value is nested too deeply');
  } catch (error) {
    if (!isWarrantError(error)) throw error;
    element.fault('not-json', error.message);
  }
  return value;
}

/** `readChart` reads a chart written in place. */
export function readInvoke(element: Element, readChart: (root: Element) => ChartIr): InvokeIr {
  const content = element.named('content')[0];
  const chart = content?.children.find((child) => child.name === 'scxml');
  const finalize = element.named('finalize')[0];
  const get = (name: string) => element.get(name);
  return element.mark({
    ...definedOnly({
      processor: get('type'),
      processorExpr: get('typeexpr'),
      src: get('src'),
      srcExpr: get('srcexpr'),
      id: get('id'),
      idLocation: get('idlocation'),
      content:
        chart !== undefined ? { chart: readChart(chart) } : content === undefined ? undefined : readContent(content),
      finalize: finalize === undefined ? undefined : readBlock(finalize),
    }),
    autoforward: get('autoforward') === 'true',
    ...within('namelist', element.words('namelist')),
    ...within('params', readParams(element)),
    ...within('extensions', [
      ...element.extensions,
      ...(chart === undefined ? [] : wrapperOf('content', content?.extensions ?? [])),
    ]),
  });
}

function need(element: Element, attribute: string): string {
  const value = element.get(attribute);
  if (value === undefined) element.fault('missing-attribute', `<${element.name}> needs '${attribute}'`);
  return value ?? '';
}
