import { faultsOf, type LintFinding, lintChart } from '@warrant/chart';
import { isWarrantError } from '@warrant/core';
import { loadChart } from '../chart/load-chart.ts';
import { type CommandModule, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';

type Found = Omit<LintFinding, 'code'> & { readonly code: string; readonly file: string };

export const command: CommandModule = {
  configure: (command) => void command.argument('<file...>', 'charts as .scxml, .yaml or .json'),
  run: (call) => {
    const found = call.words.flatMap((file) => findingsIn(call.terminal.directory, file));
    const lines = found.map(
      ({ file, line, column, path, code, message }) =>
        `${file}${line === undefined ? ` ${path}` : `:${line}:${column ?? 1}`}: ${code}: ${message}`,
    );
    print(call, found, lines.length === 0 ? 'Nothing to remark.' : lines.join('\n'));
    return found.length === 0 ? exitCodes.ok : exitCodes.no;
  },
};

function findingsIn(directory: string, file: string): readonly Found[] {
  try {
    const { chart, placeOf } = loadChart(directory, file);
    return lintChart(chart, { placeOf }).map((finding) => ({ ...finding, file }));
  } catch (error) {
    if (!isWarrantError(error, 'CHART_INVALID')) throw error;
    return faultsOf(error).map((fault) => ({ ...fault, file }));
  }
}
