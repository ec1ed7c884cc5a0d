import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Where the bundled command has its seeds; undefined where they lie in their package. */
export function seedsBeside(): string | undefined {
  const beside = fileURLToPath(new URL('../../seeds', import.meta.url));
  return existsSync(beside) ? beside : undefined;
}
