import type { Extension } from '@warrant/core';
import { settledBlock, settledWithin } from '../extension-actions.ts';
import type { Action, Block, Branch, ChartIr, Content, InvokeIr, Param, SendIr } from '../ir.ts';
import { definedOnly, within } from '../optional.ts';
import type { YamlNode } from './node.ts';
import { EXTENSION_NAMESPACE, keys } from './vocabulary.ts';

/** One block, or several as a list of lists. */
export function readBlocks(node: YamlNode | undefined): readonly Block[] {
  if (node === undefined) return [];
  const items = node.items();
  if (items.length > 0 && items.every((item) => item.isList)) return items.map(readBlock);
  return [readBlock(node)];
}

function readBlock(node: YamlNode): Block {
  return node.mark(settledBlock(node.items().flatMap(readAction)));
}

/** The block under the key, and the extensions of what it stands in. */
export function readWithin(
  node: YamlNode,
  key: string,
): { readonly content: Block; readonly extensions?: readonly Extension[] } {
  const { own, content } = settledWithin(extensionsOf(node).extensions, blockOf(node, key));
  return { content, ...within('extensions', own) };
}

const readers = {
  raise: (node: YamlNode): Action => ({ type: 'raise', event: node.isMap ? need(node, 'event') : node.text() }),
  send: readSend,
  cancel: (node: YamlNode): Action =>
    node.isMap
      ? { type: 'cancel', ...definedOnly({ sendId: node.textOf('sendid'), sendIdExpr: node.textOf('sendidexpr') }) }
      : { type: 'cancel', sendId: node.text() },
  assign: (node: YamlNode): Action => {
    if (node.get('expr') !== undefined && node.get('value') !== undefined)
      node.fault('assign', 'assign has expr or value, not both');
    return {
      type: 'assign',
      location: need(node, 'location'),
      ...definedOnly({ expr: node.textOf('expr'), value: node.get('value')?.json() }),
    };
  },
  log: (node: YamlNode): Action =>
    node.isMap
      ? { type: 'log', ...definedOnly({ label: node.textOf('label'), expr: node.textOf('expr') }) }
      : { type: 'log', label: node.text() },
  foreach: (node: YamlNode): Action => ({
    type: 'foreach',
    array: need(node, 'array'),
    item: need(node, 'item'),
    ...definedOnly({ index: node.textOf('index') }),
    ...readWithin(node, 'do'),
  }),
  extensions: (): Action => ({ type: 'extension' }),
};

/** An action is a map of one word and what it needs; an `if` has its branches beside it. */
function readAction(node: YamlNode): readonly Action[] {
  if (node.get('if') !== undefined) return [readIf(node)];
  const [entry, ...more] = node.members();
  const known = Object.keys(readers);
  if (entry === undefined || more.length > 0 || !known.includes(entry[0])) {
    node.fault('action', `an action is a map with one key: if, ${known.join(', ')}`);
    return [];
  }
  const [word, inner] = entry as readonly [keyof typeof readers, YamlNode];
  if (word === 'extensions') return [node.mark({ type: 'extension', ...extensionsOf(node) })];
  const short = word === 'raise' || word === 'cancel' || word === 'log';
  if (short && !inner.isMap) return [node.mark(readers[word](inner))];
  if (!inner.checkKeys(keys[word])) return [];
  const action = readers[word](inner);
  return [inner.mark(word === 'foreach' ? action : { ...action, ...extensionsOf(inner) })];
}

function readIf(node: YamlNode): Action {
  node.checkKeys(keys.if);
  const { content, ...extensions } = readWithin(node, 'do');
  const first = node.mark({ cond: need(node, 'if'), content });
  const others = (node.get('elseif')?.items() ?? []).map((branch): Branch => {
    branch.checkKeys(keys.elseif);
    return branch.mark({ cond: need(branch, 'cond'), content: blockOf(branch, 'do') });
  });
  const last = node.get('else');
  const branches = [first, ...others, ...(last === undefined ? [] : [last.mark({ content: readBlock(last) })])];
  return node.mark({ type: 'if', branches, ...extensions });
}

function blockOf(node: YamlNode, key: string): Block {
  const inner = node.get(key);
  return inner === undefined ? [] : readBlock(inner);
}

