import { createHmac } from 'node:crypto';
import { MAX_JSON_DEPTH } from '../canonical.ts';
import { WarrantError } from '../error.ts';
import type { Json, JsonObject } from '../json.ts';
import { setOwn } from '../own-member.ts';
import { DEFAULT_SECRET_PATTERNS, isSecretName, type SecretPattern } from './patterns.ts';
import { findPrivateKeys } from './private-keys.ts';
import { mergeSpans, type Span } from './spans.ts';

export type SecretOptions = {
  /** The workspace's key, at least 16 bytes. Under one key, equal secrets get equal marks. */
  readonly key: string | Uint8Array;
  /** @default DEFAULT_SECRET_PATTERNS */
  readonly patterns?: readonly SecretPattern[];
  /** Finds more: where in this text secrets stand. */
  readonly hook?: (text: string) => readonly Span[];
};

const MAX_PASSES = 8;
const MAX_KEPT_MARKS = 64;
const MARK = /\[secret:[0-9a-f]{16}\]/g;
const WHOLE_MARK = /^\[secret:[0-9a-f]{16}\]$/;
/** A named secret shorter than this, `token: "if"`, is none; a password may be as short as people make it. */
const MIN_TOKEN_LENGTH = 8;
const PASSWORD_NAME = /pass(?:word|wd|phrase)|pwd|secret/i;

/**
 * The value with every secret in texts and names replaced by `[secret:<16 hex>]`, an HMAC-SHA256 under the key: equal
 * secrets stay equal, different ones different. Marks that are there already stay. Takes time linear in the value.
 * @throws SECRETS_KEY_TOO_SHORT, JSON_TOO_DEEP
 */
export function replaceSecrets<T extends Json>(value: T, options: SecretOptions): T {
  return createSecretReplacer(options)(value);
}

/** The same, prepared once for many values. */
export function createSecretReplacer(options: SecretOptions): <T extends Json>(value: T) => T {
  const mark = createMarker(options.key);
  const find = createFinder(options);
  const isPlain = options.hook === undefined && isDefault(options) ? isPlainName : () => false;
  const inText = (text: string): string => {
    let clean = text;
    // What stood right beside a secret may show as one itself once that is gone.
    for (let pass = 0; pass < MAX_PASSES; pass += 1) {
      const spans = find(clean, pass === 0);
      if (spans.length === 0) break;
      clean = splice(clean, spans, mark);
    }
    return clean;
  };
  const inValue = (value: Json, depth: number): Json => {
    if (typeof value === 'string') return inText(value);
    if (typeof value !== 'object' || value === null) return value;
    if (depth >= MAX_JSON_DEPTH) {
      throw new WarrantError('JSON_TOO_DEEP', `JSON nested deeper than ${MAX_JSON_DEPTH} levels`, {
        data: { limit: MAX_JSON_DEPTH },
      });
    }
    if (Array.isArray(value)) return (value as readonly Json[]).map((item) => inValue(item, depth + 1));
    return inObject(value as JsonObject, depth + 1);
  };
  const inObject = (value: JsonObject, depth: number): JsonObject => {
    const clean: { [name: string]: Json } = {};
    for (const name of Object.keys(value)) {
      const member = value[name] as Json;
      if (isPlain(name)) setOwn(clean, name, inValue(member, depth));
      else setOwn(clean, inText(name), isNamedSecret(name, member) ? mark(member) : inValue(member, depth));
    }
    return clean;
  };
  return <T extends Json>(value: T) => inValue(value, 0) as T;
}

function isNamedSecret(name: string, member: Json): member is string {
  if (typeof member !== 'string' || member === '' || WHOLE_MARK.test(member) || !isSecretName(name)) return false;
  return member.length >= MIN_TOKEN_LENGTH || PASSWORD_NAME.test(name);
}

function createMarker(key: string | Uint8Array): (secret: string) => string {
  if (Buffer.byteLength(key) < 16) {
    throw new WarrantError('SECRETS_KEY_TOO_SHORT', 'the key for marking secrets needs at least 16 bytes');
  }
  const made = new Map<string, string>();
  return (secret) => {
    const known = made.get(secret);
    if (known !== undefined) return known;
    const mark = `[secret:${createHmac('sha256', key).update(secret).digest('hex').slice(0, 16)}]`;
    // The latest few: one secret often stands in one text many times, and none should be kept for long.
    if (made.size >= MAX_KEPT_MARKS) made.clear();
    made.set(secret, mark);
    return mark;
  };
}

