import type { HygieneReport } from '@warrant/memory';
import { type CommandModule, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { reasonLines } from '../memory/lines.ts';
import { type MemoryOptions, withMemory, withMemoryOptions } from '../memory/with-memory.ts';

type Options = MemoryOptions & { readonly propose?: boolean };

export const command: CommandModule<Options> = {
  configure: (command) =>
    void withMemoryOptions(command).option('--propose', 'ask people to archive what could go (needs a workspace)'),
  run: (call) =>
    withMemory(
      call,
      async ({ memory, human }) => {
        const faults = await memory.check();
        const report = await human.hygiene();
        const asked = call.options.propose === true ? await human.proposeCleanUp(report.cleanUp) : undefined;
        const parts =
          faults.length === 0
            ? 'all parts of the memory agree'
            : `parts of the memory disagree:\n${reasonLines(faults)}`;
        const proposal =
          asked === undefined
            ? []
            : [
                asked.type === 'proposed'
                  ? `asked as ${asked.proposalId}`
                  : asked.type === 'nothing'
                    ? 'nothing to ask'
                    : reasonLines(asked.reasons),
              ];
        print(
          call,
          { faults, report, ...(asked !== undefined && { proposal: asked }) },
          [parts, ...hygieneLines(report), ...proposal].join('\n'),
        );
        return faults.length > 0 || asked?.type === 'refused' ? exitCodes.no : exitCodes.ok;
      },
      { review: true },
    ),
};

function hygieneLines(report: HygieneReport): readonly string[] {
  const { counts } = report;
  return [
    `looked at ${report.looked} records: ${counts.duplicates} duplicates, ${counts.nearDuplicates} near-duplicates, ${counts.contradictions} contradictions,`,
    `  ${counts.orphans} orphans, ${counts.neverRetrieved} never retrieved, ${counts.echoes} echoes`,
    ...report.contradictions.map(({ keys, by }) => `contradiction: ${keys[0]} and ${keys[1]} (${by})`),
    ...report.nearDuplicates.map(
      ({ keys, likeness }) => `near-duplicates: ${keys[0]} and ${keys[1]} (${likeness.toFixed(2)})`,
    ),
    ...report.duplicates.map(({ keys }) => `the same value: ${keys.join(', ')}`),
    ...report.echoes.map(({ key }) => `echo of what was recalled: ${key}`),
    ...report.orphans.map(({ key, missing }) => `made from what is not there any more: ${key} (${missing.length})`),
    ...report.growth.map(
      ({ agent, records, lastWeek, lastMonth }) =>
        `${agent}: ${records} records, ${lastWeek} of the last week, ${lastMonth} of the last month`,
    ),
    ...(report.cleanUp.length === 0 ? [] : [`${report.cleanUp.length} could be archived: --propose asks people`]),
  ];
}
