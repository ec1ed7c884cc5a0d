import type { Json, JsonObject } from '@warrant/core';
import type { GateConfig } from '@warrant/submit-gate';
import { textsAt, unescapeStep } from './pointers.ts';

/** What of a tool's answers does not make them new, said as data. */
export type NormalizerRule = {
  readonly tool: string;
  /** JSON Pointers to members that change with each answer; a `*` step stands for every member. */
  readonly drop?: readonly string[];
  /** What else does not count: digits, the case of letters, the order of lines. */
  readonly ignore?: readonly ('digits' | 'case' | 'order')[];
};

/** Which members of a tool's answers name what it looked at, said as data. */
export type ExtractorRule = { readonly tool: string; readonly at: readonly string[] };

/** Normalizers and extractors of a gate from rules; several rules for one tool hold together. */
export function textRules(
  normalizers: readonly NormalizerRule[],
  extractors: readonly ExtractorRule[],
): Pick<GateConfig, 'normalizers' | 'extractors'> {
  return {
    normalizers: Object.fromEntries(
      [...grouped(normalizers)].map(([tool, rules]) => [
        tool,
        { name: nameOf(rules), run: (text: string) => rules.reduce(normalized, text) },
      ]),
    ),
    extractors: Object.fromEntries(
      [...grouped(extractors)].map(([tool, rules]) => {
        const pointers = rules.flatMap(({ at }) => at);
        return [tool, { name: nameOf(rules), run: (_args: string, result: string) => named(result, pointers) }];
      }),
    ),
  };
}

function grouped<Rule extends { readonly tool: string }>(rules: readonly Rule[]): ReadonlyMap<string, readonly Rule[]> {
  const groups = new Map<string, Rule[]>();
  for (const rule of rules) groups.set(rule.tool, [...(groups.get(rule.tool) ?? []), rule]);
  return groups;
}

/** Rules are part of the gate's config, which is known by its digest: another rule has another name. */
function nameOf(rules: readonly object[]): string {
  return JSON.stringify(rules);
}

function normalized(text: string, { drop = [], ignore = [] }: NormalizerRule): string {
  const value = drop.length === 0 ? undefined : parsed(text);
  let out = value === undefined ? text : JSON.stringify(drop.reduce(without, value));
  if (ignore.includes('digits')) out = out.replace(/\p{Nd}+/gu, '0');
  if (ignore.includes('case')) out = out.toLowerCase();
  if (ignore.includes('order')) out = out.split('\n').sort().join('\n');
  return out;
}

function without(value: Json, pointer: string): Json {
  return withoutAt(value, pointer.split('/').slice(1));
}

function withoutAt(value: Json, [step, ...rest]: readonly string[]): Json {
  if (step === undefined || typeof value !== 'object' || value === null) return value;
  const name = unescapeStep(step);
  const meant = (key: string): boolean => step === '*' || key === name;
  if (Array.isArray(value)) {
    const items = value as readonly Json[];
    const kept = rest.length === 0 ? items.filter((_item, index) => !meant(String(index))) : items;
    return kept.map((item, index) => (rest.length > 0 && meant(String(index)) ? withoutAt(item, rest) : item));
  }
  const members = Object.entries(value as JsonObject);
  const kept = rest.length === 0 ? members.filter(([key]) => !meant(key)) : members;
  return Object.fromEntries(
    kept.map(([key, item]) => [key, rest.length > 0 && meant(key) ? withoutAt(item, rest) : item]),
  );
}

function named(result: string, pointers: readonly string[]): readonly string[] {
  const value = parsed(result);
  return value === undefined ? [] : pointers.flatMap((pointer) => textsAt(value, pointer));
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
