import { writeSync } from 'node:fs';

const PAUSE_MS = 1;

/**
 * Writes all of the text to standard output (1) or standard error (2), as a stream would, without the time that making
 * a stream takes. The reader of a pipe (such as `head`) may leave early: that ends the process in good order.
 */
export function writeOut(descriptor: 1 | 2, text: string): void {
  let rest = Buffer.from(text);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(descriptor, rest));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EPIPE') {
        if (descriptor === 1) process.exit();
        return;
      }
      if (code !== 'EAGAIN') throw error;
      // The pipe is full for a moment.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
    }
  }
}
