import type { ReplayedCall, ReplayReport } from './report.ts';

/** A call that two policies judge differently. */
export type ChangedCall = { readonly before: ReplayedCall; readonly after: ReplayedCall };

/** The calls whose verdict differs between two reports of the same transcripts. */
export function compareReports(before: ReplayReport, after: ReplayReport): readonly ChangedCall[] {
  return before.calls.flatMap((call, index) => {
    const other = after.calls[index] as ReplayedCall;
    return call.verdict === other.verdict ? [] : [{ before: call, after: other }];
  });
}
