import { type Document, isScalar, LineCounter, parseDocument, visit } from 'yaml';

/** A YAML 1.2 document as JSON, or why it is refused. */
export type YamlDocument =
  | { readonly type: 'document'; readonly value: unknown }
  | {
      readonly type: 'refused';
      readonly message: string;
      /** From 1; `null` when the fault has no single place. */
      readonly line: number | null;
      readonly column: number | null;
    };

// The schema is named, so that a `%YAML 1.1` line cannot bring back the words, merges and tags of that version.
const PARSING = {
  version: '1.2',
  schema: 'core',
  resolveKnownTags: false,
  merge: false,
  strict: true,
  // Both take time that grows with the square of a document that means harm: keys are compared below.
  uniqueKeys: false,
  prettyErrors: false,
} as const;

/** Largest document, in UTF-16 units. */
export const MAX_YAML_LENGTH = 1_048_576;
// YAML 1.2, 5.1: what a document may consist of. Others must be escaped.
const UNPRINTABLE = /[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;
const MAX_NESTING = 200;
const MAX_ALIASES = 100;

/**
 * Parses one YAML document strictly: repeated keys, tags outside the core schema, several documents, characters that are not printable, texts over 1 MiB,
 * nesting deeper than 200 and aliases that would blow the document up are refused. `yes`, `on`, `0777` and dates are strings.
 */
export function parseYaml(text: string): YamlDocument {
  const refusal = refuseEarly(text);
  if (refusal !== null) return refused(refusal);
  try {
    const lines = new LineCounter();
    const document = parseDocument(text, { ...PARSING, lineCounter: lines });
    const fault = document.errors[0] ?? document.warnings[0] ?? structuralFault(document);
    if (fault !== undefined) {
      const { line, col } = lines.linePos(fault.pos[0]);
      return refused(`${firstLine(fault.message)} at line ${line}, column ${col}`, line, col);
    }
    if (hasOddKey(document)) return refused('a key that is not a string');
    return { type: 'document', value: document.toJS({ maxAliasCount: MAX_ALIASES }) };
  } catch (error) {
    return refused(error instanceof Error ? firstLine(error.message) : 'unreadable');
  }
}

type Fault = { readonly message: string; readonly pos: readonly [number, ...number[]] };

function structuralFault(document: Document.Parsed): Fault | undefined {
  let found: Fault | undefined;
  let aliases = 0;
  visit(document, {
    // The library looks at all of them for each, and an empty map counts for nothing with it.
    Alias: (_, { range }) => {
      aliases += 1;
      if (aliases <= MAX_ALIASES) return undefined;
      found = { message: `more than ${MAX_ALIASES} aliases`, pos: [range?.[0] ?? 0] };
      return visit.BREAK;
    },
    Map: (_, { items }) => {
      const seen = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        if (seen.has(key.value)) {
          found = { message: 'Map keys must be unique', pos: [key.range?.[0] ?? 0] };
          return visit.BREAK;
        }
        seen.add(key.value);
      }
      return undefined;
    },
  });
  return found;
}

function hasOddKey(document: Document.Parsed): boolean {
  let found = false;
  visit(document, {
    Pair: (_, { key }) => {
      if (isScalar(key) && typeof key.value === 'string') return undefined;
      found = true;
      return visit.BREAK;
    },
  });
  return found;
}

function refuseEarly(text: string): string | null {
  if (text.length > MAX_YAML_LENGTH) return `longer than ${MAX_YAML_LENGTH} characters`;
  if (UNPRINTABLE.test(text)) return 'a character that YAML does not allow';
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit === 0x5b || unit === 0x7b) depth += 1;
    else if ((unit === 0x5d || unit === 0x7d) && depth > 0) depth -= 1;
    if (depth > MAX_NESTING) return `nested deeper than ${MAX_NESTING} levels`;
  }
  return isDeeplyIndented(text) ? `nested deeper than ${MAX_NESTING} levels` : null;
}

// Block nesting of one level takes at least one column, also in `- - - -`.
function isDeeplyIndented(text: string): boolean {
  return /^(?:[ ]|- ){200,}[^ \n]/m.test(text);
}

function refused(message: string, line: number | null = null, column: number | null = null): YamlDocument {
  return { type: 'refused', message, line, column };
}

function firstLine(message: string): string {
  return message.split('\n', 1)[0] as string;
}
