import { type CommandModule, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { wholeNumber } from '../cli/whole-number.ts';
import { recordLines } from '../memory/lines.ts';
import { type MemoryOptions, withMemory, withMemoryOptions } from '../memory/with-memory.ts';

type Options = MemoryOptions & {
  readonly limit?: number;
  readonly budget?: number;
  readonly entity?: readonly string[];
  readonly agent?: string;
};

export const command: CommandModule<Options> = {
  configure: (command) =>
    void withMemoryOptions(command)
      .argument('<words...>', 'what to look for')
      .option('--limit <number>', 'most records', wholeNumber(1, 200))
      .option('--budget <tokens>', 'most tokens of all texts together', wholeNumber(1))
      .option('--entity <name...>', 'also what is about these')
      .option('--agent <name>', 'what this agent would get'),
  run: (call) =>
    withMemory(call, async ({ memory, human }) => {
      const { limit, budget, entity, agent } = call.options;
      const recall = await (agent === undefined ? human : memory.agent(agent)).retrieve({
        query: call.words.join(' '),
        ...(limit !== undefined && { limit }),
        ...(budget !== undefined && { budgetTokens: budget }),
        ...(entity !== undefined && { entities: entity }),
      });
      const lines = recall.items.map((item) => `${item.score.toFixed(3)}  ${recordLines(call, item.record)}`);
      const conflicts = recall.conflicts.length === 0 ? [] : [`${recall.conflicts.length} open conflicts among these`];
      print(call, recall, lines.length === 0 ? 'Nothing was found.' : [...conflicts, ...lines].join('\n'));
      return lines.length === 0 ? exitCodes.missing : exitCodes.ok;
    }),
};
