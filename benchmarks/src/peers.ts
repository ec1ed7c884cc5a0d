import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where those that the benchmarks are held against are installed, if they are. */
export const PEERS = fileURLToPath(new URL('../peers', import.meta.url));

/** @param path of a package, or of a file in one */
export function isInstalled(path: string): boolean {
  return existsSync(join(PEERS, 'node_modules', path));
}
