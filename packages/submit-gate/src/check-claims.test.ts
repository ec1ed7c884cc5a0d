import { describe, expect, it } from 'vitest';
import { claimedSignals } from './check-claims.ts';
import { createGate } from './index.ts';
import { Session } from './testing.ts';

describe('a text that says of checks that they pass', () => {
  it.each([
    ['All tests pass.', 'tests_passed'],
    ['I ran the tests and they pass.', 'tests_passed'],
    ['All 14 tests in tests/test_slug.py pass.', 'tests_passed'],
    ['`pytest` passes', 'tests_passed'],
    ['pytest: 5 passed.', 'tests_passed'],
    ['- [x] tests pass', 'tests_passed'],
    ['**Tests**: all passing ✅', 'tests_passed'],
    ['No failing tests.', 'tests_passed'],
    ['The change is in, with passing tests.', 'tests_passed'],
    ['I updated a.py to use dashes; the test suite is green', 'tests_passed'],
    ['Everything type-checks.', 'types_passed'],
    ['tsc reports no errors', 'types_passed'],
    ['eslint passes without warnings', 'lint_passed'],
    ['mypy and ruff are both clean', 'types_passed lint_passed'],
    ['The test suite is green, lint is clean, and tsc reports no errors.', 'tests_passed types_passed lint_passed'],
  ])('%s', (text, signals) => {
    expect(claimedSignals(text).join(' ')).toBe(signals);
  });

  it.each([
    'The tests do not pass yet.',
    'Tests should pass now.',
    'Run npm test to make sure the tests pass.',
    'Once the tests pass, merge.',
    'The README says that all tests pass.',
    'The test passes a path to the loader.',
    'Do the tests pass?',
    'The tests passed before my change.',
    'I added a test for the parser.',
    '3 of 5 tests pass, 2 fail.',
    'Tests are failing.',
    'The order ships on Monday.',
    '```\n5 tests passed\n```',
  ])('not: %s', (text) => {
    expect(claimedSignals(text)).toEqual([]);
  });

  it.each(['test '.repeat(4_000), `test${' '.repeat(20_000)}x`, 'a:'.repeat(9_000), '0 tests '.repeat(2_500)])(
    'is read in no time, however it is built',
    (text) => {
      expect(claimedSignals(text)).toEqual([]);
    },
  );
});

describe('who says that a check passes needs its fresh signal', () => {
  const after = (...runs: readonly (readonly [command: string, result: string, outcome?: 'error'])[]): Session => {
    const session = new Session(createGate({ preset: 'coding', settings: { failedChecks: 'allow' } }));
    for (const [command, result, outcome = 'ok'] of runs)
      session.run({ tool: 'Bash', args: { command }, result, outcome });
    return session;
  };
  const change = ['sed -i s/x/y/ a.py', ''] as const;
  const look = ['cat a.py', 'y'] as const;
  const failed = ['pytest -q', '1 failed in 0.10s', 'error'] as const;
  const passed = ['pytest -q', '2 passed in 0.10s'] as const;
  const say = (session: Session, type: string, text: string): readonly string[] =>
    session.gate.submit(session.state, { type, text }).verdict.reasons.map((item) => item.code);

  it.each([
    ['that failed', [failed, look]],
    ['that never ran', [look]],
    ['that ran before the last change', [passed, change, look]],
  ] as const)('and is refused after one %s', (_name, runs) => {
    const codes = say(after(...runs), 'assertion', 'All tests pass.');
    expect(codes).toContain('gate.signal-missing');
  });

  it('and passes after one that passed since', () => {
    const session = after(change, look, failed, passed);
    expect(say(session, 'assertion', 'All tests pass.')).toEqual([]);
    expect(say(session, 'completion', 'I fixed it, and all tests pass.')).toEqual([]);
    expect(say(session, 'completion', 'I fixed it, and lint is clean.')).toEqual(['gate.signal-missing']);
  });

  it('and is told which check would help', () => {
    const { verdict } = after(look).gate.submit(after(look).state, { type: 'assertion', text: 'All tests pass.' });
    expect(verdict.legalNext[0]).toEqual({ type: 'check', signals: ['tests_passed'], obligations: [] });
  });

  it('where the gate knows of such checks, for positive claims, unless turned off', () => {
    const claim = { type: 'assertion', text: 'All tests pass.' };
    const codes = (gate: ReturnType<typeof createGate>, more = {}): readonly string[] => {
      const session = new Session(gate);
      session.run({ tool: 'look', args: {}, result: 'seen' });
      return gate.submit(session.state, { ...claim, ...more }).verdict.reasons.map((item) => item.code);
    };
    const look = { kind: 'read' } as const;
    expect(codes(createGate({ tools: { look } }))).toEqual([]);
    expect(codes(createGate({ tools: { look, run: { kind: 'check', signals: ['pytest'] } } }))).toHaveLength(1);
    expect(codes(createGate({ tools: { look, run: { kind: 'check', signals: ['tsc'] } } }))).toEqual([]);
    expect(codes(createGate({ tools: { look }, goals: ['tests_passed'] }))).toHaveLength(1);
    expect(codes(createGate({ preset: 'coding', tools: { look } }))).toHaveLength(1);
    expect(codes(createGate({ preset: 'coding', tools: { look } }), { stance: 'negative' })).toEqual([]);
    const off = createGate({ preset: 'coding', tools: { look }, settings: { claimedSignals: 'ignore' } });
    expect(codes(off)).toEqual([]);
  });
});
