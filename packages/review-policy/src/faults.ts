import { isWellFormed } from '@warrant/core';
import type { FaultCode, PolicyFault } from './policy.ts';
import { compareCodePoints, hasBlankEnds, hasControl, isBlank, isLongerThan, pointerStep } from './text.ts';

/** Collects what is wrong with a document while it is read. */
export type Faults = {
  readonly list: PolicyFault[];
  add(code: FaultCode, path: string): void;
};

export function createFaults(): Faults {
  const list: PolicyFault[] = [];
  return { list, add: (code, path) => void list.push({ code, path }) };
}

/** Sorted by code, then by pointer, code point by code point. */
export function sortFaults(faults: readonly PolicyFault[]): readonly PolicyFault[] {
  return [...faults].sort((a, b) => compareCodePoints(a.code, b.code) || compareCodePoints(a.path, b.path));
}

export function isMapping(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Own members only: `__proto__` and the like are keys as any other. */
export function member(mapping: { readonly [key: string]: unknown }, key: string): unknown {
  return Object.hasOwn(mapping, key) ? mapping[key] : undefined;
}

export function checkKeys(
  mapping: { readonly [key: string]: unknown },
  known: (key: string) => boolean,
  path: string,
  faults: Faults,
): void {
  for (const key of Object.keys(mapping)) if (!known(key)) faults.add('policy_unknown_key', path + pointerStep(key));
}

/** A string of a condition: not blank, no lone surrogates, at most `limit` code points, `accepts` says whether the word is known. */
export function checkText(
  value: unknown,
  path: string,
  faults: Faults,
  options: { readonly limit: number; readonly accepts?: (text: string) => boolean },
): value is string {
  if (typeof value !== 'string') {
    faults.add('policy_bad_type', path);
    return false;
  }
  if (isBlank(value) || !isWellFormed(value) || (options.accepts !== undefined && !options.accepts(value))) {
    faults.add('policy_bad_value', path);
    return false;
  }
  if (isLongerThan(value, options.limit)) {
    faults.add('policy_too_large', path);
    return false;
  }
  return true;
}

/** A scalar or a list of strings, as the list that it stands for. */
export function readTexts(
  value: unknown,
  path: string,
  faults: Faults,
  options: { readonly limit: number; readonly entries: number; readonly accepts?: (text: string) => boolean },
): readonly string[] {
  if (!Array.isArray(value)) return checkText(value, path, faults, options) ? [value] : [];
  if (value.length === 0) faults.add('policy_empty_list', path);
  if (value.length > options.entries) {
    faults.add('policy_too_large', path);
    return [];
  }
  return value.filter((entry: unknown, index) => checkText(entry, `${path}/${index}`, faults, options));
}

/** A rule's name: no control characters, no blank at its ends. */
export function checkName(value: unknown, path: string, faults: Faults, limit: number): value is string {
  if (typeof value !== 'string') {
    faults.add('policy_bad_type', path);
    return false;
  }
  if (isBlank(value) || hasControl(value) || hasBlankEnds(value) || !isWellFormed(value)) {
    faults.add('policy_bad_value', path);
    return false;
  }
  if (isLongerThan(value, limit)) {
    faults.add('policy_too_large', path);
    return false;
  }
  return true;
}

/** A number from `from` to `to`, whole when asked. */
export function checkNumber(
  value: unknown,
  path: string,
  faults: Faults,
  range: { readonly from: number; readonly to: number; readonly whole?: boolean },
): value is number {
  if (typeof value !== 'number') {
    faults.add('policy_bad_type', path);
    return false;
  }
  const fits = value >= range.from && value <= range.to && (range.whole !== true || Number.isInteger(value));
  if (!fits) faults.add('policy_bad_value', path);
  return fits;
}
