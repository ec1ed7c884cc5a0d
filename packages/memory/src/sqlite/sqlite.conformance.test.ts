import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeMemoryStoreConformance } from '@warrant/conformance';
import type { MemoryStore } from '@warrant/core';
import { openSqlite } from '@warrant/core/sqlite';
import { createSqliteMemoryStore } from './store.ts';

describeMemoryStoreConformance({
  name: 'the SQLite store',
  modelRuns: 15,
  open: async () => {
    const folder = mkdtempSync(join(tmpdir(), 'memory-'));
    const open = () => {
      const file = openSqlite(join(folder, 'memory.db'), { synchronous: 'normal' });
      return { file, store: createSqliteMemoryStore(file) };
    };
    const opened = [open()];
    const next = async (): Promise<MemoryStore> => {
      const one = open();
      opened.push(one);
      return one.store;
    };
    return {
      store: (opened[0] as ReturnType<typeof open>).store,
      outbox: (opened[0] as ReturnType<typeof open>).file.outbox,
      another: next,
      reopen: async () => {
        for (const one of opened.splice(0)) one.file.close();
        return next();
      },
      dispose: async () => {
        for (const one of opened) one.file.close();
        rmSync(folder, { recursive: true });
      },
    };
  },
});
