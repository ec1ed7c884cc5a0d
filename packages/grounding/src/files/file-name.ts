/** A day in UTC and, after its first file, the number of the file: years beyond 9999 and before 0 have a sign. */
export const TRACE_FILE = /^(\d{4}-\d{2}-\d{2}|[+-]\d{6}-\d{2}-\d{2})(?:\.(\d+))?\.jsonl$/;
