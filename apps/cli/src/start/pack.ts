import { openSync, readSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Script } from 'node:vm';
import type { CodeCache } from './code-cache.ts';
import { lazyBuiltin } from './lazy-builtin.ts';

/** Where each part of the program stands in its file, in bytes. */
export type PackIndex = { readonly [name: string]: readonly [offset: number, length: number] };

export type Pack = {
  /** What a part exports; it is read, compiled and run with the first call. */
  readonly load: (name: string) => unknown;
  readonly scripts: ReadonlyMap<string, Script>;
};

type Module = { exports: unknown };
type Load = (name: string) => unknown;
type Import = (name: string) => Promise<unknown>;
type Run = (module: Module, exports: unknown, require: Load, load: Load, url: string, importModule: Import) => void;

/**
 * Opens the file that holds the program in parts. A part is read, compiled and run with the first use of what it
 * exports, not when another part names it.
 */
export function openPack(path: string, index: PackIndex, cache: CodeCache): Pack {
  const file = openSync(path, 'r');
  const folder = join(dirname(path), 'chunks');
  const url = pathToFileURL(`${folder}/`).href;
  const fromNode = createRequire(path);
  const builtins = new Map<string, unknown>();
  const modules = new Map<string, Module>();
  const scripts = new Map<string, Script>();

  const required = (name: string): unknown => {
    if (name.startsWith('.')) return lazily(basename(name));
    if (!isBuiltin(name)) return fromNode(name);
    if (!builtins.has(name)) builtins.set(name, lazyBuiltin(name, fromNode));
    return builtins.get(name);
  };
  const lazily = (name: string): unknown => modules.get(name)?.exports ?? lazyExports(() => load(name) as object);
  const load = (name: string): unknown => {
    const known = modules.get(name);
    if (known !== undefined) return known.exports;
    const module: Module = { exports: {} };
    modules.set(name, module);
    try {
      const script = compile(name);
      scripts.set(name, script);
      const run = script.runInThisContext() as Run;
      run(module, module.exports, required, (other) => load(basename(other)), url + name, importModule);
    } catch (error) {
      modules.delete(name);
      throw error;
    }
    return module.exports;
  };
  const compile = (name: string): Script => {
    const [offset, length] = index[name] as readonly [number, number];
    const bytes = Buffer.allocUnsafe(length);
    readSync(file, bytes, 0, length, offset);
    const cachedData = cache.find(name);
    return new Script(bytes.toString(), {
      filename: join(folder, name),
      ...(cachedData === undefined ? {} : { cachedData }),
    });
  };
  return { load, scripts };
}

// Node forgets how a script imports once its code comes from a cache.
async function importModule(name: string): Promise<unknown> {
  return await import(name);
}

/** What a part exports, before it has run: the first look at any of it runs the part, and later ones cost no more than usual. */
function lazyExports(load: () => object): object {
  const behind = new Proxy(
    {},
    {
      get: (_, key) => {
        const exports = load();
        Object.defineProperties(seen, Object.getOwnPropertyDescriptors(exports));
        return Reflect.get(exports, key);
      },
    },
  );
  const seen: object = Object.create(behind) as object;
  return seen;
}
