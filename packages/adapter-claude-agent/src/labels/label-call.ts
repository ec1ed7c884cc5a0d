import { type JsonObject, type Label, type Labels, TRUST_ORDER } from '@warrant/core';
import { textLeaves } from '../pointers.ts';
import type { SeenHashes } from '../session-store.ts';
import { hasSeen, isCut } from './seen-memory.ts';
import { hashValue } from './seen-values.ts';

const SOURCES: { readonly [trust in 'human' | 'web' | 'tool' | 'provider' | 'agent']: string } = {
  human: 'prompt',
  web: 'web',
  tool: 'tool-result',
  provider: 'provider',
  agent: 'agent',
};

/**
 * Labels whole values of arguments by where they were seen. What was seen in several places has the least trust of them;
 * what was seen nowhere has no label, which counts as the web where a rule asks.
 */
export function labelCall(args: JsonObject, seen: SeenHashes, replace: (text: string) => string): Labels {
  const unsure = isCut(seen.web);
  const labels: { [pointer: string]: Label } = {};
  for (const { pointer, text } of textLeaves(args)) {
    const hash = hashValue(replace(text));
    const trust = TRUST_ORDER.filter((one) => hasSeen(seen[one], hash));
    const least = trust[0];
    // A page that was cut may have said it too.
    if (least === undefined || (unsure && least !== 'web')) continue;
    labels[pointer] = { trust: least, sources: trust.map((one) => SOURCES[one]).sort() };
  }
  return labels;
}
