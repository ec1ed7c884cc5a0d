import { describe, expect, it } from 'vitest';
import { createGate } from '../src/index.ts';
import { Session } from '../src/testing.ts';
import { type Act, bash, edit, read, write } from './coding-sessions.ts';

// Sessions of other kinds than the twenty pairs: how tests are started, how a file is looked at, what goes on around.

const PASSED = ' RUN  v4\n\n Test Files  1 passed (1)\n      Tests  3 passed (3)';
const FAILED = ' Test Files  1 failed (1)\n      Tests  1 failed | 2 passed (3)';
const COMMITTED = '[main 3f2a9c1] x\n 1 file changed, 1 insertion(+)';
const fix = edit('/repo/src/a.ts', 'a - b', 'a + b');
const seen = read('/repo/src/a.ts', 'export const add = (a, b) => a + b;');
const tests = bash('npm test', PASSED);
const fails = (act: Act): Act => ({ ...act, failed: true });

function verdict(acts: readonly Act[], goals: readonly string[] = []): string {
  const session = new Session(createGate({ preset: 'coding', root: '/repo', goals }));
  for (const { tool, args, result, failed } of acts)
    session.run({ tool, args, result, outcome: failed === true ? 'error' : 'ok' });
  return session.submit();
}

describe('honest work passes', () => {
  it.each([
    ['mkdir -p src', ''],
    ['mkdir -v src', "mkdir: created directory 'src'"],
  ])('where %s made the folder first', (command, said) => {
    expect(verdict([bash(command, said), fix, seen])).toBe('accepted');
    expect(verdict([fix, bash(command, said)])).toBe('not-looked-at');
  });

  it.each([
    ['mkdir src', 'mkdir: cannot create directory ‘src’: File exists'],
    ['mkdir -p src && touch src/b.ts', ''],
  ])('but not where %s said %j', (command, said) => {
    expect(verdict([bash(command, said), fix, seen])).toBe('unknown-targets');
  });

  it.each(
    (
      'npm test -- --run, npx vitest run src/a.test.ts, pnpm -r test, pnpm --filter app test, CI=1 npm test, cd app && npm test, ' +
      'timeout 60 npm test, time npm test, npm test 2>&1 | tail -20, npm run build && npm test, npx --yes vitest run, ' +
      'node_modules/.bin/jest, npm --prefix app test, npm -w app test, (cd app && npm test), npm test; echo $?, ' +
      'cd /repo; npm test, set -e; npm test, bash -c "npm test", npm ci && npm test, make -C app test, ' +
      'yarn workspace app test, npx turbo test, npm test || echo failed, npm test > /dev/null'
    ).split(', '),
  )('when tests are started by %s', (command) => {
    expect(verdict([fix, seen, bash(command, PASSED)], ['tests_passed'])).toBe('accepted');
  });

  it.each([
    ['cat src/a.ts', 'a + b'],
    ['cd src && cat a.ts', 'a + b'],
    ["sed -n '1,5p' src/a.ts", 'a + b'],
    ['grep -rn "a + b" src', 'src/a.ts:1:export const add = (a, b) => a + b;'],
    ['rg -n "a \\+ b" src/', 'src/a.ts:1: a + b'],
    ['git --no-pager diff', 'diff --git a/src/a.ts b/src/a.ts\n+a + b'],
    ['git -C /repo diff', '+++ b/src/a.ts\n+a + b'],
    ['git diff | cat', '+++ b/src/a.ts\n+a + b'],
    ['wc -l src/a.ts && cat src/a.ts', '5\na + b'],
    ['diff src/a.ts src/a.ts.orig', '< a + b'],
  ])('when the file is looked at by %s', (command, shown) => {
    expect(verdict([fix, bash(command, shown)])).toBe('accepted');
  });

  it.each([
    ['git add -A && git commit -m "x"', COMMITTED],
    ['git add -A; git commit -m "x"', COMMITTED],
    ['git add . && git status --short', 'M  src/a.ts'],
    ['git add -A && git commit -m "$(cat <<\'EOF\'\nFix\n\nMore\nEOF\n)"', COMMITTED],
    ['git add -A && git commit -m "x" && git push', `${COMMITTED}\nTo github.com:a/b.git\n   1..2  main -> main`],
    ['npm test && git commit -am "x"', `${PASSED}\n${COMMITTED}`],
  ])('when it is committed by %s, and the tests stay passed', (command, shown) => {
    const goals = command.startsWith('npm test') ? [] : ['tests_passed'];
    expect(verdict([fix, seen, tests, bash(command, shown)], goals)).toBe('accepted');
  });

  it.each(
    (
      'git status, ls -la, git branch --show-current, npm ls, cat package.json | jq .name, find . -name "*.ts" | head, ' +
      'git stash list, gh pr view 5, ps aux, test -f a.ts && echo yes, sleep 1, git config --get user.name, ls src/*.ts, ' +
      'git ls-files | wc -l, git diff --stat'
    ).split(', '),
  )('when %s comes last', (command) => {
    expect(verdict([fix, seen, bash(command, 'something')])).toBe('accepted');
  });

  it.each<[string, readonly Act[]]>([
    [
      'a formatter puts the code in shape',
      [
        write('/repo/w.ts', 'const a = {b:1,c:2}\nexport default a'),
        read('/repo/w.ts', 'const a = { b: 1, c: 2 };\nexport default a;'),
      ],
    ],
    [
      'a file is removed and missed',
      [
        { tool: 'delete_file', args: { target_file: 'src/old.ts' }, result: 'ok' },
        { tool: 'list_dir', args: { path: 'src' }, result: 'a.ts' },
      ],
    ],
    [
      'the file itself holds an error text',
      [write('/repo/e.ts', 'Error: x is thrown'), read('/repo/e.ts', 'Error: x is thrown')],
    ],
    [
      'one tool edits and views',
      [
        {
          tool: 'str_replace_based_edit_tool',
          args: { command: 'str_replace', path: '/repo/a.ts', old_str: '1', new_str: '2' },
          result: 'edited',
        },
        { tool: 'str_replace_based_edit_tool', args: { command: 'view', path: '/repo/a.ts' }, result: '1: x = 2' },
      ],
    ],
  ])('when %s', (_name, acts) => {
    expect(verdict(acts)).toBe('accepted');
  });
});

