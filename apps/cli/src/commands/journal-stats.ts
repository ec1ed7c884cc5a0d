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

/** Streams that are named one by one; `--json` has more. */
const LARGEST = 10;

function textOf(stats: JournalStats): string {
  const kib = (bytes: number) => `${(bytes / 1024).toFixed(1)} KiB`;
  const growth = (perDay: number | null) => (perDay === null ? '' : `  ${kib(perDay)} a day`);
  const line = (name: string, size: { entries: number; bytes: number; bytesPerDay: number | null }, more: string) =>
    `${name.padEnd(24)} ${String(size.entries).padStart(8)} entries  ${kib(size.bytes).padStart(12)}${more}${growth(size.bytesPerDay)}`;
  const layers = stats.layers.map((one) => line(one.layer, one, `  ${one.streams} streams`));
  const largest = stats.largest.slice(0, LARGEST).map((one) => `  ${line(one.stream, one, '')}`);
  const disk = stats.bytesOnDisk === null ? '' : `, ${kib(stats.bytesOnDisk)} on disk with everything else in the file`;
  return [
    ...layers,
    ...(largest.length === 0 ? [] : ['largest streams:', ...largest]),
    `${stats.entries} entries, ${kib(stats.bytes)} of data${disk}; ${stats.sealed} sealed, ${stats.checkpoints} checkpoints, ${stats.archived} archived`,
  ].join('\n');
}
