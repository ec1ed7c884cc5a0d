import { describe, expect, it } from 'vitest';
import { createGate, type GateConfig } from '../src/index.ts';
import { Session } from '../src/testing.ts';
import { type Act, bash, edit, read } from './coding-sessions.ts';

const fix = edit('/repo/src/a.ts', 'a - b', 'a + b');
const again = edit('/repo/src/a.ts', 'a + b', 'b + a');
const seen = read('/repo/src/a.ts', 'export const add = (a, b) => a + b;');
const seenAgain = read('/repo/src/a.ts', 'export const add = (a, b) => b + a;');
const PASSED = ' Test Files  1 passed (1)\n      Tests  3 passed (3)';
const FAILED = ' Test Files  1 failed (1)\n      Tests  1 failed | 2 passed (3)';
const green = bash('npm test', PASSED);
const red: Act = { ...bash('npm test', FAILED), failed: true };
const commit = bash('git commit -am fix', '[main 3f2a9c1] fix\n 1 file changed');

function after(acts: readonly Act[], config: GateConfig = {}): Session {
  const session = new Session(createGate({ preset: 'coding', root: '/repo', ...config }));
  for (const { tool, args, result, failed } of acts)
    session.run({ tool, args, result, outcome: failed === true ? 'error' : 'ok' });
  return session;
}
const codes = (session: Session): readonly string[] =>
  session.gate.submit(session.state, { type: 'completion' }).verdict.reasons.map((item) => item.code);

describe('a check that failed after a change', () => {
  it.each([
    ['and nothing since', [fix, seen, red]],
    ['and a look and a commit since', [fix, red, seen, commit]],
    ['and another change since', [fix, red, again, seenAgain]],
    ['whose failure was hidden', [fix, bash('npm test || true', FAILED), seen]],
    ['whose report came through a pipe', [fix, seen, bash('npx vitest run | tail -5', FAILED)]],
    ['that shows an error and no report', [fix, seen, { ...green, result: "Error: Cannot find module 'x'" }]],
    ['behind a pipe that failed', [fix, seen, { ...bash('npx mocha | tail -3', '  5 of them'), failed: true }]],
    ['and another check that passed', [fix, seen, { ...bash('npx eslint .', 'a.js: 1 error'), failed: true }, green]],
  ])('%s leaves nothing complete', (_name, acts) => {
    expect(codes(after(acts))).toEqual(['gate.check-failed']);
  });

  it.each([
    ['that passed since', [fix, seen, red, green]],
    ['that failed before anything was changed', [red, fix, seen]],
    ['that said nothing either way', [fix, seen, bash('npx mocha | tail -3', '  5 of them')]],
  ])('one %s does not', (_name, acts) => {
    expect(codes(after(acts))).toEqual([]);
  });

  it('is told with the check that would help, and in later turns too', () => {
    const session = after([fix, red, seen]);
    session.state = session.gate.beginTurn(session.state);
    session.run({ tool: seen.tool, args: seen.args, result: seen.result });
    const { verdict } = session.gate.submit(session.state, { type: 'completion' });
    expect(verdict.reasons.map((item) => [item.code, item.data['signal']])).toEqual([
      ['gate.check-failed', 'tests_passed'],
    ]);
    expect(verdict.legalNext[0]).toEqual({ type: 'check', signals: ['tests_passed'], obligations: [] });
  });

  it('ends by being reported, which takes back what the turn had verified', () => {
    const session = after([fix, red, seen]);
    const { state, verdict } = session.gate.submit(session.state, { type: 'unverified' });
    expect(verdict).toMatchObject({ type: 'accepted', reasons: [] });
    session.state = state;
    expect(codes(session)).toEqual(['gate.not-verified']);
    session.run({ tool: seen.tool, args: seen.args, result: seen.result });
    expect(codes(session)).toEqual([]);
  });

  it('is asked of no completion by other presets, nor where that is turned off', () => {
    expect(codes(after([fix, red, seen], { settings: { failedChecks: 'allow' } }))).toEqual([]);
    expect(createGate().config.settings.failedChecks).toBe('allow');
  });

  it('is kept by name, so many of them and so long', () => {
    const session = new Session(
      createGate({ preset: 'coding', commands: [{ words: ['x'], kind: 'check', signal: 's'.repeat(100) }] }),
    );
    session.run({ tool: fix.tool, args: fix.args, result: fix.result });
    session.run({ tool: 'Bash', args: { command: 'x' }, result: 'no', outcome: 'error' });
    expect(session.state.failing).toEqual(['s'.repeat(64)]);
    session.run({ tool: 'Bash', args: { command: 'x' }, result: 'yes' });
    expect(session.state.failing).toEqual([]);
  });

  it('is one of the last 32', () => {
    const names = Array.from({ length: 40 }, (_, index) => `s${index}`);
    const commands = names.map((name) => ({ words: [name], kind: 'check' as const, signal: name }));
    const session = new Session(createGate({ preset: 'coding', commands }));
    session.run({ tool: fix.tool, args: fix.args, result: fix.result });
    for (const name of names) session.run({ tool: 'Bash', args: { command: name }, result: 'no', outcome: 'error' });
    expect(session.state.failing).toEqual(names.slice(8));
  });

  it('is not kept of a check without a signal', () => {
    const session = after([fix, seen], { tools: { verify: { kind: 'check' } } });
    session.run({ tool: 'verify', args: {}, result: 'no', outcome: 'error' });
    expect(session.state.failing).toEqual([]);
  });

  it('refuses completions only', () => {
    const session = after([fix, seen, red, seenAgain], { goals: ['lint_passed'] });
    const assertion = session.gate.submit(session.state, { type: 'assertion', text: 'The file adds.' });
    expect(assertion.verdict).toMatchObject({ type: 'accepted', reasons: [] });
    expect(codes(session)).toEqual(['gate.signal-missing', 'gate.check-failed']);
  });
});

