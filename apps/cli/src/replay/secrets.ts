import { createSecretReplacer, type Json } from '@warrant/core';

const MARK = /\[secret:[0-9a-f]{16}\]/g;
/** Marks live no longer than this report, so their key need not be kept from anyone. */
const KEY = 'only to count what would be replaced';

/** Counts secrets in values; each secret once, however often it stands there. */
export function createSecretCounter(): { readonly look: (value: Json) => number; readonly distinct: () => number } {
  const replace = createSecretReplacer({ key: KEY });
  const seen = new Set<string>();
  return {
    look: (value) => {
      const text = JSON.stringify(replace(value));
      const marks = text.match(MARK) ?? [];
      for (const mark of marks) seen.add(mark);
      return marks.length;
    },
    distinct: () => seen.size,
  };
}
