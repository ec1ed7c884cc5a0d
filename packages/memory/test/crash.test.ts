import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openMemory } from '../src/sqlite/open-memory.ts';
import { createPick } from '../src/testing/spellings.ts';

const KILLS = process.env['WARRANT_SOAK'] === undefined ? 1 : 100;
const WORKER = resolve(import.meta.dirname, 'crash-worker.ts');
const pick = createPick(3);

/** Lets a process work and kills it at a moment that nobody chose. Gives what it was told is stored. */
async function workAndKill(folder: string, kind: string): Promise<readonly string[]> {
  const words = ['--import', 'tsx', '--conditions=@warrant/source', WORKER, folder, kind];
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise<number | null>((done) => child.once('exit', (code) => done(code)));
  let out = '';
  const ready = new Promise<void>((done) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
      if (out.includes('\n')) done();
    });
  });
  await Promise.race([ready, ended]);
  await pause(pick(Array.from({ length: 60 }, (_, index) => index * 7)));
  child.kill('SIGKILL');
  expect(await ended, out).toBeNull();
  // The last line may be cut off: whoever was to read it was not told.
  return out.split('\n').slice(1, -1);
}

test.each(['write', 'sweep', 'consolidate', 'import'])(
  'a process that dies in the middle of a %s leaves parts that agree',
  async (kind) => {
    const folder = mkdtempSync(join(tmpdir(), 'memory-crash-'));
    try {
      for (let kill = 0; kill < KILLS; kill += 1) {
        const told = await workAndKill(folder, kind);
        const memory = openMemory({ folder });
        expect(await memory.check()).toEqual([]);
        expect((await memory.system.records(told)).map(({ id }) => id)).toEqual(told);
        const entries = new Set((await memory.outbox.pending(1_000_000)).map(({ entry }) => entry.id));
        for (const record of await memory.system.records(told)) expect(entries.has(record.auditEntry)).toBe(true);
        await memory.close();
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
  KILLS * 60_000,
);
