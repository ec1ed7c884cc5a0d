import { SaxesParser } from 'saxes';
import { type ChartFault, chartInvalid } from '../fault.ts';
import type { SourcePlace } from '../places.ts';

export type XmlElement = {
  readonly namespace: string;
  readonly local: string;
  readonly attributes: readonly XmlAttribute[];
  readonly children: (XmlElement | string)[];
  readonly line: number;
  readonly column: number;
};

export type XmlAttribute = { readonly namespace: string; readonly local: string; readonly value: string };

export type XmlLimits = {
  /** @default 4 MiB */
  readonly maxBytes: number;
  /** Elements inside each other. @default 200 */
  readonly maxDepth: number;
  /** Elements and attributes together. @default 200000 */
  readonly maxNodes: number;
};

export const defaultXmlLimits: XmlLimits = { maxBytes: 4 * 1024 * 1024, maxDepth: 200, maxNodes: 200_000 };

/** Reads one XML document. Size is checked before decoding; DOCTYPE, deep nesting and what is not UTF-8 are refused. @throws CHART_INVALID */
export function parseXml(bytes: Uint8Array, limits: XmlLimits): XmlElement {
  if (bytes.byteLength > limits.maxBytes)
    throw at('too-large', 1, 1, `the document has ${bytes.byteLength} bytes, at most ${limits.maxBytes} are read`);
  const source = decode(bytes);
  const placeAt = placeFinder(source);
  const parser = new SaxesParser({ xmlns: true, position: true });
  const open: XmlElement[] = [];
  let root: XmlElement | undefined;
  let start: SourcePlace = { line: 1, column: 1 };
  let nodes = 0;
  const refuse = (code: string, message: string): never => {
    throw at(code, parser.line, parser.column + 1, message);
  };
  parser.on('error', (error) => refuse('xml', error.message.replace(/^\d+:\d+: /, '')));
  parser.on('doctype', () => refuse('doctype', 'a DOCTYPE is not allowed'));
  const count = () => {
    nodes += 1;
    if (nodes > limits.maxNodes) refuse('too-large', `more than ${limits.maxNodes} elements and attributes`);
  };
  parser.on('attribute', count);
  // Here the name has just ended: its `<` is where the element begins.
  parser.on('opentagstart', () => {
    count();
    start = placeAt(source.lastIndexOf('<', Math.max(0, parser.position - 2)));
  });
  parser.on('opentag', (tag) => {
    if (open.length >= limits.maxDepth) refuse('too-deep', `elements are nested deeper than ${limits.maxDepth}`);
    const element: XmlElement = {
      namespace: tag.uri,
      local: tag.local,
      attributes: attributesOf(tag.attributes),
      children: [],
      ...start,
    };
    const parent = open.at(-1);
    if (parent === undefined) root = element;
    else parent.children.push(element);
    open.push(element);
  });
  parser.on('closetag', () => void open.pop());
  const text = (value: string) => {
    const parent = open.at(-1);
    if (parent === undefined || value === '') return;
    const last = parent.children.at(-1);
    if (typeof last === 'string') parent.children[parent.children.length - 1] = last + value;
    else parent.children.push(value);
  };
  parser.on('text', text);
  parser.on('cdata', text);
  parser.write(source).close();
  return root ?? refuse('xml', 'the document is empty');
}

/** Attributes of the element's own vocabulary have no namespace; declarations of prefixes are left out. */
function attributesOf(
  attributes: Readonly<
    Record<string, { readonly uri: string; readonly local: string; readonly value: string; readonly prefix: string }>
  >,
): readonly XmlAttribute[] {
  return Object.values(attributes)
    .filter(({ prefix, local }) => prefix !== 'xmlns' && !(prefix === '' && local === 'xmlns'))
    .map(({ uri, local, value }) => ({ namespace: uri, local, value }));
}

/** Line and column of an offset, by halving. */
function placeFinder(source: string): (offset: number) => SourcePlace {
  const starts = [0];
  for (let at = source.indexOf('\n'); at >= 0; at = source.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
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

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw at('not-utf8', 1, 1, 'the document is not valid UTF-8');
  }
}

function at(code: string, line: number, column: number, message: string): Error {
  const fault: ChartFault = { code, path: '', line, column, message };
  return chartInvalid([fault]);
}
