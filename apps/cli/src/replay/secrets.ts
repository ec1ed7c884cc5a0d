import { createSecretReplacer, type Json } from '@warrant/core';

const MARK = /\[secret:[0-9a-f]{16}\]/g;
/** Marks live no longer than this report, so their key need not be kept from anyone. */
const KEY = 'only to count what would be replaced';

export type SecretCounter = {
  readonly look: (value: Json) => number;
  readonly distinct: () => number;
  /** The value with a mark for each secret. */
  readonly replace: (value: Json) => Json;
};

/** Counts secrets in values; each secret once, however often it stands there. */
export function createSecretCounter(): SecretCounter {
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
    replace,
  };
}
