import type { Label, Labels } from '@warrant/core';
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
  const notices = recall.conflicts.map(({ id, type, records }) => line({ notice: 'conflict', type, id, records }));
  return [...notices, ...recall.items.map(quoteItem)].join('\n');
}

function quoteItem({ record, text, label, cut }: RecalledItem): string {
  return line({ data: text, key: record.key, trust: label.trust, sources: label.sources, ...(cut ? { cut } : {}) });
}

function line(value: object): string {
  return JSON.stringify(value).replace(/[<>&\u2028\u2029\u0085]/g, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
