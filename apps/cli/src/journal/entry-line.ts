import type { Json, JsonObject, Recorded } from '@warrant/core';
import { visible } from '../cli/visible.ts';

/** An entry for a person: place, time, type, and on request what it holds. */
export function entryLine(entry: Recorded, highlight: (text: string) => string, data: boolean): string {
  const head = `${plain(`${entry.stream}/${entry.position}`)}  ${entry.time}  ${highlight(plain(entry.type))}  ${plain(entry.id)}`;
  const gist = gistOf(entry);
  return `${head}${gist === '' ? '' : `  ${plain(gist)}`}${data ? `\n    ${plain(JSON.stringify(entry.data))}` : ''}`;
}

/** What a guard decided about which call, so that the record can be read without its data. */
function gistOf({ type, data }: Recorded): string {
  if (!type.startsWith('guard.') || !isObject(data)) return '';
  const { call, decision, outcome } = data;
  const tool = isObject(call) ? call['tool'] : undefined;
  return [tool, decision, outcome === decision ? undefined : outcome]
    .filter((one) => typeof one === 'string')
    .join(' ');
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A text on one line, with nothing in it that a terminal would obey. */
export function plain(text: string): string {
  return visible(text, { colour: false }).replaceAll('\n', '\\n');
}
