import {
  type Alias,
  type Document,
  isAlias,
  isCollection,
  isMap,
  isScalar,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  type Scalar,
  visit,
  type YAMLMap,
} from 'yaml';
import { toWellFormed } from '../well-formed.ts';
import { type DocumentFault, type DocumentPath, jsonPointer, type Place } from './place.ts';

/** How large and how nested a document may be. */
export type DocumentLimits = {
  /** Bytes of UTF-8. @default 4 MiB */
  readonly maxBytes?: number;
  /** Levels of nesting. @default 100 */
  readonly maxDepth?: number;
  /** How many aliases there may be, and how many values those of one anchor may stand for. @default 100 */
  readonly maxAliases?: number;
};

export type DocumentSource = { readonly file: string; readonly text: string | Uint8Array };

/** A document's plain value, and the place of everything in it. */
export type RawDocument = {
  readonly value: unknown;
  /** Where the value at the path stands; of what is missing, where its nearest parent stands. */
  readonly placeOf: (path: DocumentPath) => Place;
  /** Where a key of a map stands. */
  readonly placeOfKey: (path: DocumentPath, key: string) => Place;
};

type Read =
  | { readonly type: 'ok'; readonly document: RawDocument }
  | { readonly type: 'faulty'; readonly faults: readonly DocumentFault[] };

/**
 * Reads one YAML 1.2 or JSON document. Duplicate keys, foreign tags, merge keys, several documents, bombs and data that
 * contains itself are faults, sorted by their place.
 */
export function readYaml(source: DocumentSource, limits: DocumentLimits = {}): Read {
  const { maxBytes = 4 * 1024 * 1024, maxDepth = 100, maxAliases = 100 } = limits;
  const top: Place = { file: source.file, line: 1, column: 1 };
  const faulty = (code: string, message: string, expected?: string): Read => ({
    type: 'faulty',
    faults: [{ ...top, code, path: '', message, ...(expected === undefined ? {} : { expected }) }],
  });
  const size = typeof source.text === 'string' ? Buffer.byteLength(source.text) : source.text.byteLength;
  if (size > maxBytes) return faulty('too-large', `the document has ${size} bytes`, `at most ${maxBytes}`);
  const text = decode(source.text);
  if (text === undefined) return faulty('not-utf8', 'the document is not valid UTF-8');
  try {
    return readText(source.file, text, { maxDepth, maxAliases });
  } catch (error) {
    if (error instanceof RangeError)
      return faulty('too-deep', 'the document is nested too deeply', `at most ${maxDepth} levels`);
    if (error instanceof ReferenceError)
      return faulty('too-many-aliases', 'aliases stand for too many values', `at most ${maxAliases}`);
    throw error;
  }
}

function decode(text: string | Uint8Array): string | undefined {
  if (typeof text === 'string') return toWellFormed(text) === text ? text : undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(text);
  } catch {
    return undefined;
  }
}

type TreeLimits = { readonly maxDepth: number; readonly maxAliases: number };

function readText(file: string, text: string, limits: TreeLimits): Read {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    version: '1.2',
    schema: 'core',
    // The library refuses every tag but those of the core schema by itself then.
    resolveKnownTags: false,
    // Both take time that grows with the square of a hostile document; keys are compared below.
    uniqueKeys: false,
    prettyErrors: false,
    lineCounter: lines,
    stringKeys: true,
  });
  const place = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { file, line: Math.max(1, line), column: Math.max(1, col) };
  };
  const faults = [...syntaxFaults(document, text, place), ...structureFaults(document, place, limits)];
  if (faults.length > 0)
    return { type: 'faulty', faults: faults.sort((a, b) => a.line - b.line || a.column - b.column) };
  const value: unknown = document.toJS({ maxAliasCount: limits.maxAliases });
  const pairOf = pairFinder();
  return {
    type: 'ok',
    document: {
      value,
      placeOf: (path) => locate(document, path, place, pairOf),
      placeOfKey: (path, key) => locateKey(document, path, key, place, pairOf),
    },
  };
}

type PlaceAt = (offset: number) => Place;

function syntaxFaults(document: Document.Parsed, text: string, place: PlaceAt): readonly DocumentFault[] {
  return [...document.errors, ...document.warnings].map(({ code, message, pos: [start, end] }) => {
    const at = { ...place(start), path: '' };
    if (TAG_CODES.has(code) && text[start] === '!')
      return { ...at, code: 'foreign-tag', message: foreignTag(text.slice(start, end)) };
    // What the library advises then is meant for programs.
    if (code === 'MULTIPLE_DOCS') return { ...at, code: 'several-documents', message: 'a file holds one document' };
    return { ...at, code: 'syntax', message: message.split('\n')[0] ?? '' };
  });
}

