import { randomInt } from 'node:crypto';
import { statSync, writeSync } from 'node:fs';
import { openSqlite } from '@warrant/core/sqlite';
import { exportFile } from '../src/files/index.ts';
import type { ProvenJournal } from '../src/journal.ts';
import { createPostgresJournal } from '../src/postgres/index.ts';
import { createSqliteJournal } from '../src/sqlite/index.ts';

// A process of its own that appends, for tests that kill, race or starve it: node writer.ts MODE TARGET NAME

const [mode, target, name] = process.argv.slice(2) as [string, string, string];
const entry = (id: string, data: string | number = 0) => ({ id, type: 't', data, schemaVersion: 1 });
/** Synchronous, so that nothing is said that was not done. */
const say = (value: unknown): void => void writeSync(1, `${JSON.stringify(value)}\n`);

async function open(): Promise<ProvenJournal> {
  if (target.startsWith('postgres:')) {
    const url = new URL(target);
    const schema = url.searchParams.get('schema') ?? '';
    url.search = '';
    return createPostgresJournal({ url: url.href, schema, maxConnections: 3 });
  }
  return createSqliteJournal(openSqlite(target, name === 'normal' ? { synchronous: 'normal' } : {}));
}

/** Batches of several sizes until somebody ends the process. Each is said before and after. */
async function untilKilled(journal: ProvenJournal): Promise<void> {
  for (let batch = 0; ; batch += 1) {
    const ids = Array.from({ length: randomInt(1, 30) }, (_, index) => `${name}-${batch}-${index}`);
    say({ sent: ids });
    await journal.append(
      `s${batch % 3}`,
      ids.map((id) => entry(id, 'x'.repeat(randomInt(0, 3000)))),
      { expected: 'any' },
    );
    say({ acked: ids });
  }
}

const COUNT = process.env['WARRANT_SOAK'] === undefined ? 10 : 50;

/** Counts up by expected positions, telling how often somebody else was first. */
async function countUp(journal: ProvenJournal): Promise<void> {
  let conflicts = 0;
  for (let done = 0; done < COUNT; ) {
    const head = (await journal.head('s'))?.position ?? 0;
    const result = await journal.append('s', [entry(`${name}-${done}-${conflicts}`, head + 1)], { expected: head });
    if (result.type === 'appended') done += 1;
    else conflicts += 1;
  }
  say({ attempts: COUNT + conflicts, conflicts });
}

async function race(journal: ProvenJournal, stream: string, expected: 'any' | number): Promise<void> {
  const results = await Promise.all(
    Array.from({ length: 10 }, (_, index) => journal.append(stream, [entry(`${name}-${index}`)], { expected })),
  );
  say(results.map((result) => (result.type === 'conflict' ? `conflict ${result.actual}` : result.type)));
}

/** Until an append fails, which then is said with its code. */
async function untilRefused(journal: ProvenJournal): Promise<void> {
  // The signal of a file limit would end the process; handled, the write fails as on a full disk.
  process.on('SIGXFSZ', () => undefined);
  for (let n = 0; n < 10_000; n += 1) {
    try {
      await journal.append('s', [entry(`e${n}`, 'x'.repeat(1000))], { expected: n });
    } catch (error) {
      say({ acked: n, code: (error as { code?: unknown }).code });
      return;
    }
  }
}

/** Writes an export beside the file, and says how that went. */
async function exportAll(journal: ProvenJournal): Promise<void> {
  process.on('SIGXFSZ', () => undefined);
  try {
    say({ bytes: await exportFile(journal, `${target}.jsonl`) });
  } catch (error) {
    say({ code: (error as { code?: unknown }).code });
  }
}

/** Says after each acknowledgement how often the disk was told to flush, as counted by a library under this process. */
async function flushes(journal: ProvenJournal): Promise<void> {
  const counts: number[] = [];
  for (let n = 0; n < 20; n += 1) {
    await journal.append('s', [entry(`e${n}`)], { expected: n });
    counts.push(statSync(process.env['FLUSH_LOG'] as string, { throwIfNoEntry: false })?.size ?? 0);
  }
  say(counts);
}

const journal = await open();
const modes: { readonly [mode: string]: () => Promise<void> } = {
  crash: () => untilKilled(journal),
  count: () => countUp(journal),
  'race-any': () => race(journal, 's', 'any'),
  'race-five': () => race(journal, 's', 5),
  refused: () => untilRefused(journal),
  flushes: () => flushes(journal),
  export: () => exportAll(journal),
};
await modes[mode]?.();
await journal.close();
