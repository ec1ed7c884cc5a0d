import type { ActorPattern, Condition, Expression, TimeWindow } from './conditions.ts';
import { checkKeys, checkName, checkNumber, checkText, type Faults, isMapping, member, readTexts } from './faults.ts';
import { type Action, LIMITS, type Quorum } from './policy.ts';
import { pointerStep } from './text.ts';

/** What a policy document may switch on with its `extensions` list. */
export type ExtensionName = 'groups' | 'patterns' | 'quota' | 'windows' | 'cel' | 'quorum' | 'similar';

export const EXTENSIONS: readonly ExtensionName[] = [
  'groups',
  'patterns',
  'quota',
  'windows',
  'cel',
  'quorum',
  'similar',
];

type Mapping = { readonly [key: string]: unknown };
type ExtensionReading = {
  readonly faults: Faults;
  readonly extensions: ReadonlySet<ExtensionName>;
  readonly groups: ReadonlyMap<string, readonly string[]>;
  readonly options: {
    readonly compileExpression?: (source: string) => Expression | { readonly type: 'fault'; readonly message: string };
  };
};

const DAYS: readonly string[] = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const CLOCK = /^([01]\d|2[0-3]):([0-5]\d)$/;
const DURATION = /^([1-9]\d{0,3})(m|h|d)$/;
const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** The `groups` of a policy: names, each with its actors. */
export function parseGroups(value: unknown, faults: Faults): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, readonly string[]>();
  if (value === undefined) return groups;
  if (!isMapping(value)) {
    faults.add('policy_bad_type', '/groups');
    return groups;
  }
  if (Object.keys(value).length > LIMITS.groups) {
    faults.add('policy_too_large', '/groups');
    return groups;
  }
  for (const [name, members] of Object.entries(value)) {
    const path = `/groups${pointerStep(name)}`;
    checkName(name, path, faults, LIMITS.name);
    groups.set(name, readTexts(members, path, faults, { limit: LIMITS.value, entries: LIMITS.entries }));
  }
  return groups;
}

/** The conditions of switched-on extensions in one `when`. */
export function parseExtended(when: Mapping, path: string, reading: ExtensionReading): Condition[] {
  const { extensions } = reading;
  const found: (Condition | null)[] = [];
  const read = (key: string, owner: ExtensionName, parse: (value: unknown, at: string) => Condition | null): void => {
    if (extensions.has(owner) && Object.hasOwn(when, key)) found.push(parse(when[key], `${path}/${key}`));
  };
  read('actor_group', 'groups', (value, at) => parseGroup('actor-group', value, at, reading));
  read('actor_not_in_group', 'groups', (value, at) => parseGroup('actor-not-in-group', value, at, reading));
  read('actor_pattern', 'patterns', (value, at) => parsePatterns('actor-pattern', value, at, reading.faults));
  read('actor_not_pattern', 'patterns', (value, at) => parsePatterns('actor-not-pattern', value, at, reading.faults));
  read('quota', 'quota', (value, at) => parseQuota('quota', value, at, reading.faults));
  read('quota_exceeded', 'quota', (value, at) => parseQuota('quota-exceeded', value, at, reading.faults));
  read('time_window', 'windows', (value, at) => parseWindows(value, at, reading.faults));
  read('cel', 'cel', (value, at) => parseExpression(value, at, reading));
  read('similar_to_existing', 'similar', (value, at) => parseSimilar(value, at, reading.faults));
  return found.filter((condition) => condition !== null);
}

/** `approvals` and `roles` of a rule; they are allowed on `require_human` only. */
export function parseQuorum(
  rule: Mapping,
  path: string,
  reading: {
    readonly action: Action | undefined;
    readonly groups: ReadonlyMap<string, readonly string[]>;
    readonly faults: Faults;
  },
): Quorum | null {
  const { faults } = reading;
  if (!Object.hasOwn(rule, 'approvals') && !Object.hasOwn(rule, 'roles')) return null;
  if (reading.action !== undefined && reading.action !== 'require_human') {
    faults.add('policy_bad_value', `${path}/${Object.hasOwn(rule, 'approvals') ? 'approvals' : 'roles'}`);
  }
  const approvals = Object.hasOwn(rule, 'approvals') ? rule['approvals'] : 1;
  const fits = checkNumber(approvals, `${path}/approvals`, faults, { from: 1, to: 16, whole: true });
  const roles = Object.hasOwn(rule, 'roles')
    ? readTexts(rule['roles'], `${path}/roles`, faults, {
        limit: LIMITS.name,
        entries: LIMITS.entries,
        accepts: (text) => reading.groups.has(text),
      })
    : null;
  return fits ? { approvals, roles } : null;
}

