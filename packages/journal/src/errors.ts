import { type JsonObject, WarrantError } from '@warrant/core';

/** Every code that the journal throws, with whether the same call may succeed later. */
export const JOURNAL_ERRORS = {
  JOURNAL_ARCHIVED: false,
  JOURNAL_CLOSED: false,
  JOURNAL_DAMAGED: false,
  JOURNAL_ENTRY_TOO_LARGE: false,
  JOURNAL_ID_REUSED: false,
  JOURNAL_INVALID_CHECKPOINT: false,
  JOURNAL_INVALID_CURSOR: false,
  JOURNAL_INVALID_ENTRY: false,
  JOURNAL_INVALID_KEY: false,
  JOURNAL_INVALID_RANGE: false,
  JOURNAL_INVALID_STREAM: false,
  JOURNAL_NOT_SEALED: false,
  JOURNAL_OUTCOME_UNKNOWN: true,
  JOURNAL_SCHEMA_NEWER: false,
  JOURNAL_SCHEMA_VERSION_UNKNOWN: false,
  JOURNAL_SCHEMA_WRONG: false,
  JOURNAL_SUBJECT_ERASED: false,
  JOURNAL_UNAVAILABLE: true,
  JOURNAL_UPCASTER_GAP: false,
} as const;

export type JournalErrorCode = keyof typeof JOURNAL_ERRORS;

/** @internal */
export function fault(
  code: JournalErrorCode,
  message: string,
  data: JsonObject = {},
  cause?: unknown,
): WarrantError<JournalErrorCode> {
  const retryable = JOURNAL_ERRORS[code];
  return new WarrantError(code, message, cause === undefined ? { data, retryable } : { data, retryable, cause });
}
