import { resolve } from 'node:path';
import { importItems, type Parsed } from '@warrant/memory';
import { guessImportFormat, type ImportFormat, readImport } from '@warrant/memory/files';
import { readAgentdb } from '@warrant/memory/sqlite';
import { Option } from 'commander';
import { type CommandModule, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { refuse } from '../cli/failure.ts';
import { createProgress } from '../cli/progress.ts';
import { type MemoryOptions, withMemory, withMemoryOptions } from '../memory/with-memory.ts';

type Format = ImportFormat | 'agentdb';
type Options = MemoryOptions & { readonly format?: Format; readonly provider?: string };
const FORMATS: readonly Format[] = ['anthropic', 'openai', 'mem0', 'markdown', 'warrant', 'agentdb'];

export const command: CommandModule<Options> = {
  configure: (command) =>
    void withMemoryOptions(command)
      .argument('<path>', 'a folder of the Anthropic memory tool, an export, notes, or a file of agentdatabase')
      .addOption(new Option('--format <format>', 'what it is (default: by its name)').choices(FORMATS))
      .option('--provider <name>', 'under which name it is kept (default: the format)'),
  run: (call) => {
    const path = resolve(call.terminal.directory, call.words[0] ?? '');
    const format = call.options.format ?? guess(path);
    if (format === undefined)
      return refuse(call, exitCodes.usage, 'CLI_FORMAT', `Say with --format what it is: ${FORMATS.join(', ')}.`);
    const read = format === 'agentdb' ? readAgentdb(path) : readImport(path, format);
    return withMemory(
      call,
      async ({ memory }) => {
        const provider = call.options.provider ?? format;
        const progress = createProgress(call.terminal);
        const report = await importItems(memory.provider(provider), read.items, {
          provider,
          onProgress: (done, all) => progress.show(`${done} of ${all}`),
        });
        progress.done();
        const problems = [...read.problems, ...report.problems];
        print(call, { ...report, problems }, textOf(report, problems));
        return problems.length > 0 || report.refused.length > 0 ? exitCodes.no : exitCodes.ok;
      },
      { create: true },
    );
  },
};

function guess(path: string): Format | undefined {
  return /\.(?:sqlite3?|db)$/.test(path) ? 'agentdb' : guessImportFormat(path);
}

function textOf(report: Awaited<ReturnType<typeof importItems>>, problems: Parsed['problems']): string {
  const { stored, confirmed, beside, refused } = report;
  return [
    ...problems.map(({ where, message }) => `${where}: ${message}`),
    ...refused.map(({ name, reasons }) => `${name}: ${reasons.map(({ message }) => message).join('; ')}`),
    `${stored} stored, ${confirmed} were there, ${beside} kept beside what is more trusted, ${refused.length + problems.length} not taken`,
  ].join('\n');
}
