import type { JsonObject } from '@warrant/core';
import type { FailureCatalogue, FailureEntry, FailureSigns } from './catalogue.ts';
import { isSaid, partsOf } from './match.ts';

export type CatalogueLintCode =
  | 'failures.shadowed'
  | 'failures.shadowed-sign'
  | 'failures.duplicate-key'
  | 'failures.no-signs'
  | 'failures.empty-pattern'
  | 'failures.self-edge';
export type CatalogueFinding = {
  readonly code: CatalogueLintCode;
  readonly key: string;
  readonly message: string;
  readonly data: JsonObject;
};

/** Entries that can never count, or can hardly be meant. */
export function lintFailureCatalogue(catalogue: FailureCatalogue): readonly CatalogueFinding[] {
  const findings: CatalogueFinding[] = [];
  const keys = new Set<string>();
  for (const [index, entry] of catalogue.entries()) {
    const { key, when } = entry;
    const find = (code: CatalogueLintCode, message: string, data: JsonObject = {}): void => {
      findings.push({ code, key, message, data });
    };
    if (keys.has(key)) find('failures.duplicate-key', `there are two entries '${key}'`);
    keys.add(key);
    if (signsOf(when).length === 0) find('failures.no-signs', `'${key}' fits every failure`);
    const empty = when.says?.find((pattern) => partsOf(pattern).length === 0);
    if (empty !== undefined) find('failures.empty-pattern', `a pattern of '${key}' says nothing`, { pattern: empty });
    if (entry.acts?.includes(entry.target) === true)
      find('failures.self-edge', `'${key}' may tie '${entry.target}' to itself`, { target: entry.target });
    const by = catalogue.slice(0, index).find((earlier) => shadows(earlier, entry));
    if (by !== undefined) find('failures.shadowed', `'${by.key}' counts wherever '${key}' would`, { by: by.key });
    else
      for (const { sign, value, earlier } of shadowedSigns(entry, catalogue.slice(0, index)))
        find(
          'failures.shadowed-sign',
          `'${earlier}' counts wherever '${key}' would by ${sign} ${JSON.stringify(value)}`,
          {
            by: earlier,
            sign,
            value,
          },
        );
  }
  return findings;
}

function signsOf(when: FailureSigns): readonly (keyof FailureSigns)[] {
  return (Object.keys(when) as (keyof FailureSigns)[]).filter((sign) => when[sign] !== undefined);
}

/** True when every failure that fits the later entry fits the earlier one too. */
function shadows({ when: earlier }: FailureEntry, { when: later }: FailureEntry): boolean {
  return signsOf(earlier).every((sign) => {
    const [wide, narrow] = [earlier[sign] as readonly unknown[], later[sign] as readonly unknown[] | undefined];
    if (narrow === undefined) return false;
    return narrow.every((value) => wide.some((other) => covers(sign, other, value)));
  });
}

type ShadowedSign = { readonly sign: string; readonly value: string | number; readonly earlier: string };

/** Signs of an entry by which it can never count, although it can by others. */
function shadowedSigns(entry: FailureEntry, before: FailureCatalogue): readonly ShadowedSign[] {
  return signsOf(entry.when).flatMap((sign) => {
    const values = entry.when[sign] as readonly (string | number)[];
    if (values.length < 2) return [];
    return values.flatMap((value) => {
      const alone = { ...entry, when: { ...entry.when, [sign]: [value] } };
      const by = before.find((earlier) => shadows(earlier, alone));
      return by === undefined ? [] : [{ sign, value, earlier: by.key }];
    });
  });
}

function covers(sign: keyof FailureSigns, wide: unknown, narrow: unknown): boolean {
  if (sign === 'says') return coversPattern(String(wide), String(narrow));
  if (sign === 'tool' && String(wide).endsWith('*')) return String(narrow).startsWith(String(wide).slice(0, -1));
  return wide === narrow;
}

/** Whatever says the narrow pattern says the wide one: its parts lie, in order, in the parts of the narrow one. */
function coversPattern(wide: string, narrow: string): boolean {
  const text = partsOf(narrow).join('\u0000');
  return partsOf(wide).length > 0 && isSaid(wide, text);
}
