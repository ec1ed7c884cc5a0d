import { docker, kubectl, launcher } from './containers.ts';
import { parallel, ssh, watch, xargs } from './lists.ts';
import type { Wrapper } from './outcome.ts';
import { env, prefixWrappers, sudo } from './prefix.ts';
import { builtin, busybox, evaluate, flock, shell, su, trap } from './shells.ts';

const wrappers: ReadonlyMap<string, Wrapper> = new Map<string, Wrapper>([
  ...Object.entries(prefixWrappers),
  ['sudo', sudo],
  ['doas', sudo],
  ['env', env],
  ['command', builtin],
  ['builtin', builtin],
  ['exec', builtin],
  ['flock', flock],
  ['xargs', xargs],
  ['parallel', parallel],
  ['watch', watch],
  ['su', su],
  ['eval', evaluate],
  ['trap', trap],
  ['busybox', busybox],
  ['ssh', ssh],
  ['docker', docker],
  ['podman', docker],
  ['kubectl', kubectl],
  ...['sh', 'bash', 'dash', 'zsh', 'ksh', 'ash'].map((name): [string, Wrapper] => [name, shell]),
  ...['npx', 'bunx', 'uvx', 'npm', 'pnpm', 'yarn', 'bun', 'pipx'].map((name): [string, Wrapper] => [name, launcher]),
]);

/** The wrapper of that name; many of them are ordinary programs with other words. */
export function wrapperOf(name: string): Wrapper | undefined {
  return wrappers.get(name);
}

/** True for a program that may run what follows it; no table entry can change that. */
export function isWrapper(name: string): boolean {
  return wrappers.has(name);
}
