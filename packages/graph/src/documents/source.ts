import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type ParsedNode,
  parseAllDocuments,
  visit,
} from 'yaml';
import { DOCUMENT_LIMITS, type GraphFile, type Place } from './format.ts';
import type { DocumentProblem, DocumentProblemCode } from './problems.ts';

/** One file's tree with the means to tell a place in it. */
export type Source = {
  readonly file: string;
  readonly root: ParsedNode | null;
  readonly problems: DocumentProblem[];
  readonly place: (node: Node | null, path: string) => Place;
};

/** Reads YAML 1.2, which takes in JSON. Aliases, tags and merge keys are faults: a document is plain data. */
export function readSource({ file, text }: GraphFile): Source {
  const lines = new LineCounter();
  const problems: DocumentProblem[] = [];
  const at = (offset: number, path: string): Place => {
    const { line, col } = lines.linePos(Math.min(Math.max(offset, 0), text.length));
    return { file, line: Math.max(line, 1), column: Math.max(col, 1), path };
  };
  const place = (node: Node | null, path: string): Place => at(node?.range?.[0] ?? 0, path);
  const fail = (code: DocumentProblemCode, message: string, where: Place): Source => {
    problems.push({ ...where, code, message, suggestion: null });
    return { file, root: null, problems, place };
  };
  const excess = findExcess(text);
  if (excess !== null) return fail('document.limit', excess.message, at(excess.offset, ''));
  const document = parseOne(text, lines);
  if (typeof document === 'string') return fail('document.syntax', document, at(0, ''));
  for (const { pos, message } of distinct(document.errors)) {
    problems.push({ ...at(pos[0], ''), code: 'document.syntax', message: firstLine(message), suggestion: null });
  }
  notePlainness(document, problems, place);
  return { file, root: problems.length > 0 ? null : document.contents, problems, place };
}

function parseOne(text: string, lineCounter: LineCounter): Document.Parsed | string {
  try {
    const parsed = parseAllDocuments(text, {
      lineCounter,
      strict: true,
      // It looks at every key before for each one; `readMap` finds repeated keys.
      uniqueKeys: false,
      stringKeys: false,
      merge: false,
      prettyErrors: false,
      logLevel: 'silent',
    });
    if (!Array.isArray(parsed) || parsed.length === 0) return 'the file is empty';
    if (parsed.length > 1) return 'a file holds one document';
    return parsed[0] as Document.Parsed;
  } catch (error) {
    return error instanceof RangeError ? 'the file is nested too deep' : 'the file cannot be read';
  }
}

/** The parser says some faults once for each thing that they leave open. */
function distinct(errors: Document.Parsed['errors']): Document.Parsed['errors'] {
  const said = ({ pos, message }: (typeof errors)[number]): string => `${pos[0]} ${message}`;
  return [...new Map(errors.map((error) => [said(error), error])).values()];
}

function firstLine(message: string): string {
  return message.split('\n')[0] ?? message;
}

function notePlainness(
  document: Document.Parsed,
  problems: DocumentProblem[],
  place: (node: Node | null, path: string) => Place,
): void {
  const note = (node: Node, code: DocumentProblemCode, message: string): symbol => {
    problems.push({ ...place(node, ''), code, message, suggestion: null });
    return visit.BREAK;
  };
  visit(document, (_key, node) => {
    if (isAlias(node)) return note(node, 'document.alias', 'anchors and aliases are not for these documents');
    if (!isMap(node) && !isSeq(node) && !isScalar(node)) return undefined;
    if (node.anchor !== undefined)
      return note(node, 'document.alias', 'anchors and aliases are not for these documents');
    if (node.tag !== undefined && node.tag !== '!')
      return note(node, 'document.tag', 'tags are not for these documents');
    return undefined;
  });
}

/** A first look at the text alone, so that the parser never meets a text that is too long or too deep for it. */
function findExcess(text: string): { readonly message: string; readonly offset: number } | null {
  if (text.length > DOCUMENT_LIMITS.fileLength) {
    return { message: `the file has more than ${DOCUMENT_LIMITS.fileLength} characters`, offset: 0 };
  }
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit === 0x5b || unit === 0x7b) depth += 1;
    else if (unit === 0x5d || unit === 0x7d) depth = Math.max(0, depth - 1);
    // Brackets in text that are never closed count as well: a document of knowledge has no use for a thousand.
    if (depth > 1000) return { message: 'more than 1000 brackets are open at once', offset: index };
  }
  return findDeepIndent(text);
}

const DASHES = /^(?: *- ){65,}/m;

function findDeepIndent(text: string): { readonly message: string; readonly offset: number } | null {
  const dashes = DASHES.exec(text);
  if (dashes !== null) return { message: 'more than 64 lists are nested in one line', offset: dashes.index };
  /** The indents of the blocks that the line stands in. */
  const open: number[] = [];
  let offset = 0;
  for (const line of text.split('\n')) {
    const content = line.trimStart();
    // A comment ends no block.
    if (content.trim() !== '' && !content.startsWith('#')) {
      const indent = line.length - content.length;
      while (indent < (open.at(-1) ?? 0)) open.pop();
      if (indent > (open.at(-1) ?? 0)) open.push(indent);
    }
    if (open.length > 500) return { message: 'the file is nested too deep', offset };
    offset += line.length + 1;
  }
  return null;
}
