import { spawn } from 'node:child_process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';

const FILE = fileURLToPath(new URL('read-input.ts', import.meta.url));
const LOADER = import.meta.resolve('tsx');

/** What the program reads of parts that come one after the other. */
function readIn(before: string, parts: readonly string[]): Promise<string> {
  const code = `${before}
    const { readInput } = await import(${JSON.stringify(pathToFileURL(FILE).href)});
    process.stdout.write('.');
    const text = await readInput();
    process.stdout.write(JSON.stringify([text.length, text.slice(0, 3), text.slice(-3)]));`;
  const child = spawn(process.execPath, ['--import', LOADER, '--input-type=module', '-e', code], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const waiting = [...parts];
  const say = (): void => {
    const part = waiting.shift();
    if (part === undefined) child.stdin.end();
    else child.stdin.write(part, () => setTimeout(say, 100));
  };
  return new Promise((done) => {
    let out = '';
    child.stdout.on('data', (chunk: Buffer) => {
      if (out === '') say();
      out += chunk.toString();
    });
    child.on('close', () => done(out.slice(1)));
  });
}

it('reads all of what comes in parts, also from a pipe that has nothing for the moment', async () => {
  const parts = ['one', 'x'.repeat(200_000), 'two'];
  const whole = JSON.stringify([200_006, 'one', 'two']);
  expect(await readIn('', parts)).toBe(whole);
  // What Node itself has opened as a stream waits for nobody.
  expect(await readIn('process.stdin.pause();', parts)).toBe(whole);
  expect(await readIn('', [])).toBe(JSON.stringify([0, '', '']));
});
