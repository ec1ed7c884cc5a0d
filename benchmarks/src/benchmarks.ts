import type { Benchmark } from './benchmark.ts';

/** Every benchmark by name, loaded when asked for. One line a benchmark. */
export const benchmarks: Readonly<Record<string, () => Promise<Benchmark>>> = {
  ground: async () => (await import('./ground.ts')).benchmark,
};
