import { defaultServerConditions } from 'vite';
import type { ViteUserConfig } from 'vitest/config';

/** Tests and the code they import use `src/` of every workspace package, so no build is needed. */
export const shared: ViteUserConfig = {
  ssr: { resolve: { conditions: ['@warrant/source', ...defaultServerConditions] } },
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
};
