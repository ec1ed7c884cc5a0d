import type { Benchmark } from './benchmark.ts';

/** Every benchmark by name, loaded when asked for. One line a benchmark. */
export const benchmarks: Readonly<Record<string, () => Promise<Benchmark>>> = {
  graph: async () => (await import('./graph.ts')).benchmark,
  'graph-neo4j': async () => (await import('./graph-neo4j.ts')).benchmark,
  cold: async () => (await import('./cold.ts')).benchmark,
  check: async () => (await import('./check.ts')).benchmark,
  ground: async () => (await import('./ground.ts')).benchmark,
  guard: async () => (await import('./guard.ts')).benchmark,
  'submit-gate': async () => (await import('./submit-gate.ts')).benchmark,
  'submit-gate-airline': async () => (await import('./submit-gate-airline.ts')).benchmark,
  journal: async () => (await import('./journal.ts')).benchmark,
  memory: async () => (await import('./memory.ts')).benchmark,
  'memory-locomo': async () => (await import('./memory-locomo.ts')).benchmark,
  'review-policy': async () => (await import('./review-policy.ts')).benchmark,
  shell: async () => (await import('./shell.ts')).benchmark,
  hook: async () => (await import('./hook.ts')).benchmark,
  chart: async () => (await import('./chart.ts')).benchmark,
  decide: async () => (await import('./decide.ts')).benchmark,
};
