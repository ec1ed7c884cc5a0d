import type { Extension } from '@warrant/core';
import type { ChartFault } from '../fault.ts';
import type { SourcePlace } from '../places.ts';
import { executable, holdsValues, SCXML_NAMESPACE, vocabulary } from './vocabulary.ts';
import type { XmlDocument } from './xml.ts';
import type { XmlAttribute, XmlElement } from './xml-element.ts';
import { xmlText } from './xml-text.ts';

const NO_WORDS: readonly string[] = [];
const UNKNOWN = { attributes: NO_WORDS, children: NO_WORDS };
/** Faults of one document that are looked up; a hostile one could have a hundred thousand. */
const ENOUGH = 1000;
const ONE_WORD = /^\S+$/;
const NO_CHILDREN: readonly Element[] = [];
const NO_EXTENSIONS: readonly Extension[] = [];

/** What reading a document gathers besides the chart: faults, and where asked for the places of its parts. */
export type Reading = {
  readonly faults: ChartFault[];
  readonly places: Map<object, SourcePlace> | undefined;
} & Pick<XmlDocument, 'placeOf' | 'pathOf'>;

/** One element of the chart's vocabulary; what it may not hold is reported when it is made. */
export class Element {
  readonly name: string;
  readonly children: readonly Element[];
  readonly extensions: readonly Extension[];
  private readonly xml: XmlElement;
  private readonly reading: Reading;
  private readonly isValue: boolean;
  /** Elements of other namespaces, by how many children stand before them. */
  private foreign: Map<number, Extension[]> | undefined;

  constructor(xml: XmlElement, reading: Reading) {
    this.xml = xml;
    this.reading = reading;
    this.name = xml.local;
    const { attributes, children } = vocabulary[xml.local] ?? UNKNOWN;
    const hasForeign = this.checkAttributes(xml.attributes, attributes);
    if (xml.local === 'script') this.fault('script', '<script> is not supported: use <assign> with an expression');
    this.isValue = holdsValues.has(xml.local) && !holdsChart(xml);
    if (xml.children.length === 0 || this.isValue) {
      this.children = NO_CHILDREN;
      this.extensions = hasForeign ? foreignAttributes(xml) : NO_EXTENSIONS;
      return;
    }
    this.children = this.readChildren(children);
    const elements = this.foreign === undefined ? NO_EXTENSIONS : [...this.foreign.values()].flat();
    this.extensions = hasForeign ? [...foreignAttributes(xml), ...elements] : elements;
  }

  /** Nothing stands in it, and nothing foreign on it. */
  get isBare(): boolean {
    return this.children.length === 0 && this.extensions.length === 0;
  }

  /** What is foreign on the element and before its first child. */
  get head(): readonly Extension[] {
    if (this.foreign === undefined) return this.extensions;
    return [...foreignAttributes(this.xml), ...this.foreignAt(0)];
  }

  /** The foreign elements that stand where so many children stand before them. */
  foreignAt(count: number): readonly Extension[] {
    return this.foreign?.get(count) ?? NO_EXTENSIONS;
  }

  get(name: string): string | undefined {
    const { attributes } = this.xml;
    for (let at = 0; at < attributes.length; at += 1) {
      const one = attributes[at] as XmlAttribute;
      if (one.local === name && one.uri === '') return one.value;
    }
    return undefined;
  }

  /** Words of an attribute that holds a list. */
  words(name: string): readonly string[] {
    const text = this.get(name);
    if (text === undefined) return NO_WORDS;
    return ONE_WORD.test(text) ? [text] : text.split(/\s+/).filter((word) => word !== '');
  }

  get text(): string {
    return this.xml.children
      .map((child) => (typeof child === 'string' ? child : this.isValue ? xmlText(child) : ''))
      .join('');
  }

  /** The children of that name, in order. */
  named(name: string): readonly Element[] {
    return this.children.length === 0 ? this.children : this.children.filter((child) => child.name === name);
  }

  /** `at` is the step from the element on to what is wrong in it. */
  fault(code: string, message: string, at = ''): void {
    this.report(this.xml, at, code, message);
  }

  /** Notes that this element is where the part of the chart comes from. */
  mark<Part extends object>(part: Part): Part {
    const { places, placeOf } = this.reading;
    places?.set(part, placeOf(this.xml));
    return part;
  }

  /** Whether there are foreign ones among them. Reading large charts is as fast as loops like this one in a new process. */
  private checkAttributes(given: readonly XmlAttribute[], known: readonly string[]): boolean {
    let hasForeign = false;
    for (let at = 0; at < given.length; at += 1) {
      const { uri, local } = given[at] as XmlAttribute;
      if (uri !== '') hasForeign = true;
      else if (!known.includes(local))
        this.fault('unknown-attribute', `<${this.name}> has no attribute '${local}'`, `/@${local}`);
    }
    return hasForeign;
  }

  private readChildren(allowed: readonly string[]): readonly Element[] {
    const read: Element[] = [];
    const { children } = this.xml;
    for (let at = 0; at < children.length; at += 1) {
      const child = children[at] as XmlElement | string;
      if (typeof child === 'string') this.strayText(child);
      else if (child.namespace !== SCXML_NAMESPACE) this.keep(child, read.length);
      else if (allowed.includes(child.local) || (allowed.includes('*') && executable.has(child.local)))
        read.push(new Element(child, this.reading));
      else this.misplaced(child);
    }
    return read;
  }

  private keep(child: XmlElement, count: number): void {
    this.foreign ??= new Map();
    const there = this.foreign.get(count);
    if (there === undefined) this.foreign.set(count, [foreign(child)]);
    else there.push(foreign(child));
  }

  /** White space and text around a chart in `<content>` mean nothing. */
  private strayText(text: string): void {
    if (text.trim() !== '' && this.name !== 'content')
      this.fault('unknown-text', `text may not stand in <${this.name}>`);
  }

  private misplaced(child: XmlElement): void {
    this.report(child, '', 'unknown-element', `<${child.local}> may not stand in <${this.name}>`);
  }

  private report(xml: XmlElement, at: string, code: string, message: string): void {
    const { faults, placeOf, pathOf } = this.reading;
    if (faults.length < ENOUGH) faults.push({ code, path: `${pathOf(xml)}${at}`, ...placeOf(xml), message });
  }
}

/** A chart is only invoked; in a message it is XML like any other. */
function holdsChart({ local, parent, children }: XmlElement): boolean {
  return local === 'content' && parent?.local === 'invoke' && children.some(isChart);
}

function isChart(child: XmlElement | string): boolean {
  return typeof child !== 'string' && child.namespace === SCXML_NAMESPACE && child.local === 'scxml';
}

/** Attributes of other namespaces, kept as they are. */
function foreignAttributes({ attributes }: XmlElement): readonly Extension[] {
  return attributes.flatMap(({ uri, local, value }) =>
    uri === '' ? [] : [{ namespace: uri, local, attribute: value }],
  );
}

/** An element of another namespace, kept as it is. */
function foreign(element: XmlElement): Extension {
  return {
    namespace: element.namespace,
    local: element.local,
    attributes: Object.fromEntries(
      element.attributes.map(({ uri, local, value }) => [uri === '' ? local : `{${uri}}${local}`, value]),
    ),
    children: element.children.map((child) => (typeof child === 'string' ? child : foreign(child))),
  };
}
