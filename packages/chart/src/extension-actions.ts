import type { Extension } from '@warrant/core';
import type { Action, Block } from './ir.ts';
import { SCXML_NAMESPACE, VT_NAMESPACE } from './vt.ts';

type ElementExtension = Extract<Extension, { readonly children: unknown }>;
type AttributeExtension = Extract<Extension, { readonly attribute: unknown }>;

/**
 * In the middle of a block no element of XML is there for a foreign attribute to stand on. It stands on one of this name
 * there, which reading takes away again.
 */
const CARRIER = 'attributes';

/** Whether the element does nothing but carry attributes. */
function isCarrier(one: Extension): one is ElementExtension {
  if ('attribute' in one || one.local !== CARRIER || one.namespace !== VT_NAMESPACE) return false;
  const names = Object.keys(one.attributes);
  return one.children.length === 0 && names.length > 0 && names.every((name) => ATTRIBUTE.test(name));
}

/** The name of an attribute of a foreign element, with its namespace. */
const ATTRIBUTE = /^\{([^}]+)\}(.+)$/s;

/** Elements that carry the attributes: as few as hold no name twice. */
export function carriersOf(attributes: readonly AttributeExtension[]): readonly Extension[] {
  const carried: Map<string, string>[] = [];
  for (const { namespace, local, attribute } of attributes) {
    const name = `{${namespace}}${local}`;
    const last = carried.at(-1);
    if (last === undefined || last.has(name)) carried.push(new Map([[name, attribute]]));
    else last.set(name, attribute);
  }
  return carried.map((one) => ({
    namespace: VT_NAMESPACE,
    local: CARRIER,
    attributes: Object.fromEntries(one),
    children: [],
  }));
}

export function isAttribute(one: Extension): one is AttributeExtension {
  return 'attribute' in one;
}

/** Foreign attributes first, in their order and without the elements that carried them; then the foreign elements. */
function inOrder(extensions: readonly Extension[]): readonly Extension[] {
  if (!extensions.some((one) => isAttribute(one) || isCarrier(one))) return extensions;
  const spread = extensions.flatMap((one) => (isCarrier(one) ? attributesOf(one) : [one]));
  return [...spread.filter(isAttribute), ...spread.filter((one) => !isAttribute(one))];
}

function attributesOf({ attributes }: ElementExtension): readonly Extension[] {
  return Object.entries(attributes).map(([name, attribute]) => {
    const [, namespace = '', local = name] = ATTRIBUTE.exec(name) ?? [];
    return { namespace, local, attribute };
  });
}

/**
 * The one form of a block among those that keep the same extensions in the same places: actions that only keep
 * extensions and follow each other are one, and none of them keeps nothing.
 */
export function settledBlock(block: Block): Block {
  if (!block.some(isExtension)) return block;
  const settled: Action[] = [];
  let kept: Extension[] = [];
  const close = () => {
    if (kept.length > 0) settled.push({ type: 'extension', extensions: inOrder(kept) });
    kept = [];
  };
  for (const action of block) {
    if (isExtension(action)) for (const one of action.extensions ?? []) kept.push(one);
    else {
      close();
      settled.push(action);
    }
  }
  close();
  return settled;
}

function isExtension({ type }: Action): boolean {
  return type === 'extension';
}

export type Settled = { readonly own: readonly Extension[]; readonly content: Block };

/**
 * The same of a block and the element it stands in, where that has extensions of its own: elements before the first
 * action are its own, for XML does not tell them apart.
 */
export function settledWithin(given: readonly Extension[] | undefined, block: Block): Settled {
  const own = given ?? NOTHING;
  const content = settledBlock(block);
  const [head, ...rest] = content;
  if (head?.type !== 'extension' && !own.some(isCarrier)) return { own, content };
  const first = head?.type === 'extension' ? (head.extensions ?? NOTHING) : NOTHING;
  const isFixed = (one: Extension) => isAttribute(one) || one.namespace === SCXML_NAMESPACE;
  const elements = own.filter((one) => !isFixed(one));
  const run = [...elements, ...carriersOf(first.filter(isAttribute)), ...first.filter((one) => !isAttribute(one))];
  const carrier = run.findIndex(isCarrier);
  const until = carrier < 0 ? run.length : carrier;
  const actions = head?.type === 'extension' ? rest : content;
  return {
    own: [
      ...own.filter(isAttribute),
      ...run.slice(0, until),
      ...own.filter((one) => isFixed(one) && !isAttribute(one)),
    ],
    content: settledBlock([{ type: 'extension', extensions: run.slice(until) }, ...actions]),
  };
}

/** The same of an action that has extensions of its own and holds blocks. */
export function settledAction(action: Action): Action {
  if (action.type === 'foreach') {
    const { own, content } = settledWithin(action.extensions, action.content);
    return { ...action, content, extensions: own };
  }
  if (action.type !== 'if') return action;
  const [first, ...others] = action.branches;
  if (first === undefined) return action;
  const { own, content } = settledWithin(action.extensions, first.content);
  return { ...action, branches: [{ ...first, content }, ...others], extensions: own };
}

const NOTHING: readonly Extension[] = [];
