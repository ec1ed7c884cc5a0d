import type { OpenedSqlite } from '@warrant/core/sqlite';

/** What SQLite itself finds broken in a whole file; undefined where it is sound. */
export function damageOf(file: OpenedSqlite): string | undefined {
  const answer = file.read((db) => db.get<{ readonly integrity_check: string }>('PRAGMA integrity_check'));
  const told = answer?.integrity_check ?? 'no answer';
  return told === 'ok' ? undefined : told;
}
