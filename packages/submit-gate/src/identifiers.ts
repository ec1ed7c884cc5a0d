import { clipText, type Json, type JsonObject } from '@warrant/core';
import { isWordAt, isWordBefore } from './text/characters.ts';
import { hashText, printed } from './text/hash.ts';

export type Naming = { readonly root: string; readonly directory?: string; readonly caseSensitive: boolean };

const LONGEST = 160;
/** From here on a set pays for itself. */
const FEW = 16;
const WRAPPED = /^(["'`<([{])(.*)(["'`>)\]}])$/s;
/** Signs at the end; they are looked at from their first on, so that a run of them costs no more than its length. */
const TRAILING = /(?<![,;:!?])[,;:!?]+$|(?<=[^./])\.$/;
const STOP_WORDS = new Set(
  (
    'a an and are as at be but by change check do done edit file files fix for from get has have i if in into is it its list make my no not ' +
    'now of off ok on or our out please put read run set show so than that the then there these this to true false null up update use value was ' +
    'we were what when where which will with write you your'
  ).split(' '),
);
const NAMING_FIELD =
  /^(?:file_?path|path|notebook_path|file_?name|file|files|paths|dir(?:ectory)?|folder|ur[li]|ids?|key|email|e_mail|name)$|(?:_ids?|Ids?|_path|Path|_file|File|_key|Key|_email|_name|_number)$/i;
const PROSE_FIELD =
  /^(?:description|content|contents|prompt|reason|explanation|text|body|message|thoughts?|comment|summary|new_string|old_string|new_str|old_str|file_text|data|title|note|query|pattern|old|new)$/i;

/**
 * The form in which identifiers are compared: composed Unicode, without wrapping quotes and closing punctuation, paths without
 * `.`, `..` and the root; longer ones than 160 characters as a beginning and a hash. Empty text gives null.
 */
export function canonicalIdentifier(raw: string, naming: Naming): string | null {
  if (isPlainName(raw)) return naming.caseSensitive ? raw : raw.toLowerCase();
  let text = raw.normalize('NFC').trim();
  const wrapped = WRAPPED.exec(text);
  if (wrapped !== null) text = (wrapped[2] as string).trim();
  text = text.replace(TRAILING, '');
  if (text.startsWith('file://')) text = text.slice('file://'.length);
  if (isPath(text)) text = canonicalPath(text, naming);
  if (!naming.caseSensitive) text = text.toLowerCase();
  if (text.length > LONGEST) return `${clipText(text, 100)}#${printed(hashText(text))}`;
  return text === '' ? null : text;
}

/** True for ASCII words, dots and dashes that do not end in a dot: already in their canonical form. */
function isPlainName(text: string): boolean {
  const { length } = text;
  if (length === 0 || length > LONGEST || text.charCodeAt(length - 1) === 46) return false;
  for (let at = 0; at < length; at += 1) {
    const code = text.charCodeAt(at);
    if (code > 127 || !(code === 45 || code === 46 || isWordAt(text, at))) return false;
  }
  return true;
}

function isPath(text: string): boolean {
  return (text.includes('/') && !text.includes('://')) || text === '.' || text === '..';
}

function canonicalPath(path: string, naming: Naming): string {
  const root = naming.root === '' ? (naming.directory ?? '') : naming.root;
  const absolute = path.startsWith('/');
  const from = !absolute && naming.directory !== undefined && naming.root !== '' ? `${naming.directory}/${path}` : path;
  const parts = resolved(from);
  const lead = from.startsWith('/');
  if (!lead || root === '') return `${lead ? '/' : ''}${parts.join('/')}` || '.';
  const base = resolved(root);
  if (parts.length >= base.length && base.every((part, index) => parts[index] === part)) {
    return parts.slice(base.length).join('/') || '.';
  }
  return `/${parts.join('/')}`;
}

function resolved(path: string): readonly string[] {
  const parts: string[] = [];
  const absolute = path.startsWith('/');
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else if (!absolute) parts.push('..');
  }
  return parts;
}

/** True when `path` is `folder` or lies below it, both in canonical form. */
export function isWithin(path: string, folder: string): boolean {
  return folder === '.'
    ? !path.startsWith('/') && !path.startsWith('..')
    : path === folder || path.startsWith(`${folder}/`);
}

/** True when one of them is the other or lies below it. */
export function isRelated(one: string, other: string): boolean {
  return isWithin(one, other) || isWithin(other, one);
}

/** Identifiers of free text: quoted phrases, addresses and paths whole, other words without those of a stop list. */
export function textIdentifiers(text: string, naming: Naming): readonly string[] {
  const found = new Set<string>();
  const phrases = /"([^"\n]{1,160})"|'([^'\n]{1,160})'|`([^`\n]{1,160})`|(\S+)/g;
  for (const match of clipText(text, 16_384).matchAll(phrases)) {
    const phrase = match[1] ?? match[2] ?? match[3] ?? (match[4] as string);
    const name = canonicalIdentifier(phrase, naming);
    if (name !== null && !STOP_WORDS.has(name.toLowerCase()) && /[\p{L}\p{N}]/u.test(name)) found.add(name);
  }
  return [...found];
}

