import { defineProject, mergeConfig } from 'vitest/config';
import { shared } from '../../tooling/vitest/shared.ts';

const soak = process.env['WARRANT_SOAK'] !== undefined;

export default mergeConfig(
  shared,
  defineProject({ test: { name: 'chart', ...(soak ? { testTimeout: 3_600_000 } : {}) } }),
);
