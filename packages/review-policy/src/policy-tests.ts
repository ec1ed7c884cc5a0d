import { WarrantError } from '@warrant/core';
import { checkRecord, toWireDecision } from './check.ts';
import type { EvaluationContext } from './conditions.ts';
import { isMapping, member } from './faults.ts';
import { ACTIONS, type Action, type Policy } from './policy.ts';

/** One example of a policy's tests. */
export type PolicyTest = {
  readonly name: string;
  readonly proposal: unknown;
  readonly context: EvaluationContext;
  readonly expect: { readonly action: Action; readonly rule?: string | null; readonly reason?: string };
};

export type PolicyTestResult = {
  readonly name: string;
  readonly passed: boolean;
  readonly expected: { readonly [key: string]: unknown };
  readonly actual: { readonly [key: string]: unknown };
};

export type PolicyTestReport = {
  readonly results: readonly PolicyTestResult[];
  readonly passed: number;
  readonly failed: number;
  /** Rules that decided no example. */
  readonly neverExercised: readonly string[];
};

/**
 * Reads the value of a test file: `tests: [{name, proposal, context?, expect: {action, rule?, reason?}}]`, with
 * proposals as vouch writes them and `context` in `known_ids`, `dry_run`, `now`, `similar`, `filed` (counts by window in milliseconds).
 * @throws REVIEW_TESTS_INVALID with the JSON pointer of the first fault
 */
export function readPolicyTests(value: unknown): readonly PolicyTest[] {
  const tests = isMapping(value) ? member(value, 'tests') : undefined;
  if (!Array.isArray(tests)) throw invalid('/tests', 'a list of tests');
  return tests.map((item: unknown, index) => readTest(item, `/tests/${index}`));
}

/** Runs the examples against the policy. */
export function runPolicyTests(policy: Policy, tests: readonly PolicyTest[]): PolicyTestReport {
  const exercised = new Set<string>();
  const results = tests.map((test): PolicyTestResult => {
    const decision = checkRecord(policy, test.proposal, test.context);
    if (decision.type !== 'invalid-proposal' && decision.rule !== null) exercised.add(decision.rule);
    const wire = toWireDecision(decision);
    const expected: { readonly [key: string]: unknown } = { ...test.expect };
    const actual: Record<string, unknown> = {};
    for (const key of Object.keys(expected)) actual[key] = key in wire ? wire[key] : null;
    if ('error' in wire) actual['error'] = wire['error'];
    const passed = !('error' in wire) && Object.keys(expected).every((key) => expected[key] === actual[key]);
    return { name: test.name, passed, expected, actual };
  });
  const passed = results.filter((result) => result.passed).length;
  return {
    results,
    passed,
    failed: results.length - passed,
    neverExercised: policy.rules.map((rule) => rule.name).filter((name) => !exercised.has(name)),
  };
}

function readTest(value: unknown, path: string): PolicyTest {
  if (!isMapping(value)) throw invalid(path, 'a mapping');
  for (const key of Object.keys(value)) {
    if (!['name', 'proposal', 'context', 'expect'].includes(key)) throw invalid(`${path}/${key}`, 'a known key');
  }
  const name = member(value, 'name');
  const expect = member(value, 'expect');
  if (typeof name !== 'string') throw invalid(`${path}/name`, 'a name');
  if (!isMapping(expect)) throw invalid(`${path}/expect`, 'a mapping');
  const action = member(expect, 'action');
  if (!ACTIONS.some((known) => known === action)) throw invalid(`${path}/expect/action`, ACTIONS.join(', '));
  for (const key of Object.keys(expect)) {
    if (!['action', 'rule', 'reason'].includes(key)) throw invalid(`${path}/expect/${key}`, 'action, rule or reason');
  }
  return {
    name,
    proposal: member(value, 'proposal'),
    context: readContext(member(value, 'context'), `${path}/context`),
    expect: expect as PolicyTest['expect'],
  };
}

function readContext(value: unknown, path: string): EvaluationContext {
  if (value === undefined || value === null) return {};
  if (!isMapping(value)) throw invalid(path, 'a mapping');
  const readers: Readonly<Record<string, (found: unknown) => EvaluationContext | null>> = {
    known_ids: (found) => (isTexts(found) ? { knownIds: new Set(found) } : null),
    dry_run: (found) => (typeof found === 'boolean' ? { dryRun: found } : null),
    now: (found) => (typeof found === 'string' ? { now: found } : null),
    similar: (found) => (typeof found === 'boolean' ? { similar: found } : null),
    filed: (found) => (isCounts(found) ? { filed: found } : null),
  };
  let context: EvaluationContext = {};
  for (const [key, found] of Object.entries(value)) {
    const read = Object.hasOwn(readers, key) ? readers[key]?.(found) : null;
    if (read === null || read === undefined) throw invalid(`${path}/${key}`, 'a known context value');
    context = { ...context, ...read };
  }
  return context;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
}

function isCounts(value: unknown): value is { readonly [windowMs: string]: number } {
  return isMapping(value) && Object.values(value).every((count) => typeof count === 'number');
}

function invalid(path: string, expected: string): WarrantError {
  return new WarrantError('REVIEW_TESTS_INVALID', `policy tests: expected ${expected} at ${path}`, { data: { path } });
}
