import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Entry, Json, Recorded } from '@warrant/core';
import { type OpenedSqlite, type OpenSqliteOptions, openSqlite } from '@warrant/core/sqlite';
import { onTestFinished } from 'vitest';
import type { JournalOptions, ProvenJournal } from '../src/journal.ts';
import { createSqliteJournal } from '../src/sqlite/index.ts';

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'journal-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function openJournal(
  path: string,
  options: JournalOptions = {},
  sqlite: OpenSqliteOptions = {},
): { readonly journal: ProvenJournal; readonly file: OpenedSqlite } {
  const file = openSqlite(path, sqlite);
  onTestFinished(() => file.close());
  return { journal: createSqliteJournal(file, options), file };
}

export function freshJournal(options: JournalOptions = {}): ProvenJournal {
  return openJournal(join(temporaryFolder(), 'workspace.db'), options).journal;
}

export function entry(id: string, data: Json = null, more: Partial<Entry> = {}): Entry {
  return { id, type: 'thing.noted', data, schemaVersion: 1, ...more };
}

export async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

export async function dataOf(entries: AsyncIterable<Recorded>): Promise<Json[]> {
  return (await collect(entries)).map((one) => one.data);
}
