import type { Json } from '@warrant/core';
import type { CommandModule } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { refuse } from '../cli/failure.ts';
import { printWrite } from '../memory/lines.ts';
import { type MemoryOptions, withMemory, withMemoryOptions } from '../memory/with-memory.ts';

type Options = MemoryOptions & {
  readonly jsonValue?: boolean;
  readonly onBehalfOf?: string;
  readonly subject?: string;
  readonly entity?: readonly string[];
  readonly session?: string;
  readonly validFrom?: string;
  readonly validTo?: string;
};

export const command: CommandModule<Options> = {
  configure: (command) =>
    void withMemoryOptions(command)
      .argument('<key>', 'where it is kept, such as memory/working/style')
      .argument('[value]', 'what is to be remembered; without it, all of standard input')
      .option('--json-value', 'the value is JSON, not text')
      .option('--on-behalf-of <agent>', 'whose record it becomes')
      .option('--subject <whom>', 'whom it is about; what `forget` erases by')
      .option('--entity <name...>', 'what it is about: files, tables, models')
      .option('--session <id>', 'the conversation that it belongs to')
      .option('--valid-from <time>', 'when it became true (ISO-8601)')
      .option('--valid-to <time>', 'when it ceases to be true'),
  run: (call) =>
    withMemory(
      call,
      async ({ memory, person }) => {
        const { jsonValue, onBehalfOf, subject, entity, session, validFrom, validTo } = call.options;
        const text = call.words[1] ?? (await call.terminal.readInput()).replace(/\n$/, '');
        const value = jsonValue === true ? parsed(text) : text;
        if (value === undefined) return refuse(call, exitCodes.usage, 'CLI_NOT_JSON', 'The value is not JSON.');
        const human = memory.human(person, onBehalfOf === undefined ? {} : { onBehalfOf });
        const write = {
          key: call.words[0] ?? '',
          value,
          ...(subject !== undefined && { subject }),
          ...(entity !== undefined && { entities: entity }),
          ...(session !== undefined && { session }),
          ...(validFrom !== undefined && { validFrom }),
          ...(validTo !== undefined && { validTo }),
        };
        return printWrite(call, await human.write(write));
      },
      { create: true },
    ),
};

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
