import { type JsonObject, WarrantError } from '@warrant/core';

/** Every code that this layer throws, with whether the same call may succeed later. */
export const MEMORY_ERRORS = {
  MEMORY_BUSY: true,
  MEMORY_CLOSED: false,
  MEMORY_DAMAGED: false,
  MEMORY_ID_REUSED: false,
  MEMORY_INFER_MISSING: false,
  MEMORY_INVALID_ARGUMENT: false,
  MEMORY_INVALID_CONFIG: false,
  MEMORY_INVALID_PERMISSIONS: false,
  MEMORY_ORIGIN_CLAIMED: false,
  MEMORY_OUTCOME_UNKNOWN: true,
  MEMORY_SCHEMA_NEWER: false,
  MEMORY_SUBJECT_EMPTY: false,
  MEMORY_UNAVAILABLE: true,
} as const;

export type MemoryErrorCode = keyof typeof MEMORY_ERRORS;

/** @internal */
export function fault(
  code: MemoryErrorCode,
  message: string,
  data: JsonObject = {},
  cause?: unknown,
): WarrantError<MemoryErrorCode> {
  const retryable = MEMORY_ERRORS[code];
  return new WarrantError(code, message, cause === undefined ? { data, retryable } : { data, retryable, cause });
}
