import { describe, expect, it } from 'vitest';
import {
  createExitCodeMapper,
  createHttpStatusMapper,
  createPointerMapper,
  readSignals,
  SIGNAL_MAPPERS,
} from './mappers.ts';

const table = Object.fromEntries(SIGNAL_MAPPERS.map((mapper) => [mapper.name, mapper]));
const verdict = (name: string, result: string | object, outcome: 'ok' | 'error' = 'ok'): string => {
  const { passed, failed } = readSignals(table, [name], result as string, outcome);
  return passed.length > 0 ? 'passed' : failed.length > 0 ? 'failed' : 'silent';
};

describe('signal mappers', () => {
  it.each([
    ['vitest', ' Test Files  2 passed (2)\n      Tests  5 passed | 1 skipped (6)', 'passed'],
    ['vitest', '\u001b[32m Test Files \u001b[39m 2 passed (2)\n Tests  5 passed (5)', 'passed'],
    ['vitest', ' Test Files  1 failed | 1 passed (2)\n      Tests  1 failed | 4 passed (5)', 'failed'],
    ['vitest', 'No test files found, exiting with code 1', 'failed'],
    ['vitest', ' Test Files  2 passed (2)\n      Tests  5 passed (5)\n     Errors  1 error', 'failed'],
    ['jest', 'Test Suites: 1 passed, 1 total\nTests:       3 passed, 3 total', 'passed'],
    ['jest', 'Tests:       1 failed, 5 passed, 6 total', 'failed'],
    ['node-test', '# tests 3\n# pass 3\n# fail 0', 'passed'],
    ['node-test', 'ℹ pass 2\nℹ fail 1', 'failed'],
    ['pytest', '===== 3 passed, 1 skipped in 0.02s =====', 'passed'],
    ['pytest', '3 passed, 2 warnings in 1.20s', 'passed'],
    ['pytest', '===== 1 failed, 2 passed in 0.02s =====', 'failed'],
    ['pytest', '===== no tests ran in 0.01s =====', 'failed'],
    ['pytest', 'the guide says: 3 passed', 'silent'],
    ['go-test', 'ok  \texample.com/a\t0.003s\n?   \texample.com/b\t[no test files]', 'passed'],
    ['go-test', '--- FAIL: TestA (0.00s)\nFAIL\texample.com/a\t0.003s', 'failed'],
    ['cargo-test', 'test result: ok. 5 passed; 0 failed; 0 ignored', 'passed'],
    ['cargo-test', 'test result: FAILED. 4 passed; 1 failed; 0 ignored', 'failed'],
    ['tsc', '', 'passed'],
    ['tsc', "a.ts(1,1): error TS2304: Cannot find name 'x'.", 'failed'],
    ['tsc', 'hello', 'silent'],
    ['eslint', '\n✖ 3 problems (0 errors, 3 warnings)\n', 'passed'],
    ['eslint', '\n✖ 3 problems (1 error, 2 warnings)\n', 'failed'],
  ])('%s reads %j as %s', (name, text, wanted) => {
    expect(verdict(name, text)).toBe(wanted);
    expect(verdict(name, { stdout: text, stderr: '', exit_code: 0 })).toBe(wanted);
  });

  it('let an exit code outweigh a report', () => {
    expect(verdict('pytest', { stdout: '3 passed in 0.02s', return_code: 1 })).toBe('failed');
    expect(verdict('pytest', '3 passed in 0.02s', 'error')).toBe('failed');
  });

  it('read exit codes, HTTP status and members', () => {
    const exit = createExitCodeMapper('x', 'built');
    expect([
      exit.map({ exit_code: 0 }, 'ok'),
      exit.map({ exit_code: 2 }, 'ok'),
      exit.map('text', 'ok'),
      exit.map('text', 'error'),
    ]).toEqual([
      { passed: ['built'], failed: [] },
      { passed: [], failed: ['built'] },
      null,
      { passed: [], failed: ['built'] },
    ]);
    const http = createHttpStatusMapper('h', 'up');
    expect([http.map({ status: 204 }, 'ok'), http.map('{"status":503}', 'ok'), http.map({}, 'ok')]).toEqual([
      { passed: ['up'], failed: [] },
      { passed: [], failed: ['up'] },
      null,
    ]);
    const pointer = createPointerMapper('p', 'paid', { pointer: '/order/state', equals: 'paid' });
    expect([
      pointer.map({ order: { state: 'paid' } }, 'ok'),
      pointer.map({ order: { state: 'open' } }, 'ok'),
      pointer.map({}, 'ok'),
    ]).toEqual([{ passed: ['paid'], failed: [] }, { passed: [], failed: ['paid'] }, null]);
  });
});
