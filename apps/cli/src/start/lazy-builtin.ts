import { sha256 } from './sha256.ts';

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
  const plain = name.replace(/^node:/, '');
  if (ALWAYS_THERE.has(plain)) return load(name);
  let loaded: Values | undefined;
  const values = (): Values => {
    loaded ??= load(name) as Values;
    return loaded;
  };
  const early: Values = plain === 'crypto' ? { hash: earlyHash(() => values() as Crypto) } : {};
  return new Proxy(Object.create(null) as Values, {
    get: (_, key) => (loaded === undefined && Object.hasOwn(early, key) ? early[key] : values()[key]),
    has: (_, key) => key in values(),
    ownKeys: () => Reflect.ownKeys(values()),
    getOwnPropertyDescriptor: (_, key) => {
      const descriptor = Reflect.getOwnPropertyDescriptor(values(), key);
      // A proxy may only call fixed what its target has.
      return descriptor === undefined ? undefined : { ...descriptor, configurable: true };
    },
  });
}

type Hash = (algorithm: string, data: string | NodeJS.ArrayBufferView, encoding?: BufferEncoding) => string | Buffer;
type Crypto = { readonly hash: Hash };

/** Bytes that are digested here before Node's own way is loaded: a check digests about a thousand. */
const EARLY_BYTES = 3000;

/** `crypto.hash` for what a short run needs of it. */
function earlyHash(crypto: () => Crypto): Hash {
  let left = EARLY_BYTES;
  return (algorithm, data, encoding = 'hex') => {
    const bytes = typeof data === 'string' ? Buffer.from(data) : data;
    const short = bytes.byteLength <= left && bytes instanceof Uint8Array;
    if (!short || algorithm !== 'sha256' || encoding !== 'hex') return crypto().hash(algorithm, data, encoding);
    left -= bytes.length;
    return sha256(bytes);
  };
}
