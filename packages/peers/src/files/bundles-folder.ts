import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Digest, WarrantError } from '@warrant/core';
import { writeFileAtomic } from '@warrant/core/files';
import type { BundleStore } from '../imports.ts';

/** Keeps the texts of bundles in a folder, each under its digest. */
export function createBundlesFolder(folder: string): BundleStore {
  const fileOf = (bundle: Digest): string => {
    if (!/^sha256:[0-9a-f]{64}$/.test(bundle))
      throw new WarrantError('PEERS_BUNDLE_INVALID', 'a bundle is named by its digest');
    return join(folder, `${bundle.slice('sha256:'.length)}.bundle.json`);
  };
  return {
    put: async (bundle, text) => {
      const file = fileOf(bundle);
      await mkdir(folder, { recursive: true });
      await writeFileAtomic(file, text);
    },
    get: async (bundle) => {
      try {
        return await readFile(fileOf(bundle), 'utf8');
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
        throw error;
      }
    },
  };
}
