import type { ChartFault } from '@warrant/chart';

/** Longer texts are not searched for what is wrong in them. */
const MOST_SEARCHED = 1024 * 1024;

/** What is wrong with a text that is no JSON, with its place where that can be found. */
export function jsonFault(text: string, error: Error): ChartFault {
  const offset = offsetOf(text, error.message);
  const place = offset === undefined ? {} : placeAt(text, offset);
  return { code: 'syntax', path: '', ...place, message: error.message.replace(/ in JSON at position .*$/s, '') };
}

/** Most messages name the place. */
function offsetOf(text: string, message: string): number | undefined {
  const named = /at position (\d+)/.exec(message)?.[1];
  if (named !== undefined) return Number(named);
  if (message.endsWith('end of JSON input')) return text.length;
  return text.length > MOST_SEARCHED ? undefined : firstWrong(text);
}

/** The first sign that cannot follow what is before it, by halving: what is before it only lacks an end. */
function firstWrong(text: string): number {
  let low = 0;
  let high = text.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (onlyLacksAnEnd(text.slice(0, middle))) low = middle;
    else high = middle - 1;
  }
  return low;
}

function onlyLacksAnEnd(start: string): boolean {
  try {
    JSON.parse(start);
    return true;
  } catch (error) {
    return error instanceof Error && /end of JSON input|Unterminated string/.test(error.message);
  }
}

function placeAt(text: string, offset: number): { readonly line: number; readonly column: number } {
  const lines = text.slice(0, offset).split('\n');
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
}
