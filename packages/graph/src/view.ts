import {
  type Digest,
  digestBytes,
  foldName,
  type GraphVersion,
  type GraphView,
  type Primitive,
  type ViewSnapshot,
} from '@warrant/core';
import { graphError } from './errors.ts';
import { freezePrimitive } from './freeze.ts';
import { GRAPH_LIMITS } from './limits.ts';
import type { Slot } from './slot.ts';
import { isText } from './text.ts';

/** The fold keys of the submitted names, in order, each once. */
export type ViewQuery = { readonly names: readonly string[]; readonly keys: readonly string[] };

/**
 * Checks the names of a view.
 * @throws GRAPH_INVALID for anything but a list of well-formed texts; `''` is none
 * @throws GRAPH_LIMIT for too many names, or one that is too long
 */
export function viewQuery(names: readonly string[]): ViewQuery {
  if (!Array.isArray(names)) throw graphError('GRAPH_INVALID', 'the names of a view are a list');
  if (names.length > GRAPH_LIMITS.viewNames) throw limit('names of one view', GRAPH_LIMITS.viewNames);
  if (names.length === 1) return { names: Object.freeze([names[0]]), keys: [keyOf(names[0], 0)] };
  const keys = new Set(names.map(keyOf));
  return { names: Object.freeze([...names]), keys: [...keys] };
}

function keyOf(name: unknown, index: number): string {
  if (isText(name, GRAPH_LIMITS.nameLength)) return foldName(name);
  if (typeof name === 'string' && name.length > GRAPH_LIMITS.nameLength) {
    throw limit('characters of a name', GRAPH_LIMITS.nameLength);
  }
  throw graphError('GRAPH_INVALID', 'a name is not a text, empty, or has a lone surrogate', { index });
}

function limit(what: string, most: number): Error {
  return graphError('GRAPH_LIMIT', `more than ${most} ${what}`, { what, limit: most });
}

/** A view of loaded slots; their content is taken now, so later changes do not reach into it. */
export function createView(query: ViewQuery, slots: readonly Slot[], version: GraphVersion): GraphView {
  const primitives: Primitive[] = [];
  const digests: Digest[] = [];
  for (const slot of slots) {
    if (!slot.isFrozen) {
      freezePrimitive(slot.primitive as Primitive);
      slot.isFrozen = true;
    }
    primitives.push(slot.primitive as Primitive);
    digests.push(slot.digest as Digest);
  }
  return new LoadedView(query, Object.freeze(primitives), digests, version);
}

/** Views are made for every check: one class costs less than an object with functions of its own. */
class LoadedView implements GraphView {
  readonly version: GraphVersion;
  readonly #snapshot: ViewSnapshot;
  readonly #keys: readonly string[];
  readonly #digests: readonly Digest[];
  #digest: Digest | undefined;

  constructor(query: ViewQuery, primitives: readonly Primitive[], digests: readonly Digest[], version: GraphVersion) {
    this.version = version;
    this.#snapshot = Object.freeze({ names: query.names, primitives });
    this.#keys = query.keys;
    this.#digests = digests;
  }

  get digest(): Digest {
    this.#digest ??= viewDigest(this.#keys, this.#digests);
    return this.#digest;
  }

  snapshot(): ViewSnapshot {
    return this.#snapshot;
  }
}

/**
 * The digest of the view of some concepts: core's `digest({ names, primitives })` over the fold keys and over the
 * primitives' digests, both sorted by code units.
 */
function viewDigest(keys: readonly string[], digests: readonly Digest[]): Digest {
  const names = [...keys]
    .sort()
    .map((key) => JSON.stringify(key))
    .join(',');
  const primitives = digests.length === 0 ? '' : `"${[...digests].sort().join('","')}"`;
  return digestBytes(`{"names":[${names}],"primitives":[${primitives}]}`);
}
