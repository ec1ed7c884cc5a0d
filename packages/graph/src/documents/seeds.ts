import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { graphError } from '../errors.ts';
import { quote } from '../text.ts';
import type { GraphFile } from './format.ts';

/** The domains that come with this package. */
export const SEED_NAMES = [
  'filesystem',
  'shell',
  'git',
  'database',
  'network',
  'http',
  'cloud',
  'kubernetes',
  'email',
  'payments',
  'gaps',
] as const;
export type SeedName = (typeof SEED_NAMES)[number];

/** Concepts that two domains need are defined in one of them and named in the others. Those that stand lowest come first. */
const REQUIRED: Readonly<Record<SeedName, readonly SeedName[]>> = {
  filesystem: [],
  shell: ['filesystem'],
  git: ['filesystem'],
  database: ['filesystem'],
  network: ['filesystem'],
  http: ['filesystem', 'network'],
  cloud: ['filesystem', 'network'],
  kubernetes: ['filesystem', 'network'],
  email: ['filesystem', 'network'],
  payments: ['filesystem', 'network', 'http'],
  gaps: [],
};

/**
 * The texts of seeds and of those they stand on, to be parsed and imported together.
 * @param options.directory where the seeds lie, for programs that bundle this package. @default the package's own
 * @throws GRAPH_SEED_UNKNOWN
 */
export function loadSeeds(
  names: readonly SeedName[],
  options: { readonly directory?: string } = {},
): readonly GraphFile[] {
  const wanted = new Set(names.flatMap((name) => [...(REQUIRED[name] ?? []), name]));
  return [...wanted].map((name) => loadSeed(name, options));
}

/**
 * The text of a seed, ready for {@link parseGraphDocuments}.
 * @param options.directory where the seeds lie, for programs that bundle this package. @default the package's own
 * @throws GRAPH_SEED_UNKNOWN
 */
export function loadSeed(name: SeedName, options: { readonly directory?: string } = {}): GraphFile {
  if (!SEED_NAMES.includes(name)) {
    throw graphError('GRAPH_SEED_UNKNOWN', `there is no seed ${quote(String(name))}`, { known: [...SEED_NAMES] });
  }
  const directory = options.directory ?? fileURLToPath(new URL('../../seeds', import.meta.url));
  const file = `${name}.graph.yaml`;
  return { file, text: readFileSync(`${directory}/${file}`, 'utf8') };
}
