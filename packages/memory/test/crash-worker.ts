// Works on a memory until it is killed. Prints `ready`, then a line for each thing that it was told is stored.
import { setImmediate } from 'node:timers/promises';
import { isoTime, systemClock } from '@warrant/core';
import { openMemory } from '../src/sqlite/open-memory.ts';
import { importItems } from '../src/transfer/import-items.ts';

type Work = (memory: ReturnType<typeof openMemory>, round: number) => Promise<readonly string[]>;

const WORKS: { readonly [kind: string]: Work } = {
  write: async (memory, round) => {
    const written = await memory.agent('a').writeMany([
      { key: `memory/working/k${round % 7}`, value: `round ${round} of the crane`, session: `s${round % 3}` },
      { key: `memory/working/n${process.pid}-${round}`, value: round, entities: ['Orders'], session: `s${round % 3}` },
    ]);
    return written.flatMap((one) => (one.type === 'stored' ? [one.record.id] : []));
  },
  sweep: async (memory, round) => {
    const expiresAt = isoTime({ now: () => systemClock.now() + 1 });
    const writes = Array.from({ length: 40 }, (_, index) => ({
      key: `memory/working/e${process.pid}-${round}-${index}`,
      value: `soon gone ${index}`,
      session: 's',
      expiresAt,
    }));
    await memory.agent('a').writeMany(writes);
    await memory.human('h').sweep();
    return [];
  },
  consolidate: async (memory, round) => {
    const writes = Array.from({ length: 12 }, (_, index) => ({
      key: `memory/working/c${process.pid}-${round}-${index}`,
      value: `fact ${index} about subject ${index % 3}`,
      subject: `subject-${round}-${index % 3}`,
    }));
    await memory.agent('a').writeMany(writes);
    await memory.agent('a').consolidate({ sinceHours: 0 });
    await memory.human('h').forget(`subject-${round}-1`);
    return [];
  },
  import: async (memory, round) => {
    const items = Array.from({ length: 700 }, (_, index) => ({
      name: `${round}/${index}`,
      value: `imported ${index}`,
      source: 'test',
    }));
    await importItems(memory.provider(`p${process.pid}`), items, { provider: `p${process.pid}` });
    return [];
  },
};

const [folder = '', kind = ''] = process.argv.slice(2);
const memory = openMemory({ folder });
const work = WORKS[kind];
if (work === undefined) throw new Error(`no such work: ${kind}`);
process.stdout.write('ready\n');
for (let round = 0; ; round += 1) {
  for (const id of await work(memory, round)) process.stdout.write(`${id}\n`);
  await setImmediate();
}
