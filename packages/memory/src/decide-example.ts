import type { Reason } from '@warrant/core';

/** The shape of every decision: plain data in, plain data out; a refusal is a value with its reasons. */
export function decideExample(input: { readonly text: string }): { readonly allowed: boolean; readonly reasons: readonly Reason[] } {
  if (input.text !== '') return { allowed: true, reasons: [] };
  return {
    allowed: false,
    reasons: [{ code: 'memory.empty-text', message: 'the text is empty', data: {}, remedy: { text: 'at least one character' } }],
  };
}
