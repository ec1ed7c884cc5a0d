import { fileURLToPath } from 'node:url';
import { defaultServerConditions, type Plugin } from 'vite';
import type { ViteUserConfig } from 'vitest/config';

/** Sows one fault, named by the environment, into a module as it is loaded; the file itself stays as it is. */
function seededFault(): Plugin {
  const fault = JSON.parse(process.env['WARRANT_FAULT'] ?? 'null') as {
    file: string;
    find: string;
    replace: string;
  } | null;
  return {
    name: 'seeded-fault',
    enforce: 'pre',
    transform: (code, id) =>
      fault !== null && id === fault.file ? code.replace(fault.find, () => fault.replace) : undefined,
  };
}

const soak = process.env['WARRANT_SOAK'] !== undefined;

/** Tests and the code they import use `src/` of every workspace package, so no build is needed. */
export const shared: ViteUserConfig = {
  plugins: [seededFault()],
  ssr: { resolve: { conditions: ['@warrant/source', ...defaultServerConditions] } },
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    setupFiles: [fileURLToPath(new URL('seed.ts', import.meta.url))],
    // Generous, since a machine may be busy; in full, single tests run for many minutes.
    testTimeout: soak ? 3_600_000 : 180_000,
    hookTimeout: soak ? 600_000 : 180_000,
  },
};
