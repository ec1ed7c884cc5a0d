const inProcess = new URL('vitest-in-process.mjs', import.meta.url).href;

/** Lets `vitest` be what runs tests in the process that asks for it. */
export function resolve(specifier, context, next) {
  return specifier === 'vitest' ? { url: inProcess, shortCircuit: true } : next(specifier, context);
}

const COUNTS = 'function cover() {';

/** Counting what a test reaches takes most of the time; while a mutant is tried that is known. */
export async function load(url, context, next) {
  const loaded = await next(url, context);
  if (!url.includes('/packages/') || loaded.source == null) return loaded;
  const source = String(loaded.source);
  if (!source.includes(COUNTS)) return loaded;
  return { ...loaded, source: source.replace(COUNTS, `${COUNTS} if (ns.activeMutant !== undefined) return;`) };
}
