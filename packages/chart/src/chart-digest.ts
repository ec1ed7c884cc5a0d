import { type Digest, digestBytes } from '@warrant/core';
import { canonicalChart } from './defaults.ts';
import type { ChartIr } from './ir.ts';

/** The chart's name by content: equal for equal charts, whichever surface they came from. Order of states and transitions counts, places and comments do not. */
export function chartDigest(ir: ChartIr): Digest {
  return digestBytes(canonicalChart(ir));
}
