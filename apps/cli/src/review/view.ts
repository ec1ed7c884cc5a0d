import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Proposal, ReviewDecision } from '@warrant/core';
import { ANSI, type ItemView, renderItem } from '@warrant/review-policy';
import { parseYaml } from '@warrant/review-policy/yaml';
import type { CommandCall } from '../cli/command.ts';
import type { ReviewDesk } from './desk.ts';
import { withRule } from './rule-now.ts';

type Item = { readonly proposal: Proposal; readonly decision: ReviewDecision };

/** Everything that a reviewer should see of one proposal. */
export async function viewOf(desk: ReviewDesk, item: Item): Promise<ItemView> {
  const preview = await desk.gate.preview(item.proposal, desk.person);
  const about = new Map<string, string>();
  for (const { id, known } of preview.evidence) {
    const text = known === true ? await describe(desk, id) : undefined;
    if (text !== undefined) about.set(id, text);
  }
  return { ...(await withRule(desk, item)), preview, about };
}

/** The view as text, coloured where the terminal shows colours. */
export function viewText(call: CommandCall, view: ItemView): string {
  return renderItem(view, call.terminal.colour ? ANSI : undefined);
}

/** The view as JSON. */
export function viewJson({ proposal, decision, preview, judgedNow }: ItemView): object {
  return { proposal, decision, judged_now: judgedNow === true, ...preview };
}

/** A source by its title and place, a claim by its text. */
async function describe({ base }: ReviewDesk, id: string): Promise<string | undefined> {
  if (base === undefined) return undefined;
  const claim = await base.artifact('claim', id);
  if (typeof claim?.['text'] === 'string') return cut(claim['text']);
  const meta = readMeta(join(base.root, 'sources', id, 'meta.yaml'));
  const words = [meta?.['title'], meta?.['locator']].filter((word) => typeof word === 'string');
  return words.length === 0 ? undefined : cut(words.join(', '));
}

function readMeta(file: string): { readonly [key: string]: unknown } | undefined {
  try {
    const read = parseYaml(readFileSync(file, 'utf8'));
    return read.type === 'document' ? (read.value as { readonly [key: string]: unknown }) : undefined;
  } catch {
    // The description is a help only; what counts was checked by the gate.
    return undefined;
  }
}

function cut(text: string): string {
  return text.length <= 120 ? text : `${text.slice(0, 119)}…`;
}
