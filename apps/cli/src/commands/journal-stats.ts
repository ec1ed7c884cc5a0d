import { type JournalStats, journalStats } from '@warrant/journal';
import { type CommandModule, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { createProgress } from '../cli/progress.ts';
import { withWorkspace } from '../cli/with-workspace.ts';

export const command: CommandModule = {
  configure: () => {},
  run: (call) =>
    withWorkspace(
      call,
      async ({ journal }) => {
        const progress = createProgress(call.terminal);
        const stats = await journalStats(journal, {
          onProgress: ({ streams }) => progress.show(`${streams} streams`),
        });
        progress.done();
        print(call, stats, textOf(stats));
        return exitCodes.ok;
      },
      { readOnly: true },
    ),
};

function textOf(stats: JournalStats): string {
  const kib = (bytes: number) => `${(bytes / 1024).toFixed(1)} KiB`;
  const layers = stats.layers.map(
    ({ layer, streams, entries, bytes }) =>
      `${layer.padEnd(24)} ${String(entries).padStart(8)} entries  ${kib(bytes).padStart(12)}  ${streams} streams`,
  );
  const disk = stats.bytesOnDisk === null ? '' : `, ${kib(stats.bytesOnDisk)} on disk with everything else in the file`;
  return [
    ...layers,
    `${stats.entries} entries, ${kib(stats.bytes)} of data${disk}; ${stats.sealed} sealed, ${stats.checkpoints} checkpoints, ${stats.archived} archived`,
  ].join('\n');
}
