/** Whether a text has at most so many bytes of UTF-8. A UTF-16 unit takes at most three, so that short text needs no counting. */
export function fits(text: string, maxBytes: number): boolean {
  return text.length * 3 <= maxBytes || Buffer.byteLength(text) <= maxBytes;
}
