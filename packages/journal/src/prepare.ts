import { canonicalJson, clipText, type Entry, isWellFormed, nearest } from '@warrant/core';
import { fault } from './errors.ts';
import { headOf, type Prepared } from './row.ts';

/** Longest id, type, stream name, subject and the like, in UTF-8 bytes: an index of PostgreSQL holds no more. */
const MAX_NAME_BYTES = 1024;
/** @internal default of `maxEntryBytes` */
export const DEFAULT_MAX_ENTRY_BYTES = 1024 * 1024;

/**
 * Checks what the caller gave and brings it to canonical form.
 * @throws JOURNAL_INVALID_ENTRY, JOURNAL_ENTRY_TOO_LARGE, and the codes of `canonicalJson`.
 */
export function prepareEntries(entries: readonly Entry[], maxEntryBytes: number): readonly Prepared[] {
  if (!Array.isArray(entries) || entries.length === 0)
    throw fault('JOURNAL_INVALID_ENTRY', 'a batch needs at least one entry');
  return entries.map((entry) => prepareEntry(entry, maxEntryBytes));
}

function prepareEntry(entry: Entry, maxEntryBytes: number): Prepared {
  if (typeof entry !== 'object' || entry === null) throw fault('JOURNAL_INVALID_ENTRY', 'an entry is an object');
  checkName('id', entry.id, entry.id);
  checkName('type', entry.type, entry.id);
  checkOptional('causationId', entry.causationId, entry.id);
  checkOptional('correlationId', entry.correlationId, entry.id);
  checkOptional('agentId', entry.agentId, entry.id);
  checkOptional('subject', entry.subject, entry.id);
  if (!Number.isSafeInteger(entry.schemaVersion) || entry.schemaVersion < 1) {
    throw fault('JOURNAL_INVALID_ENTRY', `entry ${entry.id}: schemaVersion must be an integer from 1 on`, {
      id: entry.id,
      field: 'schemaVersion',
    });
  }
  for (const member in entry) if (!MEMBERS.has(member)) throw unknownMember(entry.id, member);
  const data = canonicalJson(entry.data);
  // Counted for short text too: that brings a text made piece by piece into one, which takes a quarter of the time later.
  const bytes = Buffer.byteLength(data);
  if (bytes > maxEntryBytes) {
    throw fault('JOURNAL_ENTRY_TOO_LARGE', `entry ${entry.id} is larger than ${maxEntryBytes} bytes`, {
      id: entry.id,
      bytes,
      limit: maxEntryBytes,
    });
  }
  const prepared: { -readonly [Key in keyof Prepared]?: Prepared[Key] } = headOf(entry);
  prepared.data = data;
  return prepared as Prepared;
}

const MEMBERS: ReadonlySet<string> = new Set<keyof Entry>([
  'id',
  'type',
  'data',
  'schemaVersion',
  'causationId',
  'correlationId',
  'agentId',
  'subject',
]);

/** What is not stored must not seem to be. */
function unknownMember(id: string, member: string): Error {
  const near = nearest(member, MEMBERS);
  const field = isWellFormed(member) ? clipText(member, 100) : '(unusable name)';
  const hint = near === undefined ? '' : `; did you mean '${near}'?`;
  return fault('JOURNAL_INVALID_ENTRY', `entry ${id}: an entry has no member '${field}'${hint}`, { id, field });
}

function checkOptional(field: string, value: unknown, id: string): void {
  if (value !== undefined) checkName(field, value, id);
}

function checkName(field: string, value: unknown, id: unknown): void {
  const problem = nameProblem(value);
  if (problem === undefined) return;
  const named = typeof id === 'string' && isWellFormed(id) && id.length <= MAX_NAME_BYTES ? id : '(unusable id)';
  throw fault('JOURNAL_INVALID_ENTRY', `entry ${named}: ${field} ${problem}`, { id: named, field });
}

/** @throws JOURNAL_INVALID_STREAM for an empty name, a lone surrogate or more than {@link MAX_NAME_BYTES} bytes. */
export function checkStream(stream: unknown): void {
  const problem = nameProblem(stream);
  if (problem !== undefined) throw fault('JOURNAL_INVALID_STREAM', `the name of a stream ${problem}`);
}

/** What keeps a value from being a name. @internal */
export function nameProblem(value: unknown): string | undefined {
  if (typeof value !== 'string') return 'must be text';
  if (value === '') return 'must not be empty';
  if (value.length > MAX_NAME_BYTES / 3 && Buffer.byteLength(value) > MAX_NAME_BYTES) {
    return `must not be longer than ${MAX_NAME_BYTES} bytes`;
  }
  return isWellFormed(value) ? undefined : 'must be well-formed Unicode';
}
