import type { Place } from './format.ts';

/** What can be wrong with a document. */
export type DocumentProblemCode =
  | 'document.syntax'
  | 'document.alias'
  | 'document.tag'
  | 'document.duplicate-key'
  | 'document.limit'
  | 'document.format'
  | 'document.unknown-key'
  | 'document.unknown-relation'
  | 'document.type'
  | 'document.depth-range'
  | 'document.duplicate-name'
  | 'document.duplicate-id'
  | 'document.duplicate-relatum'
  | 'document.dangling-target'
  | 'document.cycle'
  | 'document.id-mismatch'
  | 'document.would-dangle';

/** One fault, at its line. `suggestion` is what was probably meant. */
export type DocumentProblem = Place & {
  readonly code: DocumentProblemCode;
  readonly message: string;
  readonly suggestion: string | null;
};

/** `graph.yaml:12:5: message (at /concepts/file; did you mean 'requires'?)` */
export function formatProblem(problem: DocumentProblem): string {
  const { file, line, column, message, path, suggestion } = problem;
  const meant = suggestion === null ? '' : `; did you mean '${suggestion}'?`;
  return `${file}:${line}:${column}: ${message} (at ${path === '' ? 'the document' : path}${meant})`;
}

/** In order of files as given, then lines. */
export function sortProblems(
  problems: readonly DocumentProblem[],
  files: readonly string[],
): readonly DocumentProblem[] {
  const order = new Map(files.map((file, index) => [file, index]));
  return [...problems].sort(
    (a, b) => (order.get(a.file) ?? 0) - (order.get(b.file) ?? 0) || a.line - b.line || a.column - b.column,
  );
}
