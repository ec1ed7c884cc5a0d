import { isObject } from './hook-input.ts';
import type { SessionState } from './session-state.ts';

// What lies in a file may be of another version, or damaged: nothing of it is taken for what it should be.

type Members = { readonly [name: string]: unknown };

/** True for a session of this version whose members are all of their kinds. */
export function isWhole(first: SessionState, kept: Members): boolean {
  return kept['version'] === first.version && faultyMembers(first, kept).length === 0 && isWholeGate(kept['gate']);
}

/** The members of a session that are missing or of another kind; the gate's own are its own to look at. */
export function faultyMembers(first: SessionState, kept: Members): readonly (keyof SessionState)[] {
  const names = Object.keys(first).filter((name) => name !== 'gate' && name !== 'version') as (keyof SessionState)[];
  const own = names.filter((name) => !isLike(name, first[name], kept[name]));
  return kept['approved'] === undefined || isListOf(kept['approved'], isText) ? own : [...own, 'approved'];
}

/** Members in which more than one kind of thing stands. */
const OWN: { readonly [name in keyof SessionState]?: (value: unknown) => boolean } = {
  sequence: (value) => Number.isSafeInteger(value) && (value as number) >= 0,
  checkpoint: (value) => value === null || isText(value),
  tasks: (value) => isObject(value) && Object.values(value).every(isText),
  agents: (value) => isObject(value) && Object.values(value).every(isCalled),
  spawns: (value) => isListOf(value, isCalled),
};

function isLike(name: keyof SessionState, first: unknown, value: unknown): boolean {
  const own = OWN[name];
  if (own !== undefined) return own(value);
  return Array.isArray(first) ? isListOf(value, isText) : typeof value === typeof first;
}

function isCalled(value: unknown): boolean {
  if (!isObject(value) || !isText(value['kind']) || !isTextOrNull(value['parent'])) return false;
  return value['orBy'] === undefined || isListOf(value['orBy'], isTextOrNull);
}

/** True where what the state of a gate holds of calls can be read; the gate looks at the rest itself. */
export function isWholeGate(gate: unknown): boolean {
  return isObject(gate) && isListOf(gate['open'], isOpen) && isListOf(gate['running'], isCall);
}

function isCall(value: unknown): boolean {
  if (!isObject(value) || !isText(value['id']) || !isText(value['tool'])) return false;
  return value['targets'] === null || isListOf(value['targets'], isText);
}

function isOpen(value: unknown): boolean {
  return isCall(value) && (Number.isFinite((value as Members)['ended']) || (value as Members)['ended'] === null);
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function isTextOrNull(value: unknown): boolean {
  return value === null || isText(value);
}

function isListOf(value: unknown, is: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(is);
}
