const SCRATCH = 1 << 17;
/** Up to here reading units one by one is cheaper than a copy. */
const SHORT = 128;
/** A matcher may look a little behind the end. */
const BEHIND = 4;

const scratch = new Uint16Array(SCRATCH);
const bytes = Buffer.from(scratch.buffer);
const littleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/**
 * The UTF-16 units of a text and a 0 after the last, in an array that the next call may overwrite: reading an array is several
 * times as fast as asking a long text for each of its units.
 */
export function unitsOf(text: string): Uint16Array {
  const { length } = text;
  const units = length + BEHIND <= SCRATCH ? scratch : new Uint16Array(length + BEHIND);
  if (length > SHORT && littleEndian) (units === scratch ? bytes : Buffer.from(units.buffer)).write(text, 'utf16le');
  else for (let at = 0; at < length; at += 1) units[at] = text.charCodeAt(at);
  units[length] = 0;
  return units;
}

/** The first `length` units as text. */
export function textOfUnits(units: Uint16Array, length: number): string {
  if (littleEndian) return Buffer.from(units.buffer, units.byteOffset, 2 * length).toString('utf16le');
  let out = '';
  for (let at = 0; at < length; at += 1) out += String.fromCharCode(units[at] as number);
  return out;
}
