import type { Extension } from '@warrant/core';
import type { ChartFault } from '../fault.ts';
import type { SourcePlace } from '../places.ts';
import { executable, SCXML_NAMESPACE, vocabulary } from './vocabulary.ts';
import type { XmlElement } from './xml.ts';
import { xmlText } from './xml-text.ts';

/** Elements whose content is a value: XML in them is text. */
const HOLDS_VALUES = new Set(['assign', 'data']);

/** One element of the chart's vocabulary, with what it may not hold reported. */
export type Element = {
  readonly name: string;
  readonly get: (attribute: string) => string | undefined;
  /** Words of an attribute that holds a list. */
  readonly words: (attribute: string) => readonly string[];
  readonly children: readonly Element[];
  readonly text: string;
  readonly extensions: readonly Extension[];
  readonly fault: (code: string, message: string) => void;
  /** Notes that this element is where the part of the chart comes from. */
  readonly mark: <Part extends object>(part: Part) => Part;
};

/** What reading a document gathers besides the chart. */
export type Reading = { readonly faults: ChartFault[]; readonly places: WeakMap<object, SourcePlace> };

export function readElement(xml: XmlElement, reading: Reading): Element {
  const { faults, places } = reading;
  const fault = (code: string, message: string): void =>
    void faults.push({ code, path: '', line: xml.line, column: xml.column, message });
  const known = vocabulary[xml.local] ?? { attributes: [], children: [] };
  const own = xml.attributes.filter((attribute) => attribute.namespace === '');
  for (const attribute of own) {
    if (!known.attributes.includes(attribute.local))
      fault('unknown-attribute', `<${xml.local}> has no attribute '${attribute.local}'`);
  }
  if (xml.local === 'script') fault('script', '<script> is not supported: use <assign> with an expression');
  const elements = xml.children.filter((child): child is XmlElement => typeof child !== 'string');
  const isValue = HOLDS_VALUES.has(xml.local) || (xml.local === 'content' && !elements.some(isChart));
  const get = (name: string) => own.find((attribute) => attribute.local === name)?.value;
  return {
    name: xml.local,
    get,
    words: (name) => (get(name) ?? '').split(/\s+/).filter((word) => word !== ''),
    children: (isValue ? [] : elements.filter(isOurs)).flatMap((child) =>
      readChild(child, xml.local, known.children, reading),
    ),
    text: xml.children.map((child) => (typeof child === 'string' ? child : isValue ? xmlText(child) : '')).join(''),
    extensions: extensionsOf(xml, isValue ? [] : elements),
    fault,
    mark: (part) => {
      places.set(part, { line: xml.line, column: xml.column });
      return part;
    },
  };
}

function isChart(element: XmlElement): boolean {
  return isOurs(element) && element.local === 'scxml';
}

function isOurs(element: XmlElement): boolean {
  return element.namespace === SCXML_NAMESPACE;
}

function readChild(
  child: XmlElement,
  parent: string,
  allowed: readonly string[],
  reading: Reading,
): readonly Element[] {
  if (allowed.includes(child.local) || (allowed.includes('*') && executable.has(child.local)))
    return [readElement(child, reading)];
  reading.faults.push({
    code: 'unknown-element',
    path: '',
    line: child.line,
    column: child.column,
    message: `<${child.local}> may not stand in <${parent}>`,
  });
  return [];
}

/** Attributes and elements of other namespaces, kept as they are. */
function extensionsOf(xml: XmlElement, elements: readonly XmlElement[]): readonly Extension[] {
  const attributes = xml.attributes
    .filter((attribute) => attribute.namespace !== '')
    .map(
      (attribute): Extension => ({
        namespace: attribute.namespace,
        local: attribute.local,
        attribute: attribute.value,
      }),
    );
  return [...attributes, ...elements.filter((element) => !isOurs(element)).map(foreign)];
}

function foreign(element: XmlElement): Extension {
  return {
    namespace: element.namespace,
    local: element.local,
    attributes: Object.fromEntries(
      element.attributes.map(({ namespace, local, value }) => [
        namespace === '' ? local : `{${namespace}}${local}`,
        value,
      ]),
    ),
    children: element.children.map((child) => (typeof child === 'string' ? child : foreign(child))),
  };
}
