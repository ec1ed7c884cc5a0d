import type { Terminal } from './terminal.ts';

/** The terminal of this process. Colours are off when it is not one, with NO_COLOR, or with TERM=dumb. */
export function processTerminal(): Terminal {
  const { env, stdout, stderr } = process;
  const plain = (env['NO_COLOR'] ?? '') !== '' || env['TERM'] === 'dumb';
  return {
    directory: process.cwd(),
    environment: env,
    // Standard input costs milliseconds to set up, and most commands never read it.
    get interactive() {
      return process.stdin.isTTY === true && stdout.isTTY === true;
    },
    colour: (stdout.isTTY === true && !plain) || (env['FORCE_COLOR'] ?? '') !== '',
    columns: stdout.columns ?? 100,
    write: (text) => void stdout.write(text),
    writeError: (text) => void stderr.write(text),
    ask: askOnce(),
    readInput: async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
      return Buffer.concat(chunks).toString('utf8');
    },
  };
}

/** One reader for all questions, so that lines typed ahead (or piped in) are not lost between two. */
function askOnce(): Terminal['ask'] {
  let lines: AsyncIterator<string> | undefined;
  return async (question) => {
    if (question !== '') process.stdout.write(question);
    if (lines === undefined) {
      const { createInterface } = await import('node:readline/promises');
      lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
    }
    const next = await lines.next();
    if (next.done !== true) return next.value;
    if (question !== '') process.stdout.write('\n');
    return null;
  };
}
