export type { NoPromise, SqliteFile } from './file.ts';
