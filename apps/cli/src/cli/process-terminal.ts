import { fstatSync } from 'node:fs';
import type { StartNotes } from '../bin/start-notes.ts';
import type { Terminal } from './terminal.ts';
import { writeOut } from './write-out.ts';

/** The terminal of this process. Colours are off when it is not one, with NO_COLOR, or with TERM=dumb. */
export function processTerminal(notes?: StartNotes): Terminal {
  const { env } = process;
  const plain = (env['NO_COLOR'] ?? '') !== '' || env['TERM'] === 'dumb';
  const onTerminal = isTerminal();
  return {
    directory: process.cwd(),
    environment: env,
    // Standard input costs milliseconds to set up, and most commands never read it.
    get interactive() {
      return onTerminal && process.stdin.isTTY === true;
    },
    colour: (onTerminal && !plain) || (env['FORCE_COLOR'] ?? '') !== '',
    notes,
    columns: onTerminal ? process.stdout.columns : 100,
    // A terminal is left to Node, which knows each system's own.
    write: onTerminal ? (text) => void process.stdout.write(text) : (text) => writeOut(1, text),
    writeError: (text) => writeOut(2, text),
    ask: askOnce(),
    readInput: async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
      return Buffer.concat(chunks).toString('utf8');
    },
  };
}

/** Only a device of characters can be a terminal, and to look at that alone loads no stream. */
function isTerminal(): boolean {
  try {
    return fstatSync(1).isCharacterDevice() && process.stdout.isTTY === true;
  } catch {
    return false;
  }
}

/** One reader for all questions, so that lines typed ahead (or piped in) are not lost between two. */
function askOnce(): Terminal['ask'] {
  let lines: AsyncIterator<string> | undefined;
  return async (question) => {
    if (question !== '') writeOut(1, question);
    if (lines === undefined) {
      const { createInterface } = await import('node:readline/promises');
      lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
    }
    const next = await lines.next();
    if (next.done !== true) return next.value;
    if (question !== '') writeOut(1, '\n');
    return null;
  };
}
