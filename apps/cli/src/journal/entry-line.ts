import type { Recorded } from '@warrant/core';

/** An entry for a person: place, time, type, and on request what it holds. */
export function entryLine(entry: Recorded, highlight: (text: string) => string, data: boolean): string {
  const head = `${entry.stream}/${entry.position}  ${entry.time}  ${highlight(entry.type)}  ${entry.id}`;
  return data ? `${head}\n    ${JSON.stringify(entry.data)}` : head;
}
