import { InvalidArgumentError } from 'commander';
import { type CommandModule, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { wholeNumber } from '../cli/whole-number.ts';
import { type MemoryOptions, withMemory, withMemoryOptions } from '../memory/with-memory.ts';

type Options = MemoryOptions & {
  readonly decayPerDay?: number;
  readonly threshold?: number;
  readonly stalenessDays?: number;
};

export const command: CommandModule<Options> = {
  configure: (command) =>
    void withMemoryOptions(command)
      .option('--decay-per-day <number>', 'confidence lost a day without use (default: 0)', share)
      .option('--threshold <number>', 'confidence under which a record is archived (default: 0.1)', share)
      .option(
        '--staleness-days <number>',
        'days without use after which a record is archived (default: 90)',
        wholeNumber(1),
      ),
  run: (call) =>
    withMemory(call, async ({ human }) => {
      const { decayPerDay, threshold, stalenessDays } = call.options;
      const report = await human.sweep({
        ...(decayPerDay !== undefined && { decayPerDay }),
        ...(threshold !== undefined && { archivalThreshold: threshold }),
        ...(stalenessDays !== undefined && { stalenessDays }),
      });
      const { expired, decayed, stale } = report.archived;
      print(
        call,
        report,
        `looked at ${report.looked}; archived ${expired} expired, ${decayed} decayed, ${stale} stale`,
      );
      return exitCodes.ok;
    }),
};

function share(text: string): number {
  const value = /^\d*\.?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= 0 && value <= 1) return value;
  throw new InvalidArgumentError('It is a number from 0 to 1.');
}
