import { foldName, type Json, type Primitive, type Relatum } from '@warrant/core';
import { Scalar, stringify } from 'yaml';
import { RELATION_TYPES } from '../relations.ts';
import { compareCodePoints } from '../text.ts';
import { conceptId } from './concept-id.ts';
import { GRAPH_FORMAT, LEVEL_WORDS } from './format.ts';
import { isPlain } from './reader.ts';

/** Options of {@link exportGraph}. */
export type ExportOptions = {
  /** The document's name, under which a later import knows what it brought in. */
  readonly name: string;
  readonly description?: string;
  /** @default 'yaml' */
  readonly format?: 'yaml' | 'json';
};

// Maps keep any key and its order, also `__proto__` and `12`.
type Tree = Json | Text | ReadonlyMap<Text, Tree> | readonly Tree[];
/** A name or an id, in quotes where it could be taken for a slip otherwise. */
type Text = string | Scalar<string>;

/**
 * A graph as one document: the same graph always gives the same text, so that it can live in git. Provenance is left
 * out; ids that an import would not give again are written down.
 */
export async function exportGraph(
  primitives: AsyncIterable<Primitive> | Iterable<Primitive>,
  options: ExportOptions,
): Promise<string> {
  const all: Primitive[] = [];
  for await (const primitive of primitives) all.push(primitive);
  all.sort((a, b) => compareCodePoints(foldName(a.name), foldName(b.name)));
  const names = new Map(all.map(({ id, name }) => [id, name]));
  const nameOf = (id: string): string => names.get(id) ?? id;
  const head = options.description === undefined ? [] : ([['description', options.description]] as const);
  const document = new Map<string, Tree>([
    ['format', GRAPH_FORMAT],
    ['name', textOf(options.name)],
    ...head,
    ['concepts', new Map(all.map((primitive) => [textOf(primitive.name), conceptTree(primitive, nameOf)]))],
  ]);
  if (options.format === 'json') return `${JSON.stringify(toJson(document), null, 2)}\n`;
  return stringify(document, { lineWidth: 100, aliasDuplicateObjects: false });
}

function conceptTree(primitive: Primitive, nameOf: (id: string) => string): Tree {
  const tree = new Map<string, Tree>();
  if (primitive.id !== conceptId(foldName(primitive.name))) tree.set('id', textOf(primitive.id));
  for (const depth of primitive.depths) {
    const level = new Map<string, Tree>();
    const { text, ...others } = depth.properties as { readonly [key: string]: Json };
    if (typeof text === 'string') level.set('text', text);
    const properties = typeof text === 'string' ? others : depth.properties;
    if (Object.keys(properties).length > 0) level.set('properties', properties);
    for (const relation of RELATION_TYPES) {
      const relata = depth.relata.filter((relatum) => relatum.relation === relation);
      if (relata.length > 0) level.set(relation, relataTree(relata, nameOf));
    }
    const isTextAlone = level.size === 1 && typeof text === 'string';
    tree.set(LEVEL_WORDS[depth.level], isTextAlone ? text : level);
  }
  return tree;
}

function relataTree(relata: readonly Relatum[], nameOf: (id: string) => string): Tree {
  const byName = new Map<string, Tree[]>();
  const sorted = [...relata].sort(
    (a, b) => compareCodePoints(nameOf(a.target), nameOf(b.target)) || a.targetDepth - b.targetDepth,
  );
  for (const { target, targetDepth, metadata } of sorted) {
    const word = LEVEL_WORDS[targetDepth];
    const value: Tree =
      metadata === undefined
        ? word
        : new Map<string, Tree>([
            ['depth', word],
            ['metadata', metadata],
          ]);
    const known = byName.get(nameOf(target));
    if (known === undefined) byName.set(nameOf(target), [value]);
    else known.push(value);
  }
  return new Map(
    [...byName].map(([name, values]) => [textOf(name), values.length === 1 ? (values[0] as Tree) : values]),
  );
}

function textOf(text: string): Text {
  if (isPlain(text)) return text;
  const quoted = new Scalar(text);
  quoted.type = Scalar.QUOTE_DOUBLE;
  return quoted;
}

function plainText(text: Text): string {
  return typeof text === 'string' ? text : text.value;
}

function toJson(tree: Tree): Json {
  if (tree instanceof Scalar) return tree.value;
  if (tree instanceof Map) {
    return Object.fromEntries([...tree].map(([key, value]) => [plainText(key as Text), toJson(value as Tree)]));
  }
  if (Array.isArray(tree)) return tree.map((item) => toJson(item as Tree));
  return tree as Json;
}
