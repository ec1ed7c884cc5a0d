import { SaxesParser } from 'saxes';
import { type ChartFault, chartInvalid } from '../fault.ts';
import type { SourcePlace } from '../places.ts';
import { readPlain } from './plain-xml.ts';
import { createTree, onceOf } from './tree.ts';
import { pathFinder, type XmlAttribute, type XmlElement } from './xml-element.ts';

export type XmlLimits = {
  /** @default 2 MiB: some ten thousand states */
  readonly maxBytes: number;
  /** Elements inside each other. @default 200 */
  readonly maxDepth: number;
  /** Elements and attributes together. @default 100000 */
  readonly maxNodes: number;
};

export const defaultXmlLimits: XmlLimits = { maxBytes: 2 * 1024 * 1024, maxDepth: 200, maxNodes: 100_000 };

export type XmlDocument = {
  readonly root: XmlElement;
  readonly placeOf: (element: XmlElement) => SourcePlace;
  readonly pathOf: (element: XmlElement) => string;
};

/** Reads one XML document. Size is checked before decoding; DOCTYPE, deep nesting and what is not UTF-8 are refused. @throws CHART_INVALID */
export function parseXml(bytes: Uint8Array, limits: XmlLimits): XmlDocument {
  if (bytes.byteLength > limits.maxBytes)
    throw at('too-large', 1, 1, `the document has ${bytes.byteLength} bytes, at most ${limits.maxBytes} are read`);
  const source = decode(bytes);
  const root = readPlain(source, limits) ?? readStrictly(source, limits);
  return { root, placeOf: placeFinder(source), pathOf: pathFinder() };
}

/** Reads any document, or says where it is not well-formed. */
export function readStrictly(source: string, limits: XmlLimits): XmlElement {
  const parser = new SaxesParser({ xmlns: true, position: true });
  const tree = createTree();
  let start = 0;
  let nodes = 0;
  const refuse = (code: string, message: string): never => {
    const inner = tree.innermost();
    throw at(code, parser.line, parser.column + 1, message, inner === undefined ? '/' : pathFinder()(inner));
  };
  parser.on('error', (error) => refuse('xml', error.message.replace(/^\d+:\d+: /, '')));
  parser.on('doctype', () => refuse('doctype', 'a DOCTYPE is not allowed'));
  const count = () => {
    nodes += 1;
    if (nodes > limits.maxNodes) refuse('too-large', `more than ${limits.maxNodes} elements and attributes`);
  };
  let attributes: XmlAttribute[] = [];
  parser.on('attribute', (attribute) => {
    count();
    if (isDeclaration(attribute)) return;
    attribute.local = onceOf(attribute.local);
    // The parser puts the namespace into this very object before the tag is complete.
    attributes.push(attribute as typeof attribute & XmlAttribute);
  });
  parser.on('opentagstart', ({ name }) => {
    count();
    start = startOf(name, source, parser.position);
  });
  parser.on('opentag', ({ uri, local }) => {
    if (tree.depth() >= limits.maxDepth) refuse('too-deep', `elements are nested deeper than ${limits.maxDepth}`);
    tree.open(onceOf(uri), onceOf(local), attributes, start);
    attributes = [];
  });
  parser.on('closetag', tree.close);
  parser.on('text', tree.text);
  parser.on('cdata', tree.text);
  parser.write(source).close();
  return tree.root() ?? refuse('xml', 'the document is empty');
}

/** Where an element begins, of which the name and one sign more are read. */
function startOf(name: string, source: string, position: number): number {
  const start = position - name.length - 2;
  // A line end of two signs counts as one.
  return source[start] === '<' ? start : source.lastIndexOf('<', Math.max(0, position - 2));
}

/** Declarations of prefixes are left out. */
function isDeclaration({ prefix, local }: { readonly prefix: string; readonly local: string }): boolean {
  return prefix === 'xmlns' || (prefix === '' && local === 'xmlns');
}

/** Line and column of an element, by halving; the lines are counted when the first is asked for. */
function placeFinder(source: string): XmlDocument['placeOf'] {
  let starts: number[] | undefined;
  return ({ offset }) => {
    starts ??= lineStarts(source);
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] as number) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (starts[low] as number) + 1 };
  };
}

function lineStarts(source: string): number[] {
  const starts = [0];
  for (let at = source.indexOf('\n'); at >= 0; at = source.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw at('not-utf8', 1, 1, 'the document is not valid UTF-8');
  }
}

function at(code: string, line: number, column: number, message: string, path = '/'): Error {
  const fault: ChartFault = { code, path, line, column, message };
  return chartInvalid([fault]);
}
