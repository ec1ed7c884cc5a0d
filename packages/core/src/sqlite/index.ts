export type { SqliteChange, SqliteDb, SqliteStatement } from './database.ts';
export type { DriverDatabase, DriverStatement, SqliteDriver, SqliteValue } from './driver.ts';
export type { NoPromise, SqliteFile } from './file.ts';
export type { SqliteInboxOptions } from './inbox.ts';
export { createSqliteInbox } from './inbox.ts';
export type { OpenedSqlite, OpenSqliteOptions } from './open.ts';
export { openSqlite } from './open.ts';
export type { Compilable, ParameterOf, Query } from './query.ts';
export { compileQuery } from './query.ts';
