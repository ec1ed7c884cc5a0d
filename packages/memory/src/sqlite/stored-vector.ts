/** A copy, since the driver's buffers need not be aligned. */
export function toVector(bytes: Uint8Array): Float32Array {
  const copy = new Uint8Array(bytes);
  return new Float32Array(copy.buffer, 0, copy.byteLength >> 2);
}