describe('a run in which nothing was checked is no pass', () => {
  it.each([
    ['make test', "make: 'test' is up to date."],
    ['make test', "make[1]: Nothing to be done for 'test'."],
    ['npx mocha', '\n  0 passing (1ms)\n'],
    ['bundle exec rspec', 'No examples found.\n\n0 examples, 0 failures'],
    ['dotnet test', 'No test is available in x.dll.'],
    ['mvn test', '[INFO] No tests to run.\n[INFO] BUILD SUCCESS'],
    ['./gradlew test', '> Task :test NO-SOURCE\n\nBUILD SUCCESSFUL in 1s'],
    ['phpunit', 'No tests executed!'],
    ['deno test', 'ok | 0 passed | 0 failed (0ms)'],
    ['bun test', ' 0 pass\n 0 fail\n'],
    ['python3 -m unittest', 'Ran 0 tests in 0.000s\n\nOK'],
    ['ctest', 'No tests were found!!!'],
    ['npm test', '> app@1.0.0 test\n> echo "Error: no test specified"\n\nError: no test specified'],
    ['npm test', 'Command running in background with ID: b1'],
    ['npm test', 'Command timed out after 120000ms'],
    ['mypy src', 'Success: no issues found in 0 source files'],
    ['ruff check .', 'warning: No Python files found under the given path(s)\nAll checks passed!'],
    ['pytest --fixtures', 'tmp_path -- a folder'],
    ['go test -c ./x', ''],
    ['pytest a; pytest b', '1 failed in 0.1s\n2 passed in 0.1s'],
    ['npm test || echo "3 passed in 0.02s"', '3 passed in 0.02s'],
    ['npm test; printf "x\\n# pass 3\\n"', 'x\n# pass 3'],
    ['npm test; cat old.log', '3 passed in 0.02s'],
    ['npm test 2>&1 | grep -v fail', '      Tests  2 passed (2)'],
    ['go test ./... | head -1', 'ok  \tx\t0.1s'],
    ['go test ./... | grep ok', 'ok  \tx\t0.1s'],
    ['cargo test | grep "test result: ok"', 'test result: ok. 2 passed; 0 failed; 0 ignored'],
  ])('%s: %j', (command, result) => {
    expect(Object.keys(after([bash(command, result)]).state.signals)).toEqual([]);
  });

  it('nor one that was interrupted', () => {
    const session = after([]);
    const result = { stdout: 'test result: ok. 1 passed; 0 failed', stderr: '', interrupted: true };
    session.run({ tool: 'Bash', args: { command: 'cargo test' }, result });
    expect(session.state.signals).toEqual({});
  });

  it.each([
    ['./gradlew test', '> Task :a:test NO-SOURCE\n> Task :b:test\n\nBUILD SUCCESSFUL in 1s'],
    ['mvn test', '[INFO] No tests to run.\n[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 0'],
    ['npx mocha', '  3 passing (1ms)\n  2 pending'],
    ['python3 -m unittest', 'Ran 3 tests in 0.001s\n\nOK'],
    ['pnpm -r test', 'a: No tests found, exiting with code 0\nb:       Tests  3 passed (3)'],
    ['npm test; echo "exit: $?"', `${PASSED}\nexit: 0`],
    ['npm test; git diff --stat', `${PASSED}\n a.ts | 2 +-`],
    ['npm test 2>&1 | grep -E "Tests|fail"', '      Tests  3 passed (3)'],
    ['go test ./... 2>&1 | grep -E "ok|FAIL"', 'ok  \tx\t0.1s'],
    ['go test ./... 2>&1 | tail -5', 'ok  \tx\t0.1s'],
    ['npx tsc --noEmit 2>&1 | head -20', ''],
  ])('but %s: %j is one', (command, result) => {
    expect(Object.keys(after([bash(command, result)]).state.signals)).toHaveLength(1);
  });
});
