import type { Action, Block, Branch, ChartIr, Content, InvokeIr, Param, SendIr } from '../ir.ts';
import type { Element } from './element.ts';
import { inlineValue } from './inline-value.ts';
import { definedOnly, within } from './optional.ts';

/** The executable content of an element. */
export function readBlock(element: Element): Block {
  return element.children.filter((child) => child.name in readers).map(readAction);
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
  if: (element) => ({ type: 'if', branches: readBranches(element) }),
  foreach: (element) => ({
    type: 'foreach',
    array: need(element, 'array'),
    item: need(element, 'item'),
    ...definedOnly({ index: element.get('index') }),
    content: readBlock(element),
  }),
};

function readAction(element: Element): Action {
  const action = (readers[element.name] as Reader)(element);
  return { ...action, ...within('extensions', element.extensions) };
}

function readAssign(element: Element): Action {
  const expr = element.get('expr');
  const text = element.text.trim();
  if (expr !== undefined && text !== '') element.fault('assign', '<assign> has expr or content, not both');
  const value = expr === undefined && text !== '' ? inlineValue(text) : undefined;
  return { type: 'assign', location: need(element, 'location'), ...definedOnly({ expr, value }) };
}

/** `<elseif>` and `<else>` stand between the actions they divide (standard 4.3). */
function readBranches(element: Element): readonly Branch[] {
  const branches: { cond?: string; content: Action[] }[] = [{ cond: need(element, 'cond'), content: [] }];
  for (const child of element.children) {
    if (child.name === 'elseif') branches.push({ cond: need(child, 'cond'), content: [] });
    else if (child.name === 'else') branches.push({ content: [] });
    else if (child.name in readers) branches.at(-1)?.content.push(readAction(child));
  }
  return branches;
}

function readSend(element: Element): SendIr {
  const content = element.children.find((child) => child.name === 'content');
  const get = element.get;
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
  return element.children
    .filter((child) => child.name === 'param')
    .map((param) => ({
      name: need(param, 'name'),
      ...definedOnly({ expr: param.get('expr'), location: param.get('location') }),
    }));
}

export function readContent(element: Element): Content {
  const expr = element.get('expr');
  return expr === undefined ? { value: inlineValue(element.text) } : { expr };
}

/** `readChart` reads a chart written in place. */
export function readInvoke(element: Element, readChart: (root: Element) => ChartIr): InvokeIr {
  const content = element.children.find((child) => child.name === 'content');
  const chart = content?.children.find((child) => child.name === 'scxml');
  const finalize = element.children.find((child) => child.name === 'finalize');
  const get = element.get;
  return {
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
    ...within('extensions', element.extensions),
  };
}

function need(element: Element, attribute: string): string {
  const value = element.get(attribute);
  if (value === undefined) element.fault('missing-attribute', `<${element.name}> needs '${attribute}'`);
  return value ?? '';
}
