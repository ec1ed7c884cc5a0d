import { WarrantError } from '@warrant/core';
import { escapeXml } from './xml-text.ts';

/** An element to print, text, or XML that is printed as it stands. */
export type Out =
  | {
      readonly type: 'element';
      readonly name: string;
      readonly attributes: readonly OutAttribute[];
      readonly children: readonly Out[];
    }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'raw'; readonly xml: string };

export type OutAttribute = { readonly name: string; readonly value: string };

/** What XML 1.0 allows in a document (section 2.2). */
const NOT_XML = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u;
/** A name without a colon (Namespaces in XML 1.0, section 3). */
const START =
  'A-Z_a-z\\u{C0}-\\u{D6}\\u{D8}-\\u{F6}\\u{F8}-\\u{2FF}\\u{370}-\\u{37D}\\u{37F}-\\u{1FFF}\\u{200C}-\\u{200D}\\u{2070}-\\u{218F}\\u{2C00}-\\u{2FEF}\\u{3001}-\\u{D7FF}\\u{F900}-\\u{FDCF}\\u{FDF0}-\\u{FFFD}\\u{10000}-\\u{EFFFF}';
const NAME = new RegExp(`^[${START}][${START}\\-.0-9\\u{B7}\\u{300}-\\u{36F}\\u{203F}-\\u{2040}]*$`, 'u');

export function element(name: string, given: readonly OutAttribute[], children: readonly Out[]): Out {
  return { type: 'element', name, attributes: given, children };
}

/** The attributes that have a value. */
export function attributes(values: Readonly<Record<string, string | undefined>>): readonly OutAttribute[] {
  return Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]));
}

/** The text, where XML can hold it. @throws CHART_NOT_XML */
export function xmlSafe(text: string): string {
  if (NOT_XML.test(text)) throw notXml('a text holds characters that XML does not allow');
  return text;
}

/** A local name, where XML can hold it. @throws CHART_NOT_XML */
export function xmlName(name: string): string {
  if (!NAME.test(name)) throw notXml('a name of an extension is no XML name');
  return name;
}

export function notXml(message: string): WarrantError<'CHART_NOT_XML'> {
  return new WarrantError('CHART_NOT_XML', message);
}

/** The element as text, its children indented; prefixes are declared on it. */
export function printXml(root: Out, prefixes: ReadonlyMap<string, string>): string {
  const declared = [...prefixes].map(([namespace, prefix]) => ({ name: `xmlns:${prefix}`, value: namespace }));
  const withPrefixes = root.type === 'element' ? { ...root, attributes: [...root.attributes, ...declared] } : root;
  return `${print(withPrefixes, '')}\n`;
}

function print(out: Out, indent: string): string {
  if (out.type === 'raw') return `${indent}${out.xml}`;
  if (out.type === 'text') return escapeXml(xmlSafe(out.text));
  const given = out.attributes.map(({ name, value }) => ` ${name}="${escapeXml(xmlSafe(value))}"`).join('');
  if (out.children.length === 0) return `${indent}<${out.name}${given}/>`;
  const close = `</${out.name}>`;
  if (out.children.some((child) => child.type === 'text'))
    return `${indent}<${out.name}${given}>${out.children.map((child) => print(child, '')).join('')}${close}`;
  const inside = out.children.map((child) => print(child, `${indent}  `)).join('\n');
  return `${indent}<${out.name}${given}>\n${inside}\n${indent}${close}`;
}
