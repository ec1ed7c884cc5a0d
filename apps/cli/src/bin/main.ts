import type { StartNotes } from './start-notes.ts';

/**
 * Runs one command line.
 * @returns the exit code
 */
export async function main(words: readonly string[], notes?: StartNotes): Promise<number> {
  // The hook is called at every step of an agent: it starts without what only other commands need.
  const at = words.indexOf('hook');
  if (at !== -1 && words[at + 1] === 'claude-code') {
    const { hookMain, readHookWords } = await import('../hook/main.ts');
    const options = readHookWords([...words.slice(0, at), ...words.slice(at + 2)]);
    if (options !== null) return hookMain(options, notes);
  }
  const { processTerminal } = await import('../cli/process-terminal.ts');
  const { runCommandLine } = await import('../cli/run.ts');
  const { table } = await import('../cli/table.ts');
  return runCommandLine(words, table, processTerminal(notes));
}
