import type { Analysis, ShellClass, UnknownCode } from './types.ts';

/** What many lines are, taken together. */
export type AnalysisCounts = {
  readonly lines: number;
  readonly classes: Readonly<Record<ShellClass, number>>;
  readonly syntaxErrors: number;
  readonly commands: number;
  readonly unknownCommands: number;
  /** Lines by the codes of their reasons, most frequent first; a line counts once a code. */
  readonly reasons: readonly { readonly code: UnknownCode; readonly lines: number }[];
};

/** Counts the classes of many lines and the reasons for what is unknown. */
export function countAnalyses(analyses: Iterable<Analysis>): AnalysisCounts {
  const classes = { read: 0, write: 0, unknown: 0 };
  const reasons = new Map<UnknownCode, number>();
  const sums = { lines: 0, syntaxErrors: 0, commands: 0, unknownCommands: 0 };
  for (const analysis of analyses) {
    sums.lines += 1;
    classes[analysis.class] += 1;
    if (analysis.parse === 'error') sums.syntaxErrors += 1;
    sums.commands += analysis.commands.length;
    sums.unknownCommands += analysis.commands.filter((command) => command.class === 'unknown').length;
    for (const code of new Set(analysis.unknowns.map((one) => one.code))) {
      reasons.set(code, (reasons.get(code) ?? 0) + 1);
    }
  }
  const sorted = [...reasons].map(([code, lines]) => ({ code, lines }));
  sorted.sort((a, b) => b.lines - a.lines || (a.code < b.code ? -1 : 1));
  return { ...sums, classes, reasons: sorted };
}
