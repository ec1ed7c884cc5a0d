import type { Extension } from '@warrant/core';
import { carriersOf, isAttribute } from '../extension-actions.ts';
import type { ChartIr } from '../ir.ts';
import { VT_NAMESPACE } from '../vt.ts';
import { foreignIn, isWrapper } from './wrapper.ts';
import { notXml, type Out, type OutAttribute, xmlName, xmlSafe } from './write-xml.ts';
import { escapeXml } from './xml-text.ts';

const XML = 'http://www.w3.org/XML/1998/namespace';
const XMLNS = 'http://www.w3.org/2000/xmlns/';

/** A prefix for each namespace that an attribute of the chart uses. */
export function namespacesOf(chart: ChartIr): ReadonlyMap<string, string> {
  const found = new Set<string>();
  collect(chart, found);
  const prefixes = new Map<string, string>();
  for (const namespace of [...found].sort())
    prefixes.set(namespace, namespace === VT_NAMESPACE ? 'vt' : `ns${prefixes.size + 1}`);
  return prefixes;
}

/** Walks every part of the chart; only its lists named `extensions` are looked into. */
function collect(part: unknown, found: Set<string>): void {
  if (typeof part !== 'object' || part === null) return;
  if (Array.isArray(part)) {
    for (const item of part) collect(item, found);
    return;
  }
  for (const [key, member] of Object.entries(part)) {
    if (key === 'extensions') addAttributes(member as readonly Extension[], found);
    else if (key !== 'value') collect(member, found);
  }
}

function addAttributes(extensions: readonly Extension[] | undefined, found: Set<string>): void {
  for (const one of extensions ?? []) {
    if (isWrapper(one)) addAttributes(foreignIn(one).filter(isForeign), found);
    else if ('attribute' in one && one.namespace !== XML) found.add(checkedNamespace(one.namespace));
  }
}

function isForeign({ namespace }: Extension): boolean {
  return namespace !== '';
}

function checkedNamespace(namespace: string): string {
  if (namespace === '' || namespace === XMLNS) throw notXml('an extension attribute needs a namespace of its own');
  return xmlSafe(namespace);
}

export type ForeignPart = { readonly attributes: readonly OutAttribute[]; readonly elements: readonly Out[] };

/** The same of an element that is a block, in which a second attribute of a name has a place. */
export function foreignOfBlock(
  extensions: readonly Extension[] | undefined,
  prefixes: ReadonlyMap<string, string>,
): ForeignPart {
  const given = extensions ?? [];
  const attributes = given.filter(isAttribute);
  if (attributes.length < 2) return foreignPart(given, prefixes);
  const seen = new Set<string>();
  const isFirst = ({ namespace, local }: Extension) => {
    const name = `{${namespace}}${local}`;
    return !seen.has(name) && seen.add(name) !== undefined;
  };
  const standing = attributes.filter(isFirst);
  const carried = carriersOf(attributes.filter((one) => !standing.includes(one)));
  return foreignPart([...standing, ...carried, ...given.filter((one) => !isAttribute(one))], prefixes);
}

/** What an action keeps that stands on no element of its own. */
export function foreignInBlock(
  extensions: readonly Extension[] | undefined,
  prefixes: ReadonlyMap<string, string>,
): readonly Out[] {
  const given = extensions ?? [];
  const elements = given.filter((one) => !isAttribute(one));
  return foreignPart([...carriersOf(given.filter(isAttribute)), ...elements], prefixes).elements;
}

/** Extensions as the attributes and the elements that stand for them. */
export function foreignPart(
  extensions: readonly Extension[] | undefined,
  prefixes: ReadonlyMap<string, string>,
): ForeignPart {
  const attributes: OutAttribute[] = [];
  const elements: Out[] = [];
  for (const one of extensions ?? []) {
    if ('attribute' in one) {
      const prefix = one.namespace === XML ? 'xml' : prefixes.get(checkedNamespace(one.namespace));
      attributes.push({ name: `${prefix}:${xmlName(one.local)}`, value: one.attribute });
    } else if (isWrapper(one))
      throw notXml(`the extension stands for an element <${one.local}> that has no place here`);
    else elements.push({ type: 'raw', xml: foreignText(one, 'http://www.w3.org/2005/07/scxml') });
  }
  if (new Set(attributes.map(({ name }) => name)).size < attributes.length)
    throw notXml('an extension attribute is there twice');
  return { attributes, elements };
}

/** The attributes alone, for elements whose content is a value. @throws CHART_NOT_XML when there are elements */
export function foreignAttributes(
  extensions: readonly Extension[] | undefined,
  prefixes: ReadonlyMap<string, string>,
): readonly OutAttribute[] {
  const { attributes, elements } = foreignPart(extensions, prefixes);
  if (elements.length > 0) throw notXml('an element of another namespace stands where XML is a value');
  return attributes;
}

/** A foreign element on one line, for white space in it counts. Each element declares the namespaces it needs. */
function foreignText(one: Extract<Extension, { readonly children: unknown }>, outer: string): string {
  const name = xmlName(one.local);
  const own = one.namespace === outer ? '' : ` xmlns="${escapeXml(xmlSafe(one.namespace))}"`;
  const attributes = Object.entries(one.attributes).map(([key, value], index) => foreignAttribute(key, value, index));
  const children = one.children.map((child) =>
    typeof child === 'string' ? escapeXml(xmlSafe(child)) : childText(child, one.namespace),
  );
  return `<${name}${own}${attributes.join('')}>${children.join('')}</${name}>`;
}

function childText(child: Extension, outer: string): string {
  if ('attribute' in child) throw notXml('an attribute stands among the children of an element');
  return foreignText(child, outer);
}

/** Names of attributes with a namespace are written `{namespace}local`. */
function foreignAttribute(key: string, value: string, index: number): string {
  const [, namespace = '', local = key] = /^\{([^}]*)\}(.*)$/s.exec(key) ?? [];
  const text = escapeXml(xmlSafe(value));
  if (namespace === '') {
    if (local === 'xmlns') throw notXml('an attribute of an extension is named xmlns');
    return ` ${xmlName(local)}="${text}"`;
  }
  if (namespace === XML) return ` xml:${xmlName(local)}="${text}"`;
  return ` xmlns:a${index}="${escapeXml(checkedNamespace(namespace))}" a${index}:${xmlName(local)}="${text}"`;
}
