import { isWarrantError, WarrantError } from '../error.ts';

const CONSTRAINT = /^(?:\w+) constraint failed: (.+)$/;

type Mapping = { readonly code: string; readonly message: string; readonly retryable?: boolean };

/** By the primary result code that SQLite's extended codes start with. */
const MAPPINGS: readonly (readonly [prefix: string, Mapping])[] = [
  ['SQLITE_BUSY', { code: 'SQLITE_BUSY', message: 'the file is locked by another connection', retryable: true }],
  ['SQLITE_LOCKED', { code: 'SQLITE_BUSY', message: 'the table is locked', retryable: true }],
  ['SQLITE_READONLY_DBMOVED', { code: 'SQLITE_FILE_GONE', message: 'the file was moved or deleted' }],
  ['SQLITE_READONLY', { code: 'SQLITE_READ_ONLY', message: 'the file cannot be written' }],
  ['SQLITE_CORRUPT', { code: 'SQLITE_CORRUPT', message: 'the file is damaged' }],
  ['SQLITE_NOTADB', { code: 'SQLITE_CORRUPT', message: 'the file is not a SQLite database' }],
  ['SQLITE_FULL', { code: 'SQLITE_FULL', message: 'the disk is full', retryable: true }],
  ['SQLITE_IOERR', { code: 'SQLITE_IO', message: 'reading or writing the file failed' }],
  ['SQLITE_CANTOPEN', { code: 'SQLITE_CANNOT_OPEN', message: 'the file cannot be opened' }],
  ['SQLITE_PERM', { code: 'SQLITE_CANNOT_OPEN', message: 'access to the file was refused' }],
  ['SQLITE_CONSTRAINT', { code: 'SQLITE_CONSTRAINT', message: 'a constraint was violated' }],
];

/** The driver's error as a typed one, its cause kept. What is not the driver's comes back as it was. */
export function mapSqliteError(error: unknown, path: string): unknown {
  if (isWarrantError(error) || !(error instanceof Error)) return error;
  const sqlite = (error as { code?: unknown }).code;
  if (typeof sqlite !== 'string' || !sqlite.startsWith('SQLITE_')) return closedOr(error, path);
  const mapping = MAPPINGS.find(([prefix]) => sqlite.startsWith(prefix))?.[1] ?? unmapped(error);
  // Constraint messages name tables and columns, never values.
  const constraint = CONSTRAINT.exec(error.message)?.[1];
  return new WarrantError(mapping.code, `${mapping.message} (${sqlite}): ${path}`, {
    data: { path, sqlite, ...(constraint === undefined ? {} : { constraint }) },
    cause: error,
    retryable: mapping.retryable ?? false,
  });
}

/** Names in these messages are those of tables and columns. */
const SCHEMA =
  /^(?:no such (?:table|column): [\w.]+|table \w+ has no column named \w+|(?:table|index) \w+ already exists)$/;

function unmapped(error: Error): Mapping {
  if (!SCHEMA.test(error.message)) return { code: 'SQLITE_FAILED', message: 'SQLite refused the statement' };
  return {
    code: 'SQLITE_SCHEMA_WRONG',
    message: `the tables are not those of the version that the file names: ${error.message}`,
  };
}

function closedOr(error: Error, path: string): unknown {
  if (error.message === 'The database connection is not open') return closedError(path, error);
  return error;
}

export function closedError(path: string, cause?: unknown): WarrantError<'SQLITE_CLOSED'> {
  return new WarrantError('SQLITE_CLOSED', `used after close: ${path}`, { data: { path }, cause });
}
