import type { JsonObject } from '@warrant/core';
import { WarrantError } from '@warrant/core';

/** What is wrong with a chart. `path` is a JSON Pointer into the IR; readers add line and column. */
export type ChartFault = {
  readonly code: string;
  readonly path: string;
  readonly message: string;
  readonly line?: number;
  readonly column?: number;
};

/** All faults of a chart in one error. */
export function chartInvalid(faults: readonly ChartFault[]): WarrantError<'CHART_INVALID'> {
  const lines = faults.map(
    (fault) =>
      `${fault.line === undefined ? fault.path || '/' : `${fault.line}:${fault.column ?? 1}`}: ${fault.message}`,
  );
  return new WarrantError('CHART_INVALID', lines.join('\n'), {
    data: { faults: faults as unknown as readonly JsonObject[] },
  });
}
