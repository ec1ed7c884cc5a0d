import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { median } from './benchmark.ts';

export type Rounds = {
  /** Of one round, for the rates. */
  readonly operations: number;
  /** Of the other's round, where it does fewer in much the same time. @default `operations` */
  readonly theirOperations?: number;
  readonly ours: () => Promise<void>;
  readonly theirs: () => Promise<void>;
  /** @default 9 */
  readonly rounds?: number;
};

/** Rates a second, round about, so that a busy moment hits both; the ratio is the median of the rounds' own. */
export async function pairedRounds(
  work: Rounds,
): Promise<{ readonly ours: number; readonly theirs: number; readonly ratio: number }> {
  const ours: number[] = [];
  const theirs: number[] = [];
  const ratios: number[] = [];
  const mineOf = () => rate(work.operations, work.ours);
  const otherOf = () => rate(work.theirOperations ?? work.operations, work.theirs);
  for (let round = -1; round < (work.rounds ?? 9); round += 1) {
    const [mine, other] =
      round % 2 === 0
        ? [await mineOf(), await otherOf()]
        : ([await otherOf(), await mineOf()].reverse() as [number, number]);
    if (round < 0) continue;
    ours.push(mine);
    theirs.push(other);
    ratios.push(mine / other);
  }
  return { ours: median(ours), theirs: median(theirs), ratio: median(ratios) };
}

async function rate(operations: number, work: () => Promise<void>): Promise<number> {
  const start = process.hrtime.bigint();
  await work();
  return (operations * 1e9) / Number(process.hrtime.bigint() - start);
}

/** Flushes a second of a small write, over 200 of them. */
export function probeDisk(folder: string): number {
  const file = openSync(join(folder, 'probe'), 'w');
  const page = Buffer.alloc(4096, 1);
  const start = process.hrtime.bigint();
  for (let count = 0; count < 200; count += 1) {
    writeSync(file, page, 0, page.length, (count % 64) * page.length);
    fdatasyncSync(file);
  }
  const seconds = Number(process.hrtime.bigint() - start) / 1e9;
  closeSync(file);
  return 200 / seconds;
}
