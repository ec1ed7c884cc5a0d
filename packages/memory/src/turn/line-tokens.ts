import type { Cost } from '../pack-recall.ts';
import { quoted } from '../recall-labels.ts';
import type { Setup } from '../setup.ts';

/** At most what a line adds to a text: its end counts too, and what an estimator rounds off. */
export function lineTokens(setup: Setup, text: string): number {
  return setup.estimateTokens(`${text}\n`) + 1;
}

/** What an item takes as the line that it is shown as. */
export function quotedCost(setup: Setup): Cost {
  return (record, text, cut) => lineTokens(setup, quoted(record, text, cut));
}
