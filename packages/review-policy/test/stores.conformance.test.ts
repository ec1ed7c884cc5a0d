import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeReviewStoreConformance, type ReviewStoreHarness } from '@warrant/conformance';
import { openSqlite } from '@warrant/core/sqlite';
import { createFolderReviewStore } from '../src/files/index.ts';
import { createMemoryReviewStore } from '../src/memory-store.ts';
import { createSqliteReviewStore } from '../src/sqlite/index.ts';
import { emptyBase } from './folders.ts';

describeReviewStoreConformance({
  name: 'memory',
  createStore: async () => ({ store: createMemoryReviewStore(), dispose: async () => undefined }),
});

describeReviewStoreConformance({
  name: 'a vouch folder',
  createStore: async () => {
    const base = emptyBase();
    const open = async () => createFolderReviewStore({ root: base.root, durable: false });
    return { store: await open(), another: open, reopen: open, dispose: async () => base.remove() };
  },
});

describeReviewStoreConformance({
  name: 'SQLite',
  createStore: async (): Promise<ReviewStoreHarness> => {
    const folder = mkdtempSync(join(tmpdir(), 'warrant-review-sqlite-'));
    const files: ReturnType<typeof openSqlite>[] = [];
    const open = async () => {
      const file = openSqlite(join(folder, 'review.db'), { synchronous: 'normal' });
      files.push(file);
      return createSqliteReviewStore(file);
    };
    return {
      store: await open(),
      another: open,
      reopen: open,
      dispose: async () => {
        for (const file of files) file.close();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  },
});
