import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GraphStoreHarness } from '@warrant/conformance';
import { type OpenedSqlite, openSqlite } from '@warrant/core/sqlite';
import { createSqliteGraphStore } from '../src/sqlite/index.ts';

/** A folder that goes away with `dispose`. */
export function scratch(): { readonly path: (name: string) => string; readonly dispose: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'warrant-graph-'));
  return { path: (name) => join(folder, name), dispose: () => rmSync(folder, { recursive: true, force: true }) };
}

/** A store on a new file; every handle has its own connection. */
export async function sqliteHarness(): Promise<GraphStoreHarness> {
  const { path, dispose } = scratch();
  const files: OpenedSqlite[] = [];
  const open = () => {
    const file = openSqlite(path('graph.db'), { synchronous: 'normal' });
    files.push(file);
    return createSqliteGraphStore({ file });
  };
  const store = open();
  return {
    store,
    another: async () => open(),
    reopen: async () => {
      for (const file of files.splice(0)) file.close();
      return open();
    },
    dispose: async () => {
      for (const file of files) file.close();
      dispose();
    },
  };
}