type Finder = {
  readonly expression: RegExp;
  readonly hint: RegExp | undefined;
  readonly accepts: (secret: string) => boolean;
};

function createFinder(options: SecretOptions): (text: string, first: boolean) => readonly Span[] {
  const { patterns = DEFAULT_SECRET_PATTERNS, hook } = options;
  const { any, finders } = isDefault(options) ? defaults() : prepare(patterns);
  return (text, first) => {
    const hooked = first && hook !== undefined ? [...hook(text)] : [];
    if (any !== undefined && !any.test(text)) return hooked.length === 0 ? NO_SPANS : mergeSpans(hooked, text.length);
    const found = betweenMarks(text, (piece) =>
      any !== undefined && !any.test(piece)
        ? []
        : [...findPrivateKeys(piece), ...finders.flatMap((finder) => findAll(finder, piece))],
    );
    return mergeSpans(hooked.concat(found), text.length);
  };
}

const NO_SPANS: readonly Span[] = [];
type Prepared = { readonly any: RegExp | undefined; readonly finders: readonly Finder[] };

function prepare(patterns: readonly SecretPattern[]): Prepared {
  const hints = patterns.map((pattern) => pattern.hint);
  // One look at the text decides whether any pattern needs to be tried: most texts hold no secret.
  const any = hints.includes(undefined) ? undefined : new RegExp(['PRIVATE KEY', ...hints].join('|'), 'i');
  return { any, finders: patterns.map(toFinder) };
}

function isDefault({ patterns = DEFAULT_SECRET_PATTERNS }: SecretOptions): boolean {
  return patterns === DEFAULT_SECRET_PATTERNS;
}

let prepared: Prepared | undefined;

/** Expressions cost more to make than most values to look through. Those of patterns from outside are not shared: what accepts a match may itself look for secrets. */
function defaults(): Prepared {
  prepared ??= prepare(DEFAULT_SECRET_PATTERNS);
  return prepared;
}

const WORD = /^\w{1,24}$/;
const MAX_KEPT_NAMES = 1000;
const plainNames = new Set<string>();

/**
 * Whether a member's name holds no secret and says of none, by the default patterns, whose hints have every word that a
 * secret's name ends with. The same few names come again and again.
 */
function isPlainName(name: string): boolean {
  if (plainNames.has(name)) return true;
  if (!WORD.test(name) || defaults().any?.test(name) !== false) return false;
  if (plainNames.size >= MAX_KEPT_NAMES) plainNames.clear();
  plainNames.add(name);
  return true;
}

function toFinder(pattern: SecretPattern): Finder {
  const flags = pattern.pattern.ignoreCase ? 'gi' : 'g';
  return {
    expression: new RegExp(pattern.pattern.source, flags),
    hint: pattern.hint === undefined ? undefined : new RegExp(pattern.hint, 'i'),
    accepts: pattern.accepts ?? (() => true),
  };
}

function findAll(finder: Finder, text: string): readonly Span[] {
  const { expression, hint, accepts } = finder;
  if (hint !== undefined && !hint.test(text)) return [];
  const spans: Span[] = [];
  expression.lastIndex = 0;
  for (let match = expression.exec(text); match !== null; match = expression.exec(text)) {
    const start = match.index + (match.groups?.['before']?.length ?? 0);
    const end = match.index + match[0].length;
    if (end > start && accepts(text.slice(start, end))) spans.push({ start, end });
    if (match[0] === '') expression.lastIndex += 1;
  }
  return spans;
}

/** Marks from an earlier replacing are no secrets: what lies between them is looked at, each piece by itself. */
function betweenMarks(text: string, find: (piece: string) => readonly Span[]): readonly Span[] {
  if (!text.includes('[secret:')) return find(text);
  const spans: Span[] = [];
  let at = 0;
  const look = (end: number): void => {
    for (const span of find(text.slice(at, end))) spans.push({ start: at + span.start, end: at + span.end });
  };
  for (const mark of text.matchAll(MARK)) {
    look(mark.index);
    at = mark.index + mark[0].length;
  }
  look(text.length);
  return spans;
}

function splice(text: string, spans: readonly Span[], mark: (secret: string) => string): string {
  const parts: string[] = [];
  let at = 0;
  for (const { start, end } of spans) {
    parts.push(text.slice(at, start), mark(text.slice(start, end)));
    at = end;
  }
  parts.push(text.slice(at));
  return parts.join('');
}
