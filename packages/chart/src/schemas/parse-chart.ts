import { canonicalJson, isWarrantError, type Json } from '@warrant/core';
import { jsonPointer } from '@warrant/core/documents';
import { type ChartFault, chartInvalid } from '../fault.ts';
import type { ChartIr } from '../ir.ts';
import { chartIrSchema } from './chart-ir.ts';

/** Deepest nesting of states, blocks and values together. */
const MAX_DEPTH = 400;

/** Holds a value to the JSON form of a chart. @throws CHART_INVALID with the path of every fault */
export function parseChart(value: unknown): ChartIr {
  if (isTooDeep(value)) throw invalid('too-deep', `nested deeper than ${MAX_DEPTH} levels`);
  try {
    canonicalJson(value as Json);
  } catch (error) {
    if (!isWarrantError(error)) throw error;
    const { path } = error.data;
    throw invalid('not-json', error.message, typeof path === 'string' ? path : '');
  }
  const parsed = chartIrSchema.safeParse(value);
  if (parsed.success) return parsed.data as ChartIr;
  const faults = parsed.error.issues.map(
    (issue): ChartFault => ({
      code: issue.code.replaceAll('_', '-'),
      path: jsonPointer(issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step))),
      message: issue.message,
    }),
  );
  throw chartInvalid(faults);
}

function invalid(code: string, message: string, path = ''): Error {
  return chartInvalid([{ code, path, message }]);
}

/** Level by level, so that depth costs no stack. */
function isTooDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) return true;
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
  }
  return false;
}