/** What the library says of a tag: that it is unknown, does not fit the value, or stands at a key. */
const TAG_CODES: ReadonlySet<string> = new Set(['TAG_RESOLVE_FAILED', 'BAD_COLLECTION_TYPE', 'NON_STRING_KEY']);

function foreignTag(tag: string): string {
  return `the tag ${tag} is not allowed here`;
}

function structureFaults(document: Document.Parsed, place: PlaceAt, limits: TreeLimits): readonly DocumentFault[] {
  const { maxDepth, maxAliases } = limits;
  const faults: DocumentFault[] = [];
  let aliases = 0;
  const add = (node: Node, code: string, message: string) => {
    faults.push({ ...place(node.range?.[0] ?? 0), code, path: '', message });
  };
  visit(document, {
    Node: (role, node, ancestors) => {
      if (ancestors.filter(isCollection).length > maxDepth) {
        add(node, 'too-deep', `nested deeper than ${maxDepth} levels`);
        return visit.BREAK;
      }
      if (isAlias(node)) {
        aliases += 1;
        // The library counts what stands inside of each, which is nothing for an empty map, and looks at all for each.
        if (aliases > maxAliases) {
          add(node, 'too-many-aliases', `more than ${maxAliases} aliases`);
          return visit.BREAK;
        }
        if (standsInside(document, node, ancestors)) add(node, 'cyclic-alias', 'an alias stands inside what it names');
        return undefined;
      }
      if (isMap(node)) for (const key of keysGivenTwice(node)) add(key, 'duplicate-key', 'Map keys must be unique');
      // At a key the library refuses it itself.
      if (node.tag === '!' && role !== 'key') add(node, 'foreign-tag', foreignTag('!'));
      return undefined;
    },
  });
  return faults;
}

function keysGivenTwice({ items }: YAMLMap<unknown, unknown>): readonly Scalar[] {
  const seen = new Set<unknown>();
  return items.flatMap(({ key }) => {
    if (!isScalar(key)) return [];
    const isNew = !seen.has(key.value);
    seen.add(key.value);
    return isNew ? [] : [key];
  });
}

/** Anchors may be given again: only where the names match is it worth finding out what the alias stands for. */
function standsInside(document: Document.Parsed, alias: Alias, ancestors: readonly unknown[]): boolean {
  if (!ancestors.some((one) => isCollection(one) && one.anchor === alias.source)) return false;
  return ancestors.includes(alias.resolve(document));
}

type PairOf = (map: YAMLMap<unknown, unknown>, key: unknown) => Pair<unknown, unknown> | undefined;

/** Finds pairs by their key. A map's keys are gathered once: a document may have as many faults as it has keys. */
function pairFinder(): PairOf {
  const known = new Map<object, Map<unknown, Pair<unknown, unknown>>>();
  return (map, key) => {
    let pairs = known.get(map);
    if (pairs === undefined) {
      pairs = new Map(map.items.map((pair) => [isScalar(pair.key) ? pair.key.value : pair.key, pair]));
      known.set(map, pairs);
    }
    return pairs.get(key);
  };
}

function locate(document: Document.Parsed, path: DocumentPath, place: PlaceAt, pairOf: PairOf): Place {
  let node: unknown = document.contents;
  let offset = document.contents?.range[0] ?? 0;
  for (const step of path) {
    if (isAlias(node)) node = node.resolve(document);
    if (!isCollection(node)) break;
    const next: unknown = isMap(node) ? pairOf(node, step)?.value : node.get(step, true);
    const range = (next as Node | null | undefined)?.range;
    if (range === undefined || range === null) break;
    node = next;
    offset = range[0];
  }
  return place(offset);
}

function locateKey(document: Document.Parsed, path: DocumentPath, key: string, place: PlaceAt, pairOf: PairOf): Place {
  const parent = nodeAt(document, path, pairOf);
  if (isMap(parent)) {
    const pair = pairOf(parent, key);
    const range = isScalar(pair?.key) ? pair.key.range : undefined;
    if (range !== undefined && range !== null) return place(range[0]);
  }
  return locate(document, path, place, pairOf);
}

function nodeAt(document: Document.Parsed, path: DocumentPath, pairOf: PairOf): unknown {
  let node: unknown = document.contents;
  for (const step of path) {
    if (isAlias(node)) node = node.resolve(document);
    if (!isCollection(node)) return undefined;
    node = isMap(node) ? pairOf(node, step)?.value : node.get(step, true);
  }
  return isAlias(node) ? node.resolve(document) : node;
}

/** A fault at a path of a document. */
export function faultAt(
  document: RawDocument,
  path: DocumentPath,
  fault: { code: string; message: string; expected?: string },
): DocumentFault {
  return { ...document.placeOf(path), path: jsonPointer(path), ...fault };
}
