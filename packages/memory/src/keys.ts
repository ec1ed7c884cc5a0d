import { isWellFormed, type JsonObject, type MemoryRecord, type Reason } from '@warrant/core';
import { hasEscape, skeleton } from './lookalikes.ts';
import { scriptsOf } from './scripts.ts';

/** Longest key, in UTF-16 units. */
export const MAX_KEY_LENGTH = 512;

/** No agent and no provider writes here, whatever a permission file says. */
export const ALWAYS_PROTECTED: readonly string[] = ['skills', 'config/human', 'prompts/locked'];

const TIERS: readonly (readonly [prefix: string, tier: MemoryRecord['tier']])[] = [
  ['memory/working', 'working'],
  ['memory/episodic', 'episodic'],
  ['memory/long_term', 'long-term'],
  ['memory/org', 'org'],
  ['memory/provider', 'provider'],
];
const TIER_OF: ReadonlyMap<string, MemoryRecord['tier']> = new Map(TIERS);
/** Heads whose spelling must be exact, since rights and tiers hang on them. */
const FIXED_HEADS: readonly string[] = ['memory', ...TIERS.map(([prefix]) => prefix), ...ALWAYS_PROTECTED];

// Slashes and backslashes of other kinds.
const OTHER_SEPARATORS = /[\\\u2044\u2215\u2216\u29F5\u29F8\u29F9\uFE68\uFF0F\uFF3C]/u;
const JOINER = /(?<=[\p{L}\p{M}])[\u200C\u200D](?=[\p{L}\p{M}])/gu;
const JOINING =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gujarati}\p{Script=Gurmukhi}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Oriya}\p{Script=Mongolian}]/u;
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}\p{Default_Ignorable_Code_Point}]/u;
const BLANK_END = /^[\s\p{Z}]|[\s\p{Z}]$/u;
const PLAIN_SEGMENT = /^[a-z0-9_-]+$/;

export type KeyCheck =
  | { readonly type: 'canonical'; readonly key: string }
  | { readonly type: 'refused'; readonly reasons: readonly Reason[] };

/**
 * Whether a key is a canonical path. What is not canonical is refused, never mapped to something else.
 * @param protectedPrefixes more heads whose spelling must be exact, without a slash at the end
 */
export function checkKey(key: string, protectedPrefixes: readonly string[] = []): KeyCheck {
  const refused = (code: string, message: string, data: JsonObject = {}): KeyCheck => ({
    type: 'refused',
    reasons: [
      { code: `memory.${code}`, message, data, remedy: { key: 'a canonical path such as memory/working/topic' } },
    ],
  });
  if (typeof key !== 'string' || key === '') return refused('key-empty', 'the key is empty');
  if (key.length > MAX_KEY_LENGTH)
    return refused('key-too-long', 'the key is too long', { length: key.length, limit: MAX_KEY_LENGTH });
  if (!isWellFormed(key)) return refused('key-not-well-formed', 'the key has a lone surrogate');
  if (key.normalize('NFC') !== key) return refused('key-not-normal', 'the key is not in Unicode form NFC');
  if (key.startsWith('/')) return refused('key-leading-slash', 'the key begins with a slash');
  if (OTHER_SEPARATORS.test(key)) return refused('key-separator', 'the key holds a separator other than a slash');
  if (hasEscape(key)) return refused('key-escape', 'the key holds a percent escape');
  const segments = key.split('/');
  for (const [index, segment] of segments.entries()) {
    const flaw = segmentFlaw(segment);
    if (flaw !== undefined) return refused(flaw.code, flaw.message, { segment: index });
  }
  const head = misspeltHead(segments, protectedPrefixes);
  if (head !== undefined)
    return refused('key-lookalike', 'the key begins like a reserved prefix, but is spelled otherwise', {
      prefix: head,
    });
  return { type: 'canonical', key };
}

function segmentFlaw(segment: string): { readonly code: string; readonly message: string } | undefined {
  if (segment === '') return { code: 'key-empty-segment', message: 'the key has an empty segment' };
  if (PLAIN_SEGMENT.test(segment)) return undefined;
  if (/^\.{0,2}$/.test(skeleton(segment))) return { code: 'key-dot-segment', message: 'the key has a dot segment' };
  const withoutJoiners = JOINING.test(segment) ? segment.replace(JOINER, '') : segment;
  if (UNPRINTABLE.test(withoutJoiners))
    return { code: 'key-control', message: 'the key holds a control or invisible character' };
  if (BLANK_END.test(segment)) return { code: 'key-blank-end', message: 'a segment begins or ends with a blank' };
  if (scriptsOf(segment).length > 1) return { code: 'key-mixed-scripts', message: 'a segment mixes scripts' };
  return undefined;
}

/** The reserved prefix that the key's first segments look like without being it. */
function misspeltHead(segments: readonly string[], more: readonly string[]): string | undefined {
  const looks: string[] = [];
  const look = (index: number): string => (looks[index] ??= skeleton(segments[index] as string));
  for (const head of more.length === 0 ? FIXED : [...FIXED, ...more.map(headOf)]) {
    const { parts, shapes } = head;
    if (segments.length < parts.length || shapes.some((shape, index) => look(index) !== shape)) continue;
    if (parts.some((part, index) => segments[index] !== part)) return parts.join('/');
  }
  return undefined;
}

type Head = { readonly parts: readonly string[]; readonly shapes: readonly string[] };

function headOf(prefix: string): Head {
  const parts = prefix.split('/');
  return { parts, shapes: parts.map(skeleton) };
}

const FIXED: readonly Head[] = FIXED_HEADS.map(headOf);

/** True when the key is the prefix or lies below it, segment by segment. */
export function isUnder(key: string, prefix: string): boolean {
  const root = prefix.endsWith('/') ? prefix.slice(0, -1) : prefix;
  return key === root || key.startsWith(`${root}/`);
}

/** The tier that a key's first segments say; `working` where they say none. */
export function tierOf(key: string): MemoryRecord['tier'] {
  const end = key.indexOf('/', key.indexOf('/') + 1);
  return TIER_OF.get(end === -1 ? key : key.slice(0, end)) ?? 'working';
}
