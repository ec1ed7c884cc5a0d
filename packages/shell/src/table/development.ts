import type { ProgramSpec } from './spec.ts';

/** Interpreters, build tools, package managers and containers. */
export const development: readonly ProgramSpec[] = [
  { names: 'python python3', class: 'read', rule: 'python' },
  { names: 'node deno ruby perl php java go cargo rustc tsc make cmake', class: 'read', rule: 'interpreter' },
  { names: 'pip pip3', class: 'read', rule: 'pip' },
  { names: 'npm pnpm yarn', class: 'read', rule: 'npm' },
  { names: 'apt apt-get', class: 'read', rule: 'apt' },
  { names: 'docker podman', class: 'read', rule: 'docker' },
  { names: 'kubectl', class: 'read', network: true, rule: 'kubectl' },
];
