/** A set of small whole numbers, 32 to a word. */
export type Bits = Uint32Array;

export function emptyBits(size: number): Bits {
  return new Uint32Array(Math.max(1, Math.ceil(size / 32)));
}

export function bitsOf(size: number, isIn: (index: number) => boolean): Bits {
  const bits = emptyBits(size);
  for (let index = 0; index < size; index += 1) if (isIn(index)) addBit(bits, index);
  return bits;
}

export function addBit(bits: Bits, index: number): void {
  bits[index >>> 5] = (bits[index >>> 5] as number) | (1 << (index & 31));
}

export function hasBit(bits: Bits, index: number): boolean {
  return (((bits[index >>> 5] as number) >>> (index & 31)) & 1) === 1;
}

export function andBits(left: Bits, right: Bits): Bits {
  return left.map((word, index) => word & (right[index] as number));
}

export function meets(left: Bits, right: Bits): boolean {
  for (let index = 0; index < left.length; index += 1) {
    if (((left[index] as number) & (right[index] as number)) !== 0) return true;
  }
  return false;
}

/** True when everything of `part` is in `whole`. */
export function isWithin(part: Bits, whole: Bits): boolean {
  for (let index = 0; index < part.length; index += 1) {
    if (((part[index] as number) & ~(whole[index] as number)) !== 0) return false;
  }
  return true;
}

/** The members of `from` that are in none of `others`, ascending; stops after `limit`. */
export function membersOutside(from: Bits, others: readonly Bits[], limit: number): readonly number[] {
  const found: number[] = [];
  for (let word = 0; word < from.length; word += 1) {
    let left = from[word] as number;
    for (let other = 0; other < others.length && left !== 0; other += 1) {
      left &= ~((others[other] as Bits)[word] as number);
    }
    while (left !== 0) {
      const bit = 31 - Math.clz32(left & -left);
      found.push(word * 32 + bit);
      if (found.length >= limit) return found;
      left &= left - 1;
    }
  }
  return found;
}

export function isEmptyBits(bits: Bits): boolean {
  return bits.every((word) => word === 0);
}
