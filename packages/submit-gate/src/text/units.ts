const WINDOW = 32_768;
/** Up to here reading units one by one is cheaper than a copy. */
const SHORT = 128;

const bytes = Buffer.alloc(2 * WINDOW + 2);
const units = new Uint16Array(bytes.buffer, bytes.byteOffset, WINDOW + 1);
const littleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/**
 * The UTF-16 units of a text from `start` on, at most 32,768 of them, and a 0 after the last, in an array that the next call overwrites: reading an
 * array is several times as fast as asking a long text for each of its units.
 */
export function unitsFrom(text: string, start: number): Uint16Array {
  const count = Math.min(WINDOW, text.length - start);
  if (count > SHORT && littleEndian) bytes.write(text.slice(start, start + count), 'utf16le');
  else for (let at = 0; at < count; at += 1) units[at] = text.charCodeAt(start + at);
  units[count] = 0;
  return count === WINDOW ? units : units.subarray(0, count + 1);
}
