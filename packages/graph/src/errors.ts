import { type JsonObject, WarrantError } from '@warrant/core';

/** Codes that this package throws; what a change may be refused for are reasons, not errors. */
export type GraphErrorCode =
  | 'GRAPH_CLOSED'
  | 'GRAPH_INVALID'
  | 'GRAPH_LIMIT'
  | 'GRAPH_ID_REUSED'
  | 'GRAPH_FILE_CORRUPT'
  | 'GRAPH_DOCUMENT_INVALID'
  | 'GRAPH_SEED_UNKNOWN'
  | 'GRAPH_IMPORT_REFUSED';

/** An error of this package; none of them goes away by trying again. */
export function graphError(
  code: GraphErrorCode,
  message: string,
  data: JsonObject = {},
  cause?: unknown,
): WarrantError<GraphErrorCode> {
  return new WarrantError(code, message, cause === undefined ? { data } : { data, cause });
}