function parseGroup(
  type: 'actor-group' | 'actor-not-in-group',
  value: unknown,
  path: string,
  reading: ExtensionReading,
): Condition {
  const groups = readTexts(value, path, reading.faults, {
    limit: LIMITS.name,
    entries: LIMITS.entries,
    accepts: (text) => reading.groups.has(text),
  });
  return { type, groups, members: new Set(groups.flatMap((name) => reading.groups.get(name) ?? [])) };
}

function parsePatterns(
  type: 'actor-pattern' | 'actor-not-pattern',
  value: unknown,
  path: string,
  faults: Faults,
): Condition {
  const texts = readTexts(value, path, faults, {
    limit: LIMITS.value,
    entries: LIMITS.entries,
    accepts: (text) => !text.slice(0, -1).includes('*') && text !== '*',
  });
  const patterns = texts.map(
    (text): ActorPattern =>
      text.endsWith('*') ? { prefix: text.slice(0, -1), exact: false } : { prefix: text, exact: true },
  );
  return { type, patterns };
}

function parseQuota(type: 'quota' | 'quota-exceeded', value: unknown, path: string, faults: Faults): Condition | null {
  if (!isMapping(value)) {
    faults.add('policy_bad_type', path);
    return null;
  }
  checkKeys(value, (key) => key === 'limit' || key === 'per', path, faults);
  for (const key of ['limit', 'per'])
    if (!Object.hasOwn(value, key)) faults.add('policy_missing_key', `${path}/${key}`);
  if (!Object.hasOwn(value, 'limit') || !Object.hasOwn(value, 'per')) return null;
  const limit = value['limit'];
  const per = value['per'];
  // A limit of none would never hold, or always.
  const fits = checkNumber(limit, `${path}/limit`, faults, { from: 1, to: 1_000_000, whole: true });
  const isDuration = checkText(per, `${path}/per`, faults, { limit: 16, accepts: (text) => DURATION.test(text) });
  if (!fits || !isDuration) return null;
  const windowMs = durationMs(per);
  return { type, key: `quota:${limit}/${windowMs}`, limit, windowMs };
}

function durationMs(text: string): number {
  const [, count, unit] = DURATION.exec(text) as unknown as [string, string, string];
  return Number(count) * (UNIT_MS[unit] as number);
}

function parseWindows(value: unknown, path: string, faults: Faults): Condition {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (list.length === 0) faults.add('policy_empty_list', path);
  if (list.length > LIMITS.entries) faults.add('policy_too_large', path);
  const windows = list
    .slice(0, LIMITS.entries)
    .map((item, index) => parseWindow(item, Array.isArray(value) ? `${path}/${index}` : path, faults))
    .filter((window) => window !== null);
  return { type: 'window', key: `window:${JSON.stringify(windows)}`, windows };
}

function parseWindow(value: unknown, path: string, faults: Faults): TimeWindow | null {
  if (!isMapping(value)) {
    faults.add('policy_bad_type', path);
    return null;
  }
  checkKeys(value, (key) => key === 'days' || key === 'from' || key === 'to', path, faults);
  const clock = (key: 'from' | 'to', fallback: number): number => {
    if (!Object.hasOwn(value, key)) return fallback;
    const text = value[key];
    if (key === 'to' && text === '24:00') return 1440;
    if (!checkText(text, `${path}/${key}`, faults, { limit: 5, accepts: (time) => CLOCK.test(time) })) return fallback;
    return Number(text.slice(0, 2)) * 60 + Number(text.slice(3));
  };
  const days = Object.hasOwn(value, 'days')
    ? readTexts(member(value, 'days'), `${path}/days`, faults, {
        limit: 3,
        entries: 7,
        accepts: (text) => DAYS.includes(text),
      }).map((day) => DAYS.indexOf(day))
    : null;
  const window = { days, from: clock('from', 0), to: clock('to', 1440) };
  if (window.from === window.to) faults.add('policy_bad_value', path);
  return window;
}

function parseExpression(value: unknown, path: string, reading: ExtensionReading): Condition | null {
  if (!checkText(value, path, reading.faults, { limit: LIMITS.reason })) return null;
  const compiled = reading.options.compileExpression?.(value) ?? null;
  if (compiled !== null && typeof compiled !== 'function') {
    reading.faults.add('policy_bad_value', path);
    return null;
  }
  return { type: 'cel', key: `cel:${value}`, source: value, expression: compiled };
}

function parseSimilar(value: unknown, path: string, faults: Faults): Condition | null {
  if (typeof value === 'boolean') return { type: 'similar', key: 'similar', value };
  faults.add('policy_bad_type', path);
  return null;
}
