import type { Label, Labels, MemoryRecord } from '@warrant/core';
import type { Recall, RecalledItem } from './retrieve.ts';

/** Labels of a tool call whose arguments at these JSON Pointers were made from a recall. */
export function recallLabels(recall: { readonly label: Label }, pointers: readonly string[]): Labels {
  return Object.fromEntries(pointers.map((pointer) => [pointer, recall.label]));
}

/**
 * A recall as a block for a prompt: notices first, then each record as one line of JSON. Nothing that a record says can
 * end its line, its quotes or a surrounding tag.
 */
export function quoteRecall(recall: Recall): string {
  return [...noticeLines(recall), ...recall.items.map(quoteItem)].join('\n');
}

/** What has to be known before the content, a line each. */
export function noticeLines(
  recall: Pick<Recall, 'conflicts' | 'overrides' | 'skillWarnings' | 'external'>,
): readonly string[] {
  return [
    ...recall.overrides.map(({ key, standing, over, text }) => line({ notice: 'override', text, key, standing, over })),
    ...recall.conflicts.map(({ id, type, records }) => line({ notice: 'conflict', type, id, records })),
    ...recall.external.map((one) => line({ notice: 'disagreement', ...one })),
    ...recall.skillWarnings.map(({ skillId, text }) => line({ notice: 'skill', skill: skillId, text })),
  ];
}

/** A record as one line. */
export function quoteItem({ record, text, cut }: RecalledItem): string {
  return quoted(record, text, cut);
}

/** As much of a record's text as is given, as one line. */
export function quoted({ key, label }: Pick<MemoryRecord, 'key' | 'label'>, text: string, cut: boolean): string {
  return line({ data: text, key, trust: label.trust, sources: label.sources, ...(cut ? { cut } : {}) });
}

/** One line of JSON that neither ends a line, nor quotes, nor a tag. */
export function line(value: object): string {
  return JSON.stringify(value).replace(/[<>&\u2028\u2029\u0085]/g, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
