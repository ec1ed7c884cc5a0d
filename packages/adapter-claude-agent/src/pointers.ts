import type { Json, JsonObject } from '@warrant/core';

/** A text among arguments, with the JSON Pointer to it. */
export type TextLeaf = { readonly pointer: string; readonly text: string };

const MOST_LEAVES = 200;
const DEEPEST = 12;

/** The texts of arguments, first ones first; numbers count as the text they are written as. */
export function textLeaves(args: JsonObject): readonly TextLeaf[] {
  const leaves: TextLeaf[] = [];
  walk(args, '', 0, leaves);
  return leaves;
}

function walk(value: Json, pointer: string, depth: number, leaves: TextLeaf[]): void {
  if (leaves.length >= MOST_LEAVES || depth > DEEPEST || value === null) return;
  if (typeof value === 'string') leaves.push({ pointer, text: value });
  else if (typeof value === 'number') leaves.push({ pointer, text: String(value) });
  else if (typeof value === 'object') {
    const members = value as JsonObject;
    for (const name of Object.keys(members)) {
      if (leaves.length >= MOST_LEAVES) return;
      walk(members[name] as Json, `${pointer}/${escapeStep(name)}`, depth + 1, leaves);
    }
  }
}

/** The texts that a pointer names; a `*` step stands for every member. */
export function textsAt(value: Json, pointer: string): readonly string[] {
  let found: readonly Json[] = [value];
  for (const step of pointer.split('/').slice(1)) found = found.flatMap((item) => membersOf(item, unescapeStep(step)));
  return found.flatMap((item) => (typeof item === 'string' && item !== '' ? [item] : []));
}

function membersOf(value: Json, step: string): readonly Json[] {
  if (typeof value !== 'object' || value === null) return [];
  if (step === '*') return Array.isArray(value) ? (value as readonly Json[]) : Object.values(value);
  if (!Object.hasOwn(value, step)) return [];
  return [(value as JsonObject)[step] as Json];
}

function escapeStep(step: string): string {
  return step.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** A step of a JSON Pointer as the name that it stands for. */
export function unescapeStep(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}
