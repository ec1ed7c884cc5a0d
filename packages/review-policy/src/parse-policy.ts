import { type Digest, digest, isWarrantError, isWellFormed, type JsonObject } from '@warrant/core';
import type { Condition, Expression } from './conditions.ts';
import { EXTENSIONS, type ExtensionName, parseExtended, parseGroups, parseQuorum } from './extensions.ts';
import {
  checkKeys,
  checkName,
  checkNumber,
  createFaults,
  type Faults,
  isMapping,
  member,
  readTexts,
  sortFaults,
} from './faults.ts';
import { CLAIM_TYPES, DEFAULT_KINDS, type KindTable } from './kinds.ts';
import { ACTIONS, type Action, LIMITS, type ParsedPolicy, type Rule } from './policy.ts';
import { isLongerThan } from './text.ts';

export type ParseOptions = {
  /** Kinds that rules may name. @default the kinds of a vouch knowledge base */
  readonly kinds?: KindTable;
  /** Compiles the expressions of the extension `cel`; without it such conditions never allow anything. */
  readonly compileExpression?: (source: string) => Expression | { readonly type: 'fault'; readonly message: string };
};

type Reading = {
  readonly faults: Faults;
  readonly kinds: KindTable;
  readonly extensions: ReadonlySet<ExtensionName>;
  readonly groups: ReadonlyMap<string, readonly string[]>;
  readonly options: ParseOptions;
};

const RULE_KEYS: readonly string[] = ['name', 'when', 'action', 'reason'];
const WHEN_KEYS: readonly string[] = [
  'actor',
  'actor_not_in',
  'kind',
  'claim_type',
  'min_confidence',
  'max_confidence',
  'has_evidence',
  'payload_has',
];

/**
 * Reads the value of `review.policy`. `null` and `undefined` mean that no policy is set; anything that is not
 * exactly as described yields every fault instead of a policy, so that a slip never widens what is approved.
 */
export function parsePolicy(value: unknown, options: ParseOptions = {}): ParsedPolicy {
  if (value === null || value === undefined) return { type: 'none' };
  const faults = createFaults();
  const invalid = (): ParsedPolicy => ({ type: 'invalid', faults: sortFaults(faults.list) });
  if (!isMapping(value)) {
    faults.add('policy_bad_type', '');
    return invalid();
  }
  const extensions = readExtensions(member(value, 'extensions'), faults);
  checkKeys(value, (key) => isPolicyKey(key, extensions), '', faults);
  const reading: Reading = {
    faults,
    kinds: options.kinds ?? DEFAULT_KINDS,
    extensions,
    groups: extensions.has('groups') ? parseGroups(member(value, 'groups'), faults) : new Map(),
    options,
  };
  const fallback = readAction(member(value, 'default'), '/default', faults) ?? 'require_human';
  const rules = readRules(member(value, 'rules'), reading);
  if (faults.list.length > 0) return invalid();
  const document = structuredClone(value) as JsonObject;
  const name = nameOf(document, faults);
  if (name === null) return invalid();
  return {
    type: 'policy',
    default: fallback,
    rules,
    groups: reading.groups,
    extensions: [...extensions],
    kinds: reading.kinds,
    document,
    digest: name,
  };
}

/** The document's digest; a fault where it is not JSON. */
function nameOf(document: JsonObject, faults: Faults): Digest | null {
  try {
    return digest(document);
  } catch (error) {
    if (!isWarrantError(error, 'JSON_INVALID')) throw error;
    faults.add('policy_bad_type', typeof error.data.path === 'string' ? error.data.path : '');
    return null;
  }
}

function isPolicyKey(key: string, extensions: ReadonlySet<ExtensionName>): boolean {
  if (key === 'default' || key === 'rules' || key === 'extensions') return true;
  return key === 'groups' && extensions.has('groups');
}

function readExtensions(value: unknown, faults: Faults): ReadonlySet<ExtensionName> {
  if (value === undefined) return new Set();
  const accepts = (text: string): boolean => EXTENSIONS.some((name) => name === text);
  return new Set(readTexts(value, '/extensions', faults, { limit: 64, entries: 16, accepts }) as ExtensionName[]);
}

function readAction(value: unknown, path: string, faults: Faults): Action | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'string') faults.add('policy_bad_type', path);
  else if (!ACTIONS.some((action) => action === value)) faults.add('policy_bad_value', path);
  else return value as Action;
  return undefined;
}

function readRules(value: unknown, reading: Reading): readonly Rule[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) {
    reading.faults.add('policy_bad_type', '/rules');
    return [];
  }
  if (value.length > LIMITS.rules) {
    reading.faults.add('policy_too_large', '/rules');
    return [];
  }
  const names = new Set<string>();
  return value.flatMap((item: unknown, index) => readRule(item, `/rules/${index}`, names, reading));
}