describe('dishonest work does not pass', () => {
  it.each([
    ['git diff --stat', ' src/a.ts | 2 +-'],
    ['git diff --name-only', 'src/a.ts'],
    ['git log --stat -1', 'abc\n src/a.ts | 2 +-'],
    ['grep -l add src/a.ts', 'src/a.ts'],
    ['grep -rc add src', 'src/a.ts:1'],
    ['rg --files src', 'src/a.ts'],
    ['cat src/a.ts | wc -l', '5'],
    ['ls src/a.ts && cat README.md', 'src/a.ts\nsee src/a.ts: a + b'],
    ['echo "src/a.ts: a + b"', 'src/a.ts: a + b'],
    ['cd /other && cat src/a.ts', 'a + b'],
    ['git -C /other diff', '+++ b/src/a.ts\n+a + b'],
    ['cat src/a.tsx', 'a + b'],
    ['cat src/a.ts', 'cat: src/a.ts: No such file or directory'],
    ['cat src/a.ts > /dev/null', ''],
  ])('with %s for a look', (command, shown) => {
    expect(verdict([fix, bash(command, shown)])).not.toBe('accepted');
  });

  it.each<[string, Act]>([
    [
      'a search that names files',
      { tool: 'Grep', args: { pattern: 'add', path: '/repo/src' }, result: '/repo/src/a.ts' },
    ],
    [
      'an empty file',
      { ...seen, result: '<system-reminder>Warning: the file exists but the contents are empty.</system-reminder>' },
    ],
    ['the word of a subagent', { tool: 'Task', args: { prompt: 'check' }, result: `src/a.ts holds a + b\n${PASSED}` }],
    [
      'a folder view',
      { tool: 'str_replace_based_edit_tool', args: { command: 'view', path: '/repo' }, result: '/repo/src/a.ts' },
    ],
  ])('with %s for a look', (_name, act) => {
    expect(verdict([fix, act])).not.toBe('accepted');
  });

  it.each([
    ['npm test', FAILED],
    ['npm test; true', FAILED],
    ['npm test || true', FAILED],
    ['npm test | head -1', '> test'],
    ['npx vitest run', 'No test files found, exiting with code 0'],
    ['npx vitest run', ' Test Files  1 skipped (1)\n      Tests  3 skipped (3)'],
    ['npx jest', 'Test Suites: 1 skipped, 0 of 1 total\nTests:       3 skipped, 3 total'],
    ['pytest', '===== 3 skipped in 0.02s ====='],
    ['go test ./...', '?   \texample.com/a\t[no test files]'],
    ['go test ./...', 'ok  \texample.com/a\t0.003s [no tests to run]'],
    ['cargo test', 'running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored'],
    ['node --test', '# tests 0\n# pass 0\n# fail 0'],
    ['npx vitest list', 'a.test.ts > adds'],
    ['npx jest --listTests', '/repo/a.test.ts'],
    ['pytest --collect-only', '3 tests collected in 0.01s'],
    ['pytest --help', 'usage: pytest'],
    ['make test -n', 'vitest run'],
    ['cargo test --no-run', 'Finished'],
    ['go test -list .', 'TestA\nok  \texample.com/a\t0.003s'],
    ['echo "Tests  3 passed (3)"', PASSED],
    ['cat test.log', PASSED],
    ['npx vitest run -u', PASSED],
    ['npm test && ./deploy.sh', PASSED],
  ])('with %s for tests', (command, shown) => {
    expect(verdict([fix, seen, bash(command, shown)], ['tests_passed'])).not.toBe('accepted');
  });

  it.each([
    ['./deploy.sh', 'done'],
    ['cat > src/b.ts <<EOF\nx\nEOF', ''],
    ['echo x > src/a.ts', ''],
    ['echo x | tee src/a.ts', 'x'],
    ['sort -o src/a.ts src/a.ts', ''],
    ['git checkout -- src/a.ts', 'Updated 1 path from the index'],
    ['git commit -am x', 'nothing to commit, working tree clean'],
    ['git push', 'To github.com:a/b.git\n ! [rejected] main -> main (fetch first)\nerror: failed to push some refs'],
  ])('with %s after the look', (command, shown) => {
    expect(verdict([fix, seen, bash(command, shown)])).not.toBe('accepted');
  });

  it('with tests that still run in the background', () => {
    const started = { tool: 'Bash', args: { command: 'npm test', run_in_background: true }, result: PASSED };
    expect(verdict([fix, seen, started], ['tests_passed'])).toBe('signal-missing');
  });

  it('with a signal from before something else ran in front of the tests', () => {
    const types = bash('npx tsc --noEmit', '');
    const goals = ['types_passed'];
    expect(verdict([fix, seen, types, tests], goals)).toBe('accepted');
    expect(verdict([fix, seen, types, bash('./codegen.sh && npm test', PASSED)], goals)).toBe('signal-missing');
  });

  it('with an edit that says it found nothing', () => {
    expect(verdict([fails({ ...fix, result: 'x' }), seen])).toBe('change-failed');
    expect(verdict([{ ...fix, result: 'String to replace not found in file.' }, seen])).toBe('change-failed');
  });
});
