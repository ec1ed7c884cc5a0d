import { isWarrantError, WarrantError } from '../error.ts';
import type { CelLimits } from './limits.ts';

export type CelErrorCode = 'CEL_PARSE' | 'CEL_TYPE' | 'CEL_EVALUATION' | 'CEL_LIMIT' | 'CEL_DATA' | 'CEL_RESULT';
/** Where in the source, in UTF-16 units, the end excluded. */
export type CelRange = { readonly start: number; readonly end: number };

const STACK = /call stack|string length|array length/i;

/** Built from a code and a place alone: an expression's data must not leak through its errors. */
export function celError(code: CelErrorCode, reason: string, range?: CelRange): WarrantError<CelErrorCode> {
  const place = range === undefined ? '' : ` at offset ${range.start}`;
  return new WarrantError(code, `${TEXTS[code]}: ${reason}${place}`, {
    data: { reason, ...(range === undefined ? {} : { start: range.start, end: range.end }) },
  });
}

const TEXTS: { readonly [Code in CelErrorCode]: string } = {
  CEL_PARSE: 'the expression cannot be parsed',
  CEL_TYPE: 'the expression does not fit the types of its variables',
  CEL_EVALUATION: 'the expression could not be evaluated',
  CEL_LIMIT: 'the expression or its data go beyond a limit',
  CEL_DATA: 'the data of the expression is not JSON',
  CEL_RESULT: 'the result of the expression is not JSON',
};

/** `cost` is the word by which a host tells an expression that ran too long from one that is wrong. */
export function limitError(limit: keyof CelLimits, max: number): WarrantError<CelErrorCode> {
  const reason = limit === 'iterations' || limit === 'built' ? 'cel.cost' : 'cel.size';
  return new WarrantError('CEL_LIMIT', `${TEXTS.CEL_LIMIT}: ${limit} (at most ${max})`, {
    data: { reason, limit, max },
  });
}

const LIBRARY_LIMITS: readonly (readonly [string, keyof CelLimits])[] = [
  ['maxAstNodes', 'nodes'],
  ['maxListElements', 'elements'],
  ['maxMapEntries', 'elements'],
];

type LibraryError = {
  readonly name: string;
  readonly code?: unknown;
  readonly summary?: unknown;
  readonly range?: CelRange;
};

/** What parsing or checking threw. Its words speak of the source alone, so they may be kept. */
export function compileError(error: unknown, limits: CelLimits): WarrantError<CelErrorCode> {
  if (isWarrantError(error)) return error as WarrantError<CelErrorCode>;
  if (error instanceof RangeError) return limitError('depth', limits.depth);
  const { name, code, summary, range } = error as LibraryError;
  if (code === 'limit_exceeded') {
    const limit = LIBRARY_LIMITS.find(([word]) => String(summary).includes(word))?.[1] ?? 'depth';
    return limitError(limit, limits[limit]);
  }
  return celError(
    name === 'ParseError' ? 'CEL_PARSE' : 'CEL_TYPE',
    typeof summary === 'string' ? summary : name,
    range,
  );
}

/** What evaluating threw: its words may quote the data, so only its code and place are kept. */
export function evaluationError(error: unknown, limits: CelLimits): WarrantError<CelErrorCode> {
  if (isWarrantError(error)) {
    return error.code.startsWith('CEL_')
      ? (error as WarrantError<CelErrorCode>)
      : celError('CEL_EVALUATION', error.code);
  }
  if (error instanceof RangeError && STACK.test(error.message)) return limitError('depth', limits.depth);
  const { code, range } = (error ?? {}) as LibraryError;
  return celError('CEL_EVALUATION', typeof code === 'string' ? code : 'function_failed', range);
}
