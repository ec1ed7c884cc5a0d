/** Where in a document something stands; lines and columns count from 1. */
export type Place = { readonly file: string; readonly line: number; readonly column: number };

/** What is wrong with a document a person wrote, where, and what would be right. */
export type DocumentFault = Place & {
  /** Stable, kebab-case: `unknown-key`, `wrong-type`, `duplicate-key`, ... */
  readonly code: string;
  /** JSON Pointer (RFC 6901) to the value, empty for the whole document. */
  readonly path: string;
  readonly message: string;
  /** What would be right, where that can be said in a few words. */
  readonly expected?: string;
};

/** Steps into a document, as keys and indexes. */
export type DocumentPath = readonly (string | number)[];

/** The steps as a JSON Pointer (RFC 6901). */
export function jsonPointer(path: DocumentPath): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** `file:line:column: message`, the form that editors and terminals understand. */
export function formatFault(fault: DocumentFault): string {
  const expected = fault.expected === undefined ? '' : ` (${fault.expected})`;
  return `${fault.file}:${fault.line}:${fault.column}: ${fault.message}${expected}`;
}
