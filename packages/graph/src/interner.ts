import { canonicalJson, type JsonObject, type Provenance } from '@warrant/core';
import { flatText } from './flat-text.ts';
import { deepFreeze } from './freeze.ts';

const MAX_ENTRIES = 8192;
const MAX_TEXT = 1024;

/** Equal provenance and properties share one frozen object, and their canonical text is made once. */
export type Interner = {
  /** The frozen copy of `value`. @throws what canonicalJson throws */
  readonly object: (value: JsonObject) => JsonObject;
  readonly provenance: (value: Provenance) => Provenance;
  /** Canonical JSON of an object, cheap for what this interner has made. */
  readonly textOf: (value: JsonObject) => string;
};

/** An interner of bounded size: it starts anew when full. */
export function createInterner(): Interner {
  const byText = new Map<string, JsonObject>();
  const texts = new Map<JsonObject, string>();
  // One provenance or one kind of properties often stands on many parts side by side.
  let recent: JsonObject | null = null;
  let recentText = '';
  const textOf = (value: JsonObject): string => {
    if (value === recent) return recentText;
    const text = texts.get(value);
    if (text === undefined) return canonicalJson(value);
    recent = value;
    recentText = text;
    return text;
  };
  const remember = (text: string): JsonObject => {
    const known = byText.get(text);
    if (known !== undefined) return known;
    const made = deepFreeze(JSON.parse(text) as JsonObject);
    if (text.length > MAX_TEXT) return made;
    if (byText.size >= MAX_ENTRIES) {
      byText.clear();
      texts.clear();
    }
    byText.set(text, made);
    texts.set(made, text);
    return made;
  };
  const object = (value: JsonObject): JsonObject =>
    texts.has(value) ? value : remember(flatText(value) ?? canonicalJson(value));
  return {
    object,
    provenance: (value) => object(value) as Provenance,
    textOf,
  };
}
