#!/usr/bin/env node
import { processTerminal } from '../cli/process-terminal.ts';
import { runCommandLine } from '../cli/run.ts';
import { table } from '../cli/table.ts';

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // The reader of a pipe (such as `head`) may leave early.
  if (error.code === 'EPIPE') process.exit(0);
});
process.exitCode = await runCommandLine(process.argv.slice(2), table, processTerminal());
