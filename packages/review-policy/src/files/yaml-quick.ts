type Value = null | boolean | number | string | Value[] | { [key: string]: Value };
type Reader = { readonly lines: readonly string[]; at: number };

const KEY = /^( *)([A-Za-z_][A-Za-z0-9_]*):(?: (.*))?$/;
const ITEM = /^( *)-(?: (.*))?$/;
const ODD_START = /^[&*!|>%@`?"{[\]},#:-]/;
const UNSUPPORTED = Symbol('unsupported');
type Unsupported = typeof UNSUPPORTED;

/**
 * Reads the plain block YAML of which almost all records consist, many times faster than a full parser; `undefined` for
 * everything else, which the full parser then reads. Both agree wherever this one answers.
 */
export function readQuickly(text: string): { readonly value: { [key: string]: Value } } | undefined {
  if (text.length > 262_144 || !/^[A-Za-z_]/.test(text) || /[\t\r\u0085\u2028\u2029\ufeff]/.test(text))
    return undefined;
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  const reader: Reader = { lines, at: 0 };
  const value = readMapping(reader, 0, 0);
  if (value === UNSUPPORTED || reader.at !== lines.length) return undefined;
  return { value };
}

function readMapping(reader: Reader, indent: number, depth: number): { [key: string]: Value } | Unsupported {
  const mapping: { [key: string]: Value } = {};
  if (depth > 20) return UNSUPPORTED;
  while (reader.at < reader.lines.length) {
    const match = KEY.exec(reader.lines[reader.at] as string);
    if (match === null) return indentOf(reader) < indent ? mapping : UNSUPPORTED;
    const [, blanks, key, rest] = match as unknown as [string, string, string, string | undefined];
    if (blanks.length < indent) return mapping;
    if (blanks.length > indent || Object.hasOwn(mapping, key) || key === '__proto__') return UNSUPPORTED;
    reader.at += 1;
    const value =
      rest === undefined || rest === '' ? readNested(reader, indent, depth) : readScalar(reader, rest, indent);
    if (value === UNSUPPORTED) return UNSUPPORTED;
    mapping[key] = value;
  }
  return mapping;
}

function indentOf(reader: Reader): number {
  const line = reader.lines[reader.at] as string;
  if (!ITEM.test(line)) return Number.POSITIVE_INFINITY;
  return line.length - line.trimStart().length;
}

function readNested(reader: Reader, indent: number, depth: number): Value | Unsupported {
  const next = reader.lines[reader.at];
  if (next === undefined) return null;
  const item = ITEM.exec(next);
  if (item !== null && (item[1] as string).length === indent) return readList(reader, indent);
  const key = KEY.exec(next);
  if (key === null) return UNSUPPORTED;
  const blanks = (key[1] as string).length;
  return blanks > indent ? readMapping(reader, blanks, depth + 1) : null;
}

function readList(reader: Reader, indent: number): Value[] | Unsupported {
  const list: Value[] = [];
  while (reader.at < reader.lines.length) {
    const match = ITEM.exec(reader.lines[reader.at] as string);
    if (match === null || (match[1] as string).length !== indent) return list;
    const rest = match[2];
    // Lists of mappings or of lists are left to the full parser.
    if (rest === undefined || rest === '' || rest.startsWith('- ') || rest === '-' || KEY.test(rest))
      return UNSUPPORTED;
    reader.at += 1;
    const value = readScalar(reader, rest, indent);
    if (value === UNSUPPORTED) return UNSUPPORTED;
    list.push(value);
  }
  return list;
}

function readScalar(reader: Reader, text: string, indent: number): Value | Unsupported {
  if (text === '[]') return [];
  if (text === '{}') return {};
  if (text.startsWith("'")) return readSingleQuoted(reader, text);
  if (ODD_START.test(text) && !/^-[^ ]/.test(text)) return UNSUPPORTED;
  if (text.startsWith(' ') || text.endsWith(' ')) return UNSUPPORTED;
  const folded = foldPlain(reader, text, indent);
  if (folded === UNSUPPORTED || / #|: |:$/.test(folded)) return UNSUPPORTED;
  return resolve(folded);
}

// A plain text goes on in lines that are indented deeper than its key.
function foldPlain(reader: Reader, text: string, indent: number): string | Unsupported {
  let folded = text;
  while (reader.at < reader.lines.length) {
    const line = reader.lines[reader.at] as string;
    const trimmed = line.trimStart();
    if (trimmed === '') return UNSUPPORTED;
    if (line.length - trimmed.length <= indent) return folded;
    if (KEY.test(line) || /[ ]$|^#| #|: |:$/.test(trimmed)) return UNSUPPORTED;
    folded += ` ${trimmed}`;
    reader.at += 1;
  }
  return folded;
}

function readSingleQuoted(_reader: Reader, text: string): string | Unsupported {
  const body = text.slice(1);
  const end = closing(body);
  if (end < 0 || end !== body.length - 1) return UNSUPPORTED;
  return body.slice(0, end).replaceAll("''", "'");
}

// Where the quote closes; a doubled quote stands for itself.
function closing(body: string): number {
  for (let index = body.indexOf("'"); index >= 0; index = body.indexOf("'", index)) {
    if (body[index + 1] !== "'") return index;
    index += 2;
  }
  return -1;
}

function resolve(text: string): Value | Unsupported {
  switch (text) {
    case 'null':
      return null;
    case 'true':
      return true;
    case 'false':
      return false;
    default:
      break;
  }
  if (/^[A-Za-z_\u0080-\uffff]/.test(text)) return /^(?:null|true|false)$/i.test(text) ? UNSUPPORTED : text;
  if (/^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,17})?$/.test(text)) return Number(text);
  // Ids such as 20260101-000000-aaaaaaaa are text; other shapes that start like numbers go to the full parser.
  return /^\d+-[0-9A-Za-z-]+$/.test(text) || /^[0-9a-f]{16,64}$/.test(text)
    ? isNumeric(text)
      ? UNSUPPORTED
      : text
    : UNSUPPORTED;
}

function isNumeric(text: string): boolean {
  return /^[-+]?[0-9.]+(?:[eE][-+]?\d+)?$/.test(text);
}
