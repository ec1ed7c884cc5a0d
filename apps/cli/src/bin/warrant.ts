#!/usr/bin/env node
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // The reader of a pipe (such as `head`) may leave early.
  if (error.code === 'EPIPE') process.exit(0);
});
process.exitCode = await run(process.argv.slice(2));

async function run(words: readonly string[]): Promise<number> {
  // The hook is called at every step of an agent: it starts without what only other commands need.
  if (words[0] === 'hook' && words[1] === 'claude-code') {
    const { hookMain, readHookWords } = await import('../hook/main.ts');
    const options = readHookWords(words.slice(2));
    if (options !== null) return hookMain(options);
  }
  const { processTerminal } = await import('../cli/process-terminal.ts');
  const { runCommandLine } = await import('../cli/run.ts');
  const { table } = await import('../cli/table.ts');
  return runCommandLine(words, table, processTerminal());
}
