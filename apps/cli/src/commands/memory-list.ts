import type { MemoryRecord } from '@warrant/core';
import { type CommandModule, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { recordLines } from '../memory/lines.ts';
import { type MemoryOptions, withMemory, withMemoryOptions } from '../memory/with-memory.ts';

type Options = MemoryOptions & { readonly agent?: string; readonly history?: boolean };

export const command: CommandModule<Options> = {
  configure: (command) =>
    void withMemoryOptions(command)
      .argument('[prefix]', 'only keys that begin so')
      .option('--agent <name>', 'only what this agent holds')
      .option('--history', 'rows of the past too'),
  run: (call) =>
    withMemory(call, async ({ memory }) => {
      const { agent, history } = call.options;
      const [prefix] = call.words;
      const query = {
        ...(prefix !== undefined && { prefix }),
        ...(agent !== undefined && { agent }),
        ...(history === true && { history }),
      };
      const records: MemoryRecord[] = [];
      for await (const record of memory.system.memories(query)) records.push(record);
      records.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
      const lines = records.map((record) => recordLines(call, record));
      print(call, records, lines.length === 0 ? 'Nothing is remembered.' : lines.join('\n'));
      return exitCodes.ok;
    }),
};