/** Scalars at a JSON Pointer; a `*` step stands for every member. */
export function valuesAt(value: Json, pointer: string): readonly (string | number | boolean)[] {
  let level: readonly Json[] = [value];
  for (const step of pointer.split('/').slice(1)) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    level = level.flatMap((item) => {
      if (typeof item !== 'object' || item === null) return [];
      if (key === '*') return Object.values(item);
      return Object.hasOwn(item, key) ? [(item as JsonObject)[key] as Json] : [];
    });
  }
  return level.flatMap((item) => (Array.isArray(item) ? (item as readonly Json[]) : [item])).filter(isScalar);
}

function isScalar(value: Json): value is string | number | boolean {
  return value !== null && typeof value !== 'object';
}

/** Canonical identifiers at JSON Pointers. */
export function identifiersAt(value: Json, pointers: readonly string[], naming: Naming): readonly string[] {
  return unique(
    pointers.flatMap((pointer) => valuesAt(value, pointer).map((item) => canonicalIdentifier(String(item), naming))),
  );
}

function unique(names: readonly (string | null)[]): readonly string[] {
  const [only] = names;
  if (names.length === 1 && typeof only === 'string') return [only];
  const out: string[] = [];
  const seen = names.length > FEW ? new Set<string>() : null;
  for (const name of names) {
    if (name === null || (seen === null ? out.includes(name) : seen.has(name))) continue;
    out.push(name);
    seen?.add(name);
  }
  return out;
}

type Named = { readonly byField: (string | null)[]; readonly byValue: (string | null)[] };

/** What undeclared arguments name: fields that look like names, else every short value that is not prose. */
export function argumentIdentifiers(args: JsonObject, naming: Naming): readonly string[] {
  const bare = args['$text'];
  if (typeof bare === 'string') return textIdentifiers(bare, naming);
  const found: Named = { byField: [], byValue: [] };
  collect(args, { field: '', depth: 0 }, naming, found);
  return unique(found.byField.length > 0 ? found.byField : found.byValue);
}

function collect(
  value: Json,
  at: { readonly field: string; readonly depth: number },
  naming: Naming,
  found: Named,
): void {
  const { field, depth } = at;
  if (value === null || depth > 8) return;
  if (typeof value !== 'object') addNamed(field, value, naming, found);
  else if (Array.isArray(value)) {
    for (const item of value.slice(0, 64) as Json[]) collect(item, { field, depth: depth + 1 }, naming, found);
  } else {
    for (const key of Object.keys(value))
      collect((value as JsonObject)[key] as Json, { field: key, depth: depth + 1 }, naming, found);
  }
}

function addNamed(field: string, value: string | number | boolean, naming: Naming, found: Named): void {
  const kind = kindOfField(field);
  if (kind === 'prose' || (kind === 'other' && typeof value === 'boolean')) return;
  const text = String(value);
  if (kind === 'name') found.byField.push(canonicalIdentifier(text, naming));
  else if (text.length > LONGEST) return;
  else if (/\s/.test(text)) found.byValue.push(...textIdentifiers(text, naming));
  else found.byValue.push(canonicalIdentifier(text, naming));
}

type FieldKind = 'name' | 'prose' | 'other';
const FIELD_KINDS = new Map<string, FieldKind>();
const MOST_FIELDS = 500;

/** Tools use the same few names of fields again and again. */
function kindOfField(field: string): FieldKind {
  const known = FIELD_KINDS.get(field);
  if (known !== undefined) return known;
  const kind = NAMING_FIELD.test(field) ? 'name' : PROSE_FIELD.test(field) ? 'prose' : 'other';
  if (FIELD_KINDS.size < MOST_FIELDS && field.length <= LONGEST) FIELD_KINDS.set(field, kind);
  return kind;
}

function isNameCode(text: string, index: number): boolean {
  const letter = text.charCodeAt(index);
  // . - / @ beside word characters
  return letter === 46 || letter === 45 || letter === 47 || letter === 64 || isWordAt(text, index);
}

/** True when the text names the identifier as a whole, directly or below one of the folders; also as `a/x`, `b/x` of a diff. */
export function mentions(text: string, id: string, naming: Naming, folders: readonly string[] = []): boolean {
  const needles = new Set([
    id,
    ...folders.filter((folder) => folder !== '.' && isWithin(id, folder)).map((folder) => id.slice(folder.length + 1)),
  ]);
  const hay = naming.caseSensitive ? text : text.toLowerCase();
  for (const needle of needles) if (needle !== '' && findsWhole(hay, needle, naming)) return true;
  return false;
}

function findsWhole(text: string, needle: string, naming: Naming): boolean {
  let spent = 0;
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, spent)) {
    const after = at + needle.length;
    if (/\s/.test(needle)) {
      if (!isWordBefore(text, at) && !isWordAt(text, after)) return true;
      spent = at + 1;
      continue;
    }
    let start = at;
    while (start > spent && at - start < LONGEST && isNameCode(text, start - 1)) start -= 1;
    let end = after;
    while (end < text.length && end - after < LONGEST && isNameCode(text, end)) end += 1;
    const name = canonicalIdentifier(text.slice(start, end), naming);
    if (name === needle || name === `a/${needle}` || name === `b/${needle}`) return true;
    spent = Math.max(end, at + 1);
  }
  return false;
}