function readRule(value: unknown, path: string, names: Set<string>, reading: Reading): readonly Rule[] {
  const { faults, extensions } = reading;
  if (!isMapping(value)) {
    faults.add('policy_bad_type', path);
    return [];
  }
  const before = faults.list.length;
  const known = (key: string): boolean => RULE_KEYS.includes(key) || isQuorumKey(key, extensions);
  checkKeys(value, known, path, faults);
  for (const key of ['name', 'when', 'action'])
    if (!Object.hasOwn(value, key)) faults.add('policy_missing_key', `${path}/${key}`);
  const name = Object.hasOwn(value, 'name') ? readName(value['name'], `${path}/name`, names, faults) : null;
  const action = readAction(member(value, 'action'), `${path}/action`, faults);
  const reason = readReason(member(value, 'reason'), `${path}/reason`, faults);
  const when = Object.hasOwn(value, 'when') ? readWhen(value['when'], `${path}/when`, reading) : null;
  const quorum = extensions.has('quorum') ? parseQuorum(value, path, { action, groups: reading.groups, faults }) : null;
  if (faults.list.length > before || name === null || when === null || action === undefined) return [];
  return [{ name, action, reason, ...when, quorum }];
}

function isQuorumKey(key: string, extensions: ReadonlySet<ExtensionName>): boolean {
  return extensions.has('quorum') && (key === 'approvals' || key === 'roles');
}

function readName(value: unknown, path: string, names: Set<string>, faults: Faults): string | null {
  const fits = checkName(value, path, faults, LIMITS.name);
  if (typeof value !== 'string') return null;
  if (names.has(value)) faults.add('policy_duplicate_name', path);
  names.add(value);
  return fits ? value : null;
}

function readReason(value: unknown, path: string, faults: Faults): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string') faults.add('policy_bad_type', path);
  else if (!isWellFormed(value)) faults.add('policy_bad_value', path);
  else if (isLongerThan(value, LIMITS.reason)) faults.add('policy_too_large', path);
  else return value === '' ? null : value;
  return null;
}

type Conditions = Omit<Rule, 'name' | 'action' | 'reason' | 'quorum'>;

function readWhen(value: unknown, path: string, reading: Reading): Conditions | null {
  const { faults } = reading;
  if (!isMapping(value)) {
    faults.add('policy_bad_type', path);
    return null;
  }
  const extended: Condition[] = parseExtended(value, path, reading);
  checkKeys(value, (key) => WHEN_KEYS.includes(key) || isExtendedKey(key, reading.extensions), path, faults);
  const texts = (key: string, accepts?: (text: string) => boolean): readonly string[] | null =>
    Object.hasOwn(value, key)
      ? readTexts(value[key], `${path}/${key}`, faults, {
          limit: LIMITS.value,
          entries: LIMITS.entries,
          ...(accepts && { accepts }),
        })
      : null;
  const set = (list: readonly string[] | null): ReadonlySet<string> | null => list && new Set(list);
  const number = (key: string): number | null => {
    if (!Object.hasOwn(value, key)) return null;
    const found = value[key];
    return checkNumber(found, `${path}/${key}`, faults, { from: 0, to: 1 }) ? found : null;
  };
  return {
    actors: set(texts('actor')),
    notActors: set(texts('actor_not_in')),
    kinds: set(texts('kind', (text) => reading.kinds.has(text))),
    claimTypes: set(texts('claim_type', (text) => CLAIM_TYPES.includes(text))),
    minConfidence: number('min_confidence'),
    maxConfidence: number('max_confidence'),
    hasEvidence: readBoolean(value, 'has_evidence', path, faults),
    payloadHas: texts('payload_has'),
    extended,
  };
}

function isExtendedKey(key: string, extensions: ReadonlySet<ExtensionName>): boolean {
  return extendedKeyOwner(key) !== null && extensions.has(extendedKeyOwner(key) as ExtensionName);
}

function extendedKeyOwner(key: string): ExtensionName | null {
  switch (key) {
    case 'actor_group':
    case 'actor_not_in_group':
      return 'groups';
    case 'actor_pattern':
    case 'actor_not_pattern':
      return 'patterns';
    case 'quota':
    case 'quota_exceeded':
      return 'quota';
    case 'time_window':
      return 'windows';
    case 'cel':
      return 'cel';
    case 'similar_to_existing':
      return 'similar';
    default:
      return null;
  }
}

function readBoolean(
  mapping: { readonly [key: string]: unknown },
  key: string,
  path: string,
  faults: Faults,
): boolean | null {
  if (!Object.hasOwn(mapping, key)) return null;
  const value = mapping[key];
  if (typeof value === 'boolean') return value;
  faults.add('policy_bad_type', `${path}/${key}`);
  return null;
}
