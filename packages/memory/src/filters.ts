import type { ActorKey, MemoryRecord } from '@warrant/core';
import { sessionPrefix } from './turn/session-key.ts';

/** What of the readable a recall is to leave out. */
export type RecallFilters = {
  /** Own records only. @default false, or as the profile says */
  readonly isolate?: boolean;
  /** Whether records that took the place of others are given. @default true */
  readonly consolidated?: boolean;
  /** Leaves out what lies under `memory/episodic/` for other sessions. Needs `session`. @default false */
  readonly ownSession?: boolean;
  /** Leaves out records of other working folders, by full path; those that name none stay. Needs `directories`. @default false */
  readonly ownDirectories?: boolean;
};
type Asked = RecallFilters & { readonly session?: string; readonly directories?: readonly string[] };

/** Whether a record passes the filters that were asked for. Pure. */
export function isWanted(record: MemoryRecord, agent: ActorKey, asked: Asked): boolean {
  const { session, directories = [] } = asked;
  if (asked.isolate === true && record.agent !== agent) return false;
  if (asked.consolidated === false && record.consolidated) return false;
  if (asked.ownSession === true && session !== undefined && !isOfSession(record, session)) return false;
  if (asked.ownDirectories !== true || directories.length === 0 || record.directories.length === 0) return true;
  return record.directories.some((directory) => directories.includes(directory));
}

function isOfSession(record: MemoryRecord, session: string): boolean {
  return (
    !record.key.startsWith('memory/episodic/') ||
    record.key.startsWith(sessionPrefix(session)) ||
    record.session === session
  );
}
