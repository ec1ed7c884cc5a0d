import type { CommandEntry } from './command.ts';

/** Every command; each file is loaded only when its command is called. */
export const table: readonly CommandEntry[] = [
  {
    name: 'completion',
    summary: 'print a completion script for bash, zsh or fish',
    load: async () => (await import('../commands/completion.ts')).command,
  },
  {
    name: 'version',
    summary: "print this program's version",
    load: async () => (await import('../commands/version.ts')).command,
  },
];
