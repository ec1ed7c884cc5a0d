const SCRATCH = 1 << 17;
/** Up to here reading units one by one is cheaper than a copy. */
const SHORT = 128;
const PIECE = 48;
/** A matcher may look a little behind the end. */
const BEHIND = 4;

const first = new Uint16Array(SCRATCH);
const second = new Uint16Array(SCRATCH);
const bytes = Buffer.from(first.buffer);
const littleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/**
 * The UTF-16 units of a text and a 0 after the last, in an array that the next call may overwrite: reading an array is several
 * times as fast as asking a long text for each of its units.
 */
export function unitsOf(text: string): Uint16Array {
  const { length } = text;
  const units = length + BEHIND <= SCRATCH ? first : new Uint16Array(length + BEHIND);
  if (length > SHORT && littleEndian) (units === first ? bytes : Buffer.from(units.buffer)).write(text, 'utf16le');
  else for (let at = 0; at < length; at += 1) units[at] = text.charCodeAt(at);
  units[length] = 0;
  return units;
}

/** An array other than `units` with room for as many. */
export function spareFor(units: Uint16Array): Uint16Array {
  if (units === first) return second;
  return units === second ? first : new Uint16Array(units.length);
}

/** Copies the units from `from` up to `to` and returns the place after the last one. */
export function copyUnits(
  source: Uint16Array,
  range: { readonly from: number; readonly to: number },
  target: Uint16Array,
  at: number,
): number {
  const count = range.to - range.from;
  if (count > PIECE) target.set(source.subarray(range.from, range.to), at);
  else for (let index = 0; index < count; index += 1) target[at + index] = source[range.from + index] as number;
  return at + count;
}

/** The first `length` units as text. */
export function textOfUnits(units: Uint16Array, length: number): string {
  if (littleEndian) return Buffer.from(units.buffer, units.byteOffset, 2 * length).toString('utf16le');
  let out = '';
  for (let at = 0; at < length; at += 1) out += String.fromCharCode(units[at] as number);
  return out;
}
