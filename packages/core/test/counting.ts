import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { withFileLock } from '../src/files/lock.ts';

// usage: counting.mjs LOCK FILE TIMES: adds one to the number in the file, under the lock, reading and writing apart.
const [lock, file, times] = process.argv.slice(2);
for (let index = 0; index < Number(times); index += 1) {
  await withFileLock(
    lock as string,
    async () => {
      const value = Number(readFileSync(file as string, 'utf8'));
      await new Promise((resolve) => setTimeout(resolve, 1));
      // As a whole, since this process may be killed at any moment.
      writeFileSync(`${file}.${process.pid}`, String(value + 1));
      renameSync(`${file}.${process.pid}`, file as string);
    },
    { timeoutMs: 60_000 },
  );
  console.log(index);
}
