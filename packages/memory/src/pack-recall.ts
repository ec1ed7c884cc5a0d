import type { MemoryRecord } from '@warrant/core';
import { mostThatFit } from './most-that-fit.ts';
import { pack } from './pack.ts';
import type { Placed } from './ranking.ts';
import type { TokenEstimator } from './tokens.ts';
import { valueText } from './words.ts';

/** Tokens of as much of a record's text as is given. */
export type Cost = (record: MemoryRecord, text: string, cut: boolean) => number;

type Shown = { readonly ranked: Placed; readonly text: string; readonly tokens: number; readonly cut: boolean };

/** What of a ranked list fits. Where nothing fits whole, the best is cut, so that the answer is never empty. */
export function packRecall(
  ranked: readonly Placed[],
  budget: number,
  cost: Cost,
): { readonly taken: readonly Shown[]; readonly left: readonly Placed[] } {
  const shown = ranked.map((one): Shown => {
    const text = valueText(one.record.value);
    return { ranked: one, text, tokens: Math.max(1, Math.ceil(cost(one.record, text, false))), cut: false };
  });
  const indexes = pack(
    shown.map(({ ranked: { score }, tokens }) => ({ score, tokens })),
    budget,
  );
  const whole = indexes.map((index) => shown[index] as Shown);
  const first = shown[0];
  const taken =
    whole.length === 0 && first !== undefined
      ? shortened(first, budget, (text) => cost(first.ranked.record, text, true))
      : whole;
  const given = new Set(taken.map((one) => one.ranked));
  return { taken, left: ranked.filter((one) => !given.has(one)) };
}

/** The longest beginning that fits; the whole does not. */
function shortened(one: Shown, budget: number, estimate: TokenEstimator): readonly Shown[] {
  const characters = Array.from(one.text);
  const beginning = (count: number): string => characters.slice(0, count).join('');
  const fits = mostThatFit(characters.length - 1, (count) => estimate(beginning(count)) <= budget);
  const text = beginning(fits);
  const tokens = Math.ceil(estimate(text));
  return fits > 0 && tokens <= budget ? [{ ...one, text, tokens, cut: true }] : [];
}
