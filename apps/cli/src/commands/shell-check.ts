import { resolve } from 'node:path';
import { type AnalysisCounts, analyzeCommand, countAnalyses, describeUnknown } from '@warrant/shell';
import { type CommandCall, type CommandModule, paint, print } from '../cli/command.ts';
import { type ExitCode, exitCodes } from '../cli/exit-codes.ts';
import { readNamed } from '../cli/read-named.ts';
import { analyzeOptions } from '../shell/options.ts';
import { scriptFiles, scriptPieces } from '../shell/script-files.ts';

type Flags = { readonly scripts?: boolean; readonly summary?: boolean };

export const command: CommandModule<Flags> = {
  configure: (command) =>
    void command
      .argument('<path...>', 'files with one command a line; - for standard input')
      .option('--scripts', 'take each file as one script; a folder stands for the scripts in it')
      .option('--summary', 'only the counts'),
  run: async (call) => {
    const options = await analyzeOptions(resolve(call.terminal.directory, call.options.directory ?? '.'));
    const texts = call.options.scripts === true ? await scripts(call) : await lines(call);
    const analysed = texts.map(({ name, text }) => ({ line: name, analysis: analyzeCommand(text, options) }));
    const counts = countAnalyses(analysed.map((one) => one.analysis));
    const colours = { read: 'green', write: 'yellow', unknown: 'red' } as const;
    const rows = analysed.map(({ line, analysis }) => {
      const why = [...new Set(analysis.unknowns.map((one) => describeUnknown(one.code)))].join('; ');
      return `${paint(call, colours[analysis.class], analysis.class.padEnd(8))} ${line}${why === '' ? '' : `   (${why})`}`;
    });
    const short = call.options.summary === true;
    const each = analysed.map(({ line, analysis }) => ({ line, class: analysis.class, unknowns: analysis.unknowns }));
    const unit = call.options.scripts === true ? 'scripts' : 'lines';
    print(
      call,
      short ? { counts } : { counts, lines: each },
      [...(short ? [] : [...rows, '']), ...summary(counts, unit)].join('\n'),
    );
    return answer(counts);
  },
};

function answer(counts: AnalysisCounts): ExitCode {
  return counts.classes.unknown === 0 ? exitCodes.ok : exitCodes.no;
}

type Text = { readonly name: string; readonly text: string };

async function lines(call: CommandCall<Flags>): Promise<readonly Text[]> {
  const all: Text[] = [];
  for (const path of call.words) {
    const whole = path === '-' ? await call.terminal.readInput() : await readNamed(call.terminal.directory, path);
    for (const text of whole.split('\n')) if (text.trim() !== '') all.push({ name: text, text });
  }
  return all;
}

async function scripts(call: CommandCall<Flags>): Promise<readonly Text[]> {
  const all: Text[] = [];
  for (const path of call.words) {
    if (path === '-') {
      all.push({ name: '-', text: await call.terminal.readInput() });
      continue;
    }
    for (const file of await scriptFiles(resolve(call.terminal.directory, path))) {
      const pieces = await scriptPieces(file);
      for (const [index, text] of pieces.entries())
        all.push({ name: pieces.length === 1 ? file : `${file} (${index + 1} of ${pieces.length})`, text });
    }
  }
  return all;
}

function summary(counts: AnalysisCounts, unit: string): readonly string[] {
  const { read, write, unknown } = counts.classes;
  return [
    `${counts.lines} ${unit}: ${read} read, ${write} write, ${unknown} unknown`,
    ...(counts.syntaxErrors === 0 ? [] : [`${counts.syntaxErrors} of them do not parse`]),
    `${counts.commands} commands, ${counts.unknownCommands} of them unknown (${share(counts)} %)`,
    ...counts.reasons.map(({ code, lines }) => `  ${String(lines).padStart(5)}  ${describeUnknown(code)}`),
  ];
}

function share({ commands, unknownCommands }: AnalysisCounts): string {
  return commands === 0 ? '0' : ((100 * unknownCommands) / commands).toFixed(1);
}
