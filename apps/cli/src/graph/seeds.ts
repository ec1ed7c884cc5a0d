import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type GraphFile, loadSeed, type SeedName } from '@warrant/graph/documents';

/** A seed's document. The bundled command finds the seeds beside itself. */
export function seedFile(name: SeedName): GraphFile {
  const beside = fileURLToPath(new URL('../../seeds', import.meta.url));
  return loadSeed(name, existsSync(beside) ? { directory: beside } : {});
}
