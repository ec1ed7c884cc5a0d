import { graphError } from '../errors.ts';
import { quote } from '../text.ts';
import { readConcepts } from './concepts.ts';
import { DOCUMENT_LIMITS, GRAPH_FORMAT, type GraphDocument, type GraphFile, type Place } from './format.ts';
import { type DocumentProblem, formatProblem, sortProblems } from './problems.ts';
import { type At, isNothing, note, noteUnknown, readMap, readText } from './reader.ts';
import { readSource } from './source.ts';

/** What reading gave: documents, or every fault with its line. */
export type ParsedDocuments =
  | { readonly type: 'parsed'; readonly documents: readonly GraphDocument[] }
  | InvalidDocuments;

/** Documents with faults. `importProblems` adds the faults that only the graph shows. */
export type InvalidDocuments = {
  readonly type: 'invalid';
  readonly problems: readonly DocumentProblem[];
  /** What could be read; none where the concepts of a file could not, since any target might be one of them. */
  readonly documents: readonly GraphDocument[];
};

const KEYS = ['format', 'name', 'description', 'concepts'];

/**
 * Reads one or many `warrant.graph/1` files (YAML or JSON) that belong together: a name may stand in one of them only.
 * What a target names may also come from the graph, so it is looked at when the import is planned.
 * @throws GRAPH_LIMIT for more than 1000 files
 */
export function parseGraphDocuments(files: readonly GraphFile[]): ParsedDocuments {
  if (files.length > DOCUMENT_LIMITS.files) {
    throw graphError('GRAPH_LIMIT', `more than ${DOCUMENT_LIMITS.files} files`, { limit: DOCUMENT_LIMITS.files });
  }
  const problems: DocumentProblem[] = [];
  const documents: GraphDocument[] = [];
  for (const file of files) {
    const read = readDocument(file);
    problems.push(...read.problems);
    if (read.document !== null) documents.push(read.document);
  }
  problems.push(...findDuplicates(documents));
  if (problems.length === 0) return { type: 'parsed', documents };
  return {
    type: 'invalid',
    problems: boundProblems(
      problems,
      files.map(({ file }) => file),
    ),
    documents: documents.length === files.length ? documents : [],
  };
}

/** At most 100 of them, in order. */
export function boundProblems(
  problems: readonly DocumentProblem[],
  files: readonly string[],
): readonly DocumentProblem[] {
  return sortProblems(problems, files).slice(0, DOCUMENT_LIMITS.problems);
}

/** The error for callers that have no use for a list. @returns GRAPH_DOCUMENT_INVALID with the problems as data */
export function documentError(problems: readonly DocumentProblem[]): Error {
  const first = problems[0] as DocumentProblem;
  const more = problems.length > 1 ? `, and ${problems.length - 1} more` : '';
  return graphError('GRAPH_DOCUMENT_INVALID', `${formatProblem(first)}${more}`, { problems });
}

function readDocument(file: GraphFile): { document: GraphDocument | null; problems: readonly DocumentProblem[] } {
  const source = readSource(file);
  if (source.problems.length > 0) return { document: null, problems: source.problems };
  const root: At = { source, node: source.root, path: '' };
  const document = isNothing(root) ? note(root, 'document.format', 'the file is empty') : readRoot(root);
  return { document: document ?? null, problems: source.problems };
}

function readRoot(root: At): GraphDocument | undefined {
  const members = readMap(root, 'a document');
  if (members === undefined) return undefined;
  noteUnknown(members, KEYS, 'a document');
  const find = (key: string): At | undefined => members.find((member) => member.key === key)?.value;
  const [format, name, description, concepts] = KEYS.map(find);
  const given = format === undefined ? undefined : readText(format, 'the format', 200);
  if (format === undefined) note(root, 'document.format', `the first line has to be 'format: ${GRAPH_FORMAT}'`);
  else if (given !== undefined && given !== GRAPH_FORMAT) {
    note(format, 'document.format', `the format ${quote(given)} is not known`, GRAPH_FORMAT);
  }
  if (name === undefined) note(root, 'document.format', 'a document has a name');
  if (concepts === undefined) note(root, 'document.format', 'a document has concepts');
  const called = name === undefined ? undefined : readText(name, 'the name', 200);
  const about =
    description === undefined || isNothing(description) ? null : readText(description, 'the description', 10_000);
  const read = concepts === undefined ? undefined : readConcepts(concepts);
  if (read === undefined) return undefined;
  return { name: called ?? '', file: root.source.file, description: about ?? null, concepts: read };
}

function findDuplicates(documents: readonly GraphDocument[]): readonly DocumentProblem[] {
  const problems: DocumentProblem[] = [];
  const names = new Map<string, { readonly name: string; readonly place: Place }>();
  const ids = new Map<string, Place>();
  const called = new Map<string, string>();
  let count = 0;
  for (const document of documents) {
    const other = called.get(document.name);
    if (other !== undefined) {
      const where = { file: document.file, line: 1, column: 1, path: '/name' };
      const message = `the document name ${quote(document.name)} is also that of ${other}`;
      problems.push({ ...where, code: 'document.duplicate-name', message, suggestion: null });
    }
    called.set(document.name, document.file);
    for (const { name, key, id, place } of document.concepts) {
      count += 1;
      const known = names.get(key);
      if (known !== undefined) {
        const message = `${quote(name)} is the same name as ${quote(known.name)} at ${known.place.file}:${known.place.line}`;
        problems.push({ ...place, code: 'document.duplicate-name', message, suggestion: null });
      }
      names.set(key, { name, place });
      if (id !== null && ids.has(id)) {
        problems.push({
          ...place,
          code: 'document.duplicate-id',
          message: `the id ${quote(id)} is used twice`,
          suggestion: null,
        });
      }
      if (id !== null) ids.set(id, place);
    }
  }
  if (count > DOCUMENT_LIMITS.concepts) {
    const where = { file: documents[0]?.file ?? '', line: 1, column: 1, path: '/concepts' };
    const message = `more than ${DOCUMENT_LIMITS.concepts} concepts`;
    problems.push({ ...where, code: 'document.limit', message, suggestion: null });
  }
  return problems;
}
