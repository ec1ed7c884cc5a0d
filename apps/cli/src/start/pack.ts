import { openSync, readSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Script } from 'node:vm';
import type { CodeCache, Kept } from './code-cache.ts';
import { lazyBuiltin } from './lazy-builtin.ts';

/** Where each part of the program stands in its file, in bytes. */
export type PackIndex = { readonly [name: string]: Place };
type Place = readonly [offset: number, length: number];

export type Pack = {
  /** What a part exports; it is read, compiled and run with the first call. */
  readonly load: (name: string) => unknown;
  /** From here on this is a run of this kind: what earlier ones used is compiled in one piece. */
  readonly enter: (kind: string) => void;
  /** Keeps, for later runs of the kinds entered, what this one used and compiled. Never throws. */
  readonly keep: () => void;
};

type Module = { exports: unknown };
type Load = (name: string) => unknown;
type Import = (name: string) => Promise<unknown>;
type Run = (module: Module, exports: unknown, require: Load, load: Load, url: string, importModule: Import) => void;

/** One kind of run: what is known of earlier ones, and what this one used beyond it. */
type Entered = { readonly kind: string; readonly joined: Joined | undefined; readonly further: Set<string> };
type Joined = { readonly parts: readonly string[]; readonly script: Script; readonly hasCode: boolean };

/**
 * Opens the file that holds the program in parts. A part is read, compiled and run with the first use of what it
 * exports, not when another part names it.
 */
export function openPack(path: string, index: PackIndex, cache: CodeCache): Pack {
  const file = openSync(path, 'r');
  const folder = join(dirname(path), 'chunks');
  const url = addressOf(folder);
  const fromNode = createRequire(path);
  const builtins = new Map<string, unknown>();
  const modules = new Map<string, Module>();
  const lazies = new Map<string, object>();
  const compiled = new Map<string, Run>();
  const entered: Entered[] = [];

  const required = (name: string): unknown => {
    if (name.startsWith('.')) return lazily(basename(name));
    if (!isBuiltin(name)) return fromNode(name);
    if (!builtins.has(name)) builtins.set(name, lazyBuiltin(name, fromNode));
    return builtins.get(name);
  };
  const lazily = (name: string): unknown => {
    const known = modules.get(name)?.exports ?? lazies.get(name);
    if (known !== undefined) return known;
    const lazy = lazyExports(() => load(name) as object);
    lazies.set(name, lazy);
    return lazy;
  };
  const load = (name: string): unknown => {
    const known = modules.get(name);
    if (known !== undefined) return known.exports;
    const module: Module = { exports: {} };
    modules.set(name, module);
    try {
      const run = compiled.get(name) ?? compile(name);
      run(module, module.exports, required, (other) => load(basename(other)), url + name, importModule);
    } catch (error) {
      modules.delete(name);
      throw error;
    }
    return module.exports;
  };
  const compile = (name: string): Run => {
    const script = new Script(listOf(file, [index[name] as Place]), { filename: join(folder, name) });
    entered[entered.length - 1]?.further.add(name);
    return (script.runInThisContext() as readonly [Run])[0];
  };
  const enter = (kind: string): void => {
    const joined = joinedOf(cache.find(kind));
    entered.push({ kind, joined, further: new Set() });
    const runs = (joined?.script.runInThisContext() ?? []) as readonly Run[];
    joined?.parts.forEach((name, at) => void compiled.set(name, runs[at] as Run));
  };
  const joinedOf = (kept: Kept | undefined): Joined | undefined => {
    const places = kept?.parts.map((name) => index[name]) ?? [];
    if (kept === undefined || places.includes(undefined)) return undefined;
    const { parts, code } = kept;
    const script = new Script(listOf(file, places as readonly Place[]), {
      filename: join(folder, 'joined.js'),
      ...(code === undefined ? {} : { cachedData: code }),
    });
    return { parts, script, hasCode: code !== undefined && script.cachedDataRejected !== true };
  };
  const keep = (): void => {
    for (const { kind, joined, further } of entered) {
      // Parts have to be compiled in one piece before that can be kept, which the next run does.
      if (further.size > 0) cache.keep(kind, { parts: [...(joined?.parts ?? []), ...further], code: undefined });
      else if (joined?.hasCode === false)
        cache.keep(kind, { parts: joined.parts, code: joined.script.createCachedData() });
    }
  };
  return { load, enter, keep };
}

/** Most paths are their own address; asking Node for it costs more than to look at them. */
function addressOf(folder: string): string {
  return /^\/[\w/.-]+$/.test(folder) ? `file://${folder}/` : pathToFileURL(`${folder}/`).href;
}

const OPEN = '['.charCodeAt(0);
const AFTER = ','.charCodeAt(0);
const CLOSE = ']'.charCodeAt(0);

/**
 * A list of these parts of the file. Only ASCII stands in it, which needs no decoding. It is put together as bytes: as
 * texts it would be copied again, and fill the memory of what is young.
 */
function listOf(file: number, places: readonly Place[]): string {
  const bytes = Buffer.allocUnsafe(places.reduce((sum, [, size]) => sum + size + 1, 2));
  bytes[0] = OPEN;
  let at = 1;
  for (const [offset, size] of places) {
    readSync(file, bytes, at, size, offset);
    at += size;
    bytes[at++] = AFTER;
  }
  bytes[at++] = CLOSE;
  return bytes.toString('latin1', 0, at);
}

// Node forgets how a script imports once its code comes from a cache.
async function importModule(name: string): Promise<unknown> {
  return await import(name);
}

/** What a part exports, before it has run: the first look at any of it runs the part and takes its place. */
function lazyExports(load: () => object): object {
  const behind = new Proxy(
    {},
    {
      get: (_, key) => {
        const exports = load();
        Object.setPrototypeOf(seen, exports);
        return Reflect.get(exports, key);
      },
    },
  );
  const seen: object = Object.create(behind) as object;
  return seen;
}
