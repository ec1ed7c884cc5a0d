import { type GraphFile, loadSeeds, type SeedName } from '@warrant/graph/documents';
import { seedsBeside } from './seeds-beside.ts';

/** The documents of seeds and of those they stand on. The bundled command finds them beside itself. */
export function seedFiles(names: readonly SeedName[]): readonly GraphFile[] {
  const directory = seedsBeside();
  return loadSeeds(names, directory === undefined ? {} : { directory });
}
