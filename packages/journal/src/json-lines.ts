import { isWellFormed } from '@warrant/core';

export type Chunks = AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>;
/** `text` is absent for bytes that are no UTF-8 or too many. `whole` is false for a last line without its newline. */
export type Line = { readonly number: number; readonly text: string | undefined; readonly whole: boolean };

const NEWLINE = 10;
/** Longest line that is kept in memory. */
const MAX_LINE_BYTES = 256 * 1024 * 1024;

/** Splits what a file or stream gives into lines, whatever the chunks. @internal */
export async function* splitLines(chunks: Chunks): AsyncGenerator<Line, void, undefined> {
  let parts: Uint8Array[] = [];
  let bytes = 0;
  let number = 0;
  for await (const chunk of chunks) {
    // Text with lone surrogates would become other text as UTF-8.
    const ok = typeof chunk !== 'string' || isWellFormed(chunk);
    let rest = typeof chunk === 'string' ? Buffer.from(ok ? chunk : chunk.replace(/[^\n]/g, '\uFFFD')) : chunk;
    for (let end = rest.indexOf(NEWLINE); end >= 0; end = rest.indexOf(NEWLINE)) {
      number += 1;
      parts.push(rest.subarray(0, end));
      yield { number, text: decode(parts, bytes + end), whole: true };
      parts = [];
      bytes = 0;
      rest = rest.subarray(end + 1);
    }
    bytes += rest.length;
    if (rest.length > 0 && bytes <= MAX_LINE_BYTES) parts.push(rest);
  }
  if (bytes > 0) yield { number: number + 1, text: decode(parts, bytes), whole: false };
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decode(parts: readonly Uint8Array[], bytes: number): string | undefined {
  if (bytes > MAX_LINE_BYTES) return undefined;
  try {
    return decoder.decode(parts.length === 1 ? parts[0] : Buffer.concat(parts));
  } catch {
    // Bytes that are not UTF-8: the caller reports the line.
    return undefined;
  }
}
