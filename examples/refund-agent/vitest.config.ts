import { defineProject, mergeConfig } from 'vitest/config';
import { shared } from '../../tooling/vitest/shared.ts';

export default mergeConfig(shared, defineProject({ test: { name: 'example-refund-agent' } }));
