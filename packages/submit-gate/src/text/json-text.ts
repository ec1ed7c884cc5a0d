import type { Json, JsonObject } from '@warrant/core';

/** As `JSON.stringify`, of any depth: that ends with a full stack where what a tool answers is nested deep. */
export function jsonText(value: Json): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return deepText(value);
  }
}

/** Text as it comes out, and values that are yet to be written. */
type Pending = { readonly text: string } | { readonly value: Json };

function deepText(whole: Json): string {
  let out = '';
  const pending: Pending[] = [{ value: whole }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if ('text' in next) out += next.text;
    else if (typeof next.value !== 'object' || next.value === null) out += JSON.stringify(next.value);
    else pending.push(...piecesOf(next.value as JsonObject | readonly Json[]).reverse());
  }
  return out;
}

function piecesOf(value: JsonObject | readonly Json[]): Pending[] {
  const isList = Array.isArray(value);
  const items = Object.entries(value).flatMap(([key, item], index): Pending[] => [
    { text: `${index === 0 ? '' : ','}${isList ? '' : `${JSON.stringify(key)}:`}` },
    { value: item as Json },
  ]);
  return [{ text: isList ? '[' : '{' }, ...items, { text: isList ? ']' : '}' }];
}
