import { type CommandModule, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { refuse } from '../cli/failure.ts';
import { reasonLines, recordLines } from '../memory/lines.ts';
import { type MemoryOptions, withMemory, withMemoryOptions } from '../memory/with-memory.ts';

type Options = MemoryOptions & { readonly at?: string; readonly known?: string; readonly history?: boolean };

export const command: CommandModule<Options> = {
  configure: (command) =>
    void withMemoryOptions(command)
      .argument('<key>', 'the key')
      .option('--at <time>', 'what was true then (ISO-8601; default: now)')
      .option('--known <time>', 'as far as was known then (default: now)')
      .option('--history', 'every row of the key'),
  run: (call) =>
    withMemory(call, async ({ human }) => {
      const [key = ''] = call.words;
      const { at, known, history } = call.options;
      if (history === true) {
        const rows = await human.history(key);
        const lines = rows.map(
          (row) =>
            `${recordLines(call, row)}\n  valid ${row.validFrom} to ${row.validTo ?? 'ever'}, known ${row.recordedAt} to ${row.closedAt ?? 'now'}`,
        );
        print(call, rows, lines.length === 0 ? 'Nothing was ever there.' : lines.join('\n'));
        return rows.length === 0 ? exitCodes.missing : exitCodes.ok;
      }
      const read = await human.read(key, {
        ...(at !== undefined && { validAt: at }),
        ...(known !== undefined && { knownAt: known }),
      });
      if (read.type === 'none')
        return refuse(call, exitCodes.missing, 'CLI_NO_RECORD', `Nothing is remembered under ${key}.`);
      if (read.type === 'refused') {
        print(call, read, `refused\n${reasonLines(read.reasons)}`);
        return exitCodes.no;
      }
      const { record } = read;
      print(call, read, typeof record.value === 'string' ? record.value : JSON.stringify(record.value, null, 2));
      return exitCodes.ok;
    }),
};
