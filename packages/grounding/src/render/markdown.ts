import { type GroundingResult, type Primitive, WarrantError } from '@warrant/core';
import { type ConfidenceOf, percentText } from '../confidence.ts';
import { gapText, remedyText } from './gap-text.ts';
import { safeText } from './safe-text.ts';

/** How much of a result goes into a model's context. */
export type MarkdownOptions = {
  /** Most tokens that the text may have. */
  readonly maxTokens: number;
  /** Counts the tokens of a text, as the model would. More text must not count less. */
  readonly countTokens: (text: string) => number;
  /** Shown beside each level. It decides nothing. @default nothing is shown */
  readonly confidence?: ConfidenceOf;
};

/**
 * A result as Markdown for a model: the verdict, every gap with what closes it, then what is known, nearest first. What
 * does not fit is left out from the end, and the last line says how much.
 * @throws GROUNDING_BUDGET_TOO_SMALL when not even the verdict fits
 */
export function renderMarkdown(result: GroundingResult, options: MarkdownOptions): string {
  const { maxTokens, countTokens } = options;
  const names = new Map(result.primitives.map((primitive) => [primitive.id, primitive.name]));
  const blocks = [
    ...result.gaps.map((gap) => `- **${gap.type} gap**: ${gapText(gap)}. To close it: ${remedyText(gap)}.`),
    ...result.primitives.map((primitive) => conceptBlock(primitive, names, options.confidence)),
    ...informedBlock(result),
  ];
  const text = (kept: number) => join(verdictLine(result), blocks, kept, result.gaps.length);
  const fits = (kept: number) => countTokens(text(kept)) <= maxTokens;
  if (!fits(0)) {
    throw new WarrantError('GROUNDING_BUDGET_TOO_SMALL', 'the verdict alone is longer than the budget', {
      data: { maxTokens },
    });
  }
  if (fits(blocks.length)) return text(blocks.length);
  let [low, high] = [0, blocks.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (fits(middle)) low = middle;
    else high = middle;
  }
  return text(low);
}

function join(verdict: string, blocks: readonly string[], kept: number, gaps: number): string {
  const left = blocks.length - kept;
  const gapsLeft = Math.max(0, gaps - kept);
  const parts = [gapsLeft > 0 ? `${gapsLeft} gaps` : '', left > gapsLeft ? `${left - gapsLeft} concepts` : ''];
  const rest = left === 0 ? [] : [`_Left out: ${parts.filter((part) => part !== '').join(' and ')}._`];
  return [verdict, ...blocks.slice(0, kept), ...rest].join('\n');
}

function verdictLine(result: GroundingResult): string {
  const asked = result.resolved.length === 0 ? 'no concepts' : result.resolved.map(safeText).join(', ');
  return `**${result.grounded ? 'Grounded' : 'Not grounded'}**: ${asked}`;
}

function informedBlock({ informed = [] }: GroundingResult): readonly string[] {
  if (informed.length === 0) return [];
  const told = new Set(
    informed.map(({ concept, level, peer }) => `${safeText(concept)} D${level} (${safeText(peer)})`),
  );
  return [`- Told by peers and not counted: ${[...told].join(', ')}`];
}

function conceptBlock(
  primitive: Primitive,
  names: ReadonlyMap<string, string>,
  confidence: ConfidenceOf | undefined,
): string {
  const lines = primitive.depths.map((depth) => {
    const statements = Object.entries(depth.properties).map(
      ([key, value]) => `${safeText(key)}: ${safeText(JSON.stringify(value))}`,
    );
    const relata = depth.relata.map(
      ({ relation, target, targetDepth }) => `${relation} ${safeText(names.get(target) ?? target)} (D${targetDepth})`,
    );
    const known = confidence?.(primitive.name, depth.level) ?? null;
    const served = known === null ? '' : ` (confidence ${percentText(known)})`;
    return `  - D${depth.level}${served}: ${[...statements, ...relata].join('; ') || 'known'}`;
  });
  return [`- **${safeText(primitive.name)}**`, ...lines].join('\n');
}
