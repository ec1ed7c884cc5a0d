import { type JsonObject, WarrantError } from '@warrant/core';
import { frozenJson, mutableJson } from './frozen-json.ts';

/** Turns positional arguments into the named ones of a call, and back. */
export interface ArgumentBinding {
  /**
   * @throws POLICY_NOT_JSON, POLICY_LONE_SURROGATE, POLICY_ARGUMENTS_UNNAMED
   */
  bind(args: readonly unknown[]): JsonObject;
  /** Copies of what was bound, for the tool to do with as it likes. */
  unbind(bound: JsonObject): readonly unknown[];
  /** Parameters before a rest. */
  readonly size: number;
  /** What was bound itself, frozen. */
  view(bound: JsonObject): readonly unknown[];
}

/** @throws POLICY_GUARD_OPTIONS for names that repeat, are empty or reserved, or a rest that is not the last. */
export function createBinding(parameters: readonly string[] | undefined): ArgumentBinding {
  if (parameters === undefined) return OBJECT_BINDING;
  const names = [...parameters];
  const last = names.at(-1);
  const rest = last?.startsWith('...') === true ? last.slice(3) : null;
  if (rest !== null) names.pop();
  assertNames(rest === null ? names : [...names, rest]);
  const positions = (bound: JsonObject): readonly unknown[] => {
    let length = names.length;
    while (length > 0 && !Object.hasOwn(bound, names[length - 1] as string)) length -= 1;
    const more = rest === null ? undefined : (bound[rest] as readonly unknown[] | undefined);
    if (more !== undefined && more.length > 0) length = names.length;
    const args: unknown[] = [];
    for (let index = 0; index < length; index += 1) args.push(argumentOf(bound, names[index] as string));
    return more === undefined ? args : [...args, ...more];
  };
  return {
    size: names.length,
    bind: (args) => bindNamed(names, rest, args),
    view: positions,
    unbind: (bound) => positions(bound).map((value) => (value === undefined ? undefined : mutableJson(value as never))),
  };
}

const OBJECT_BINDING: ArgumentBinding = {
  size: 1,
  bind: (args) => {
    const first = args[0];
    if (args.slice(1).some((value) => value !== undefined)) throw unnamed(`${args.length} arguments`);
    if (first === undefined) return EMPTY;
    if (typeof first !== 'object' || first === null || Array.isArray(first)) throw unnamed(kindOf(first));
    return frozenJson(first) as JsonObject;
  },
  view: (bound) => (bound === EMPTY ? [] : [bound]),
  unbind: (bound) => (bound === EMPTY ? [] : [mutableJson(bound)]),
};

/** Told apart from `{}` by identity: no argument at all. */
const EMPTY: JsonObject = Object.freeze({});

function bindNamed(names: readonly string[], rest: string | null, args: readonly unknown[]): JsonObject {
  const bound: { [name: string]: unknown } = {};
  for (const [index, value] of args.entries()) {
    const name = names[index];
    if (value === undefined || (name === undefined && rest !== null)) continue;
    if (name === undefined) throw tooMany(names, args.length);
    bound[name] = value;
  }
  if (rest !== null) bound[rest] = args.slice(names.length);
  return frozenJson(bound) as JsonObject;
}

function argumentOf(bound: JsonObject, name: string): unknown {
  return Object.hasOwn(bound, name) ? bound[name] : undefined;
}

function assertNames(names: readonly string[]): void {
  if (new Set(names).size !== names.length || names.some((name) => name === '' || name === '__proto__')) {
    throw new WarrantError('POLICY_GUARD_OPTIONS', 'parameters must be distinct, not empty and not reserved', {
      data: { option: 'parameters' },
    });
  }
}

function unnamed(given: string): WarrantError {
  return new WarrantError(
    'POLICY_ARGUMENTS_UNNAMED',
    `the guard has no \`parameters\`, so it takes one object of named arguments; ${given} came`,
  );
}

function tooMany(names: readonly string[], given: number): WarrantError {
  const known = names.length === 0 ? 'none' : names.join(', ').slice(0, 200);
  return new WarrantError(
    'POLICY_ARGUMENTS_UNNAMED',
    `${given} arguments came, and names are given for ${names.length}: ${known}`,
    { data: { given, named: names.length } },
  );
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}
