/** What no IRI holds (RFC 3987): it would make a graph that nobody can read. */
const FOREIGN = /[\p{Cc}\s<>"{}|^`\\]/gu;
const ABSOLUTE = /^[A-Za-z][A-Za-z0-9+.-]*:[^\s]+$/;

export function isAbsoluteIri(text: string): boolean {
  return ABSOLUTE.test(text) && text.search(FOREIGN) === -1;
}

/** An IRI as it is, other text with what is foreign to IRIs encoded. */
export function asIri(text: string): string {
  return text.replace(FOREIGN, encodeURIComponent);
}
