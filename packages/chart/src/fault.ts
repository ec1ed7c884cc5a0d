import type { JsonObject } from '@warrant/core';
import { WarrantError } from '@warrant/core';

/** What is wrong with a chart. `path` is a JSON Pointer into the IR, or into the YAML document that was read; of an SCXML document it is an XPath by local names. Readers add line and column. */
export type ChartFault = {
  readonly code: string;
  readonly path: string;
  readonly message: string;
  readonly line?: number;
  readonly column?: number;
};

/** More than a person reads; a hostile document could have millions. */
export const MAX_FAULTS = 100;

/** All faults of a chart in one error: `data.faults` holds the first hundred, {@link ChartFault} each. */
export function chartInvalid(all: readonly ChartFault[]): WarrantError<'CHART_INVALID'> {
  const faults = all.slice(0, MAX_FAULTS);
  const lines = faults.map(
    (fault) =>
      `${fault.line === undefined ? fault.path || '/' : `${fault.line}:${fault.column ?? 1}`}: ${fault.message}`,
  );
  if (all.length > MAX_FAULTS) lines.push(`and at least ${all.length - MAX_FAULTS} more`);
  return new WarrantError('CHART_INVALID', lines.join('\n'), {
    data: { faults: faults as unknown as readonly JsonObject[] },
  });
}

/** The faults that a CHART_INVALID carries. */
export function faultsOf(error: WarrantError<'CHART_INVALID'>): readonly ChartFault[] {
  return error.data['faults'] as unknown as readonly ChartFault[];
}
