import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type AnalysisCounts, analyzeCommand, countAnalyses, describeUnknown } from '@warrant/shell';
import { type CommandModule, paint, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { analyzeOptions } from '../shell/options.ts';

export const command: CommandModule = {
  configure: (command) => void command.argument('<file>', 'a file with one command a line; - for standard input'),
  run: async (call) => {
    const [file = '-'] = call.words;
    const { directory } = call.terminal;
    const text = file === '-' ? await call.terminal.readInput() : await readFile(resolve(directory, file), 'utf8');
    const options = await analyzeOptions(resolve(directory, call.options.directory ?? '.'));
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    const analysed = lines.map((line) => ({ line, analysis: analyzeCommand(line, options) }));
    const counts = countAnalyses(analysed.map((one) => one.analysis));
    const colours = { read: 'green', write: 'yellow', unknown: 'red' } as const;
    const rows = analysed.map(({ line, analysis }) => {
      const why = [...new Set(analysis.unknowns.map((one) => describeUnknown(one.code)))].join('; ');
      return `${paint(call, colours[analysis.class], analysis.class.padEnd(8))} ${line}${why === '' ? '' : `   (${why})`}`;
    });
    print(
      call,
      {
        counts,
        lines: analysed.map(({ line, analysis }) => ({ line, class: analysis.class, unknowns: analysis.unknowns })),
      },
      [...rows, ...summary(counts)].join('\n'),
    );
    return counts.classes.unknown === 0 ? exitCodes.ok : exitCodes.no;
  },
};

function summary(counts: AnalysisCounts): readonly string[] {
  const { read, write, unknown } = counts.classes;
  return [
    '',
    `${counts.lines} lines: ${read} read, ${write} write, ${unknown} unknown`,
    ...counts.reasons.map(({ code, lines }) => `  ${String(lines).padStart(5)}  ${describeUnknown(code)}`),
  ];
}
