import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Journal, Outbox } from '@warrant/core';
import { type OpenSqliteOptions, openSqlite } from '@warrant/core/sqlite';
import { createMemory, type Memory } from '../memory.ts';
import type { MemoryOptions } from '../setup.ts';
import { createSqliteMemoryStore } from './store.ts';

export type OpenMemoryOptions = Omit<MemoryOptions, 'store' | 'audit'> & {
  /** Where the file lies; made when it is not there. @default the environment's `WARRANT_MEMORY`, else `.warrant/memory` */
  readonly folder?: string;
  readonly sqlite?: OpenSqliteOptions;
  /** Takes the audit entries over when the memory settles or closes. @default none: they wait in the file's outbox */
  readonly journal?: Pick<Journal, 'append'>;
};
export type OpenedMemory = Memory & {
  /** Of the database file. */
  readonly path: string;
  /** Audit entries that no journal has taken yet. */
  readonly outbox: Outbox;
};

/** Opens or creates a memory in a folder; works without arguments. @throws SQLITE_CANNOT_OPEN, SQLITE_CORRUPT, SQLITE_SCHEMA_NEWER */
export function openMemory(options: OpenMemoryOptions = {}): OpenedMemory {
  const { folder, sqlite, journal, ...rest } = options;
  const place = resolve(folder ?? process.env['WARRANT_MEMORY'] ?? join('.warrant', 'memory'));
  if (sqlite?.readOnly !== true) mkdirSync(place, { recursive: true });
  const file = openSqlite(join(place, 'memory.db'), sqlite);
  try {
    const memory = createMemory({
      ...rest,
      store: createSqliteMemoryStore(file),
      ...(journal === undefined ? {} : { audit: { outbox: file.outbox, journal } }),
    });
    return {
      ...memory,
      path: file.path,
      outbox: file.outbox,
      close: async () => {
        await memory.close();
        file.close();
      },
    };
  } catch (error) {
    file.close();
    throw error;
  }
}