function readSend(node: YamlNode): SendIr {
  return {
    type: 'send',
    ...definedOnly({
      event: node.textOf('event'),
      eventExpr: node.textOf('eventexpr'),
      target: node.textOf('target'),
      targetExpr: node.textOf('targetexpr'),
      processor: node.textOf('type'),
      processorExpr: node.textOf('typeexpr'),
      id: node.textOf('id'),
      idLocation: node.textOf('idlocation'),
      delay: node.textOf('delay'),
      delayExpr: node.textOf('delayexpr'),
      content: node.get('content') && readContent(node.get('content') as YamlNode),
    }),
    ...within('namelist', node.get('namelist')?.words() ?? []),
    ...within('params', readParams(node.get('params'))),
  };
}

export function readParams(node: YamlNode | undefined): readonly Param[] {
  return (node?.items() ?? []).map((item) => {
    item.checkKeys(keys.param);
    return item.mark({
      name: need(item, 'name'),
      ...definedOnly({ expr: item.textOf('expr'), location: item.textOf('location') }),
      ...extensionsOf(item),
    });
  });
}

export function readContent(node: YamlNode): Content {
  node.checkKeys(keys.content);
  return givenContent(node);
}

function givenContent(node: YamlNode): Content {
  const expr = node.textOf('expr');
  const value = node.get('value');
  if ((expr === undefined) === (value === undefined)) node.fault('content', 'content has either expr or value');
  const extensions = extensionsOf(node);
  return node.mark(expr === undefined ? { value: value?.json() ?? null, ...extensions } : { expr, ...extensions });
}

/** `readChart` reads a chart written in place. */
export function readInvoke(node: YamlNode, readChart: (node: YamlNode) => ChartIr): InvokeIr {
  node.checkKeys(keys.invoke);
  const content = node.get('content');
  const forward = node.get('autoforward');
  if (forward !== undefined && typeof forward.value !== 'boolean') forward.wrong('true or false');
  return node.mark({
    ...definedOnly({
      processor: node.textOf('type'),
      processorExpr: node.textOf('typeexpr'),
      src: node.textOf('src'),
      srcExpr: node.textOf('srcexpr'),
      id: node.textOf('id'),
      idLocation: node.textOf('idlocation'),
      content: content && readInvokeContent(content, readChart),
      finalize: node.get('finalize') && blockOf(node, 'finalize'),
    }),
    autoforward: forward?.value === true,
    ...within('namelist', node.get('namelist')?.words() ?? []),
    ...within('params', readParams(node.get('params'))),
    ...extensionsOf(node),
  });
}

function readInvokeContent(node: YamlNode, readChart: (node: YamlNode) => ChartIr): NonNullable<InvokeIr['content']> {
  node.checkKeys(keys.invokeContent);
  const chart = node.get('chart');
  if (chart === undefined) return givenContent(node);
  if (Object.keys(node.value as object).length > 1) node.fault('content', 'a chart stands alone in its content');
  return node.mark({ chart: readChart(chart) });
}

export function extensionsOf(node: YamlNode): { readonly extensions?: readonly Extension[] } {
  return within('extensions', (node.get('extensions')?.items() ?? []).map(readExtension));
}

function readExtension(node: YamlNode): Extension {
  node.checkKeys(keys.extension);
  const namespace = node.textOf('namespace') ?? EXTENSION_NAMESPACE;
  const local = need(node, 'local');
  const attribute = node.textOf('attribute');
  if (attribute !== undefined) {
    if (node.get('attributes') !== undefined || node.get('children') !== undefined)
      node.fault('extension', 'an extension is an attribute, or an element with attributes and children');
    return { namespace, local, attribute };
  }
  return {
    namespace,
    local,
    attributes: Object.fromEntries((node.get('attributes')?.members() ?? []).map(([key, one]) => [key, one.text()])),
    children: (node.get('children')?.items() ?? []).map((child) => (child.isMap ? readExtension(child) : child.text())),
  };
}

export function need(node: YamlNode, key: string): string {
  const found = node.get(key);
  if (found === undefined) node.fault('missing-key', `'${key}' is missing`);
  return found?.text() ?? '';
}
