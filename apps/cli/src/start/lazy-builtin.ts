/** Modules of Node's own that are loaded at every start anyway. */
const ALWAYS_THERE: ReadonlySet<string> = new Set([
  'buffer',
  'events',
  'fs',
  'module',
  'path',
  'process',
  'url',
  'util',
  'vm',
]);

type Values = Record<PropertyKey, unknown>;

/**
 * A module of Node's own that is loaded with the first use of something in it: many are named by code that a run never
 * comes to, and loading them all takes longer than most commands.
 */
export function lazyBuiltin(name: string, load: (name: string) => unknown): unknown {
  if (ALWAYS_THERE.has(name.replace(/^node:/, ''))) return load(name);
  let loaded: Values | undefined;
  const values = (): Values => {
    loaded ??= load(name) as Values;
    return loaded;
  };
  return new Proxy(Object.create(null) as Values, {
    get: (_, key) => values()[key],
    has: (_, key) => key in values(),
    ownKeys: () => Reflect.ownKeys(values()),
    getOwnPropertyDescriptor: (_, key) => {
      const descriptor = Reflect.getOwnPropertyDescriptor(values(), key);
      // A proxy may only call fixed what its target has.
      return descriptor === undefined ? undefined : { ...descriptor, configurable: true };
    },
  });
}
