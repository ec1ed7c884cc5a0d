import { readSync } from 'node:fs';

const CHUNK = 65_536;
const STANDARD_INPUT = 0;

/**
 * All of standard input. Reading the pipe at once loads no stream; where there is nothing to be had for the moment, the rest
 * is read as one.
 */
export async function readInput(): Promise<string> {
  const chunks: Buffer[] = [];
  if (!readWhatIsThere(chunks)) for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** True when everything was read. */
function readWhatIsThere(chunks: Buffer[]): boolean {
  try {
    for (;;) {
      const chunk = Buffer.allocUnsafe(CHUNK);
      const read = readSync(STANDARD_INPUT, chunk);
      if (read === 0) return true;
      chunks.push(chunk.subarray(0, read));
    }
  } catch {
    return false;
  }
}
