import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type GraphFile, loadSeeds, type SeedName } from '@warrant/graph/documents';

/** The documents of seeds and of those they stand on. The bundled command finds them beside itself. */
export function seedFiles(names: readonly SeedName[]): readonly GraphFile[] {
  const beside = fileURLToPath(new URL('../../seeds', import.meta.url));
  return loadSeeds(names, existsSync(beside) ? { directory: beside } : {});
}
