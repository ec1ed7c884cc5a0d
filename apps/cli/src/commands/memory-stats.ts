import { type CommandModule, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { type MemoryOptions, withMemory, withMemoryOptions } from '../memory/with-memory.ts';

export const command: CommandModule<MemoryOptions> = {
  configure: (command) => void withMemoryOptions(command),
  run: (call) =>
    withMemory(call, async ({ memory }) => {
      const stats = await memory.system.stats();
      const agents = await memory.system.agents();
      const percent = (share: number | null): string =>
        share === null ? 'not known yet' : `${(share * 100).toFixed(0)} %`;
      const lines = [
        `${stats.totalMemories} records, ${stats.archivedCount} archived, ${stats.lowConfidenceCount} of low confidence`,
        `${stats.conflictPendingCount} open conflicts, ${stats.retrievalCount} retrievals`,
        `${stats.totalSkills} skills, ${stats.staleSkillCount} of them stale`,
        `good outcomes: ${percent(stats.outcomePositiveRate)}; disagreement with given texts: ${percent(stats.externalConflictRate)}`,
        ...agents.map(
          ({ agent, current, past, archived }) => `  ${agent}: ${current} current, ${past} past, ${archived} archived`,
        ),
      ];
      print(call, { ...stats, agents }, lines.join('\n'));
      return exitCodes.ok;
    }),
};
