import type { Json, JsonObject } from '@warrant/core';
import { exitCode, shownText, structured } from '../answer-text.ts';
import type { SignalMapper, SignalReading } from '../config-types.ts';
import { valuesAt } from '../identifiers.ts';

const TAIL = 65_536;
/** Terminal colours begin with an escape character. */
const COLOUR = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g');

type Report = 'passed' | 'failed' | null;

/** The end of what a run printed, without colours. */
function printed(result: Json): readonly string[] {
  return shownText(structured(result, TAIL)).slice(-TAIL).replace(COLOUR, '').split(/\r?\n/);
}

function reportMapper(name: string, signal: string, read: (lines: readonly string[]) => Report): SignalMapper {
  return {
    name,
    map: (result, outcome) => {
      const report = read(printed(result));
      if (report === null) return null;
      const code = exitCode(structured(result, TAIL));
      const passed = report === 'passed' && outcome === 'ok' && (code === null || code === 0);
      return passed ? { passed: [signal], failed: [] } : { passed: [], failed: [signal] };
    },
  };
}

/** Failed when any line says so, passed when a line says so and none fails; a run in which nothing ran shows nothing, and fails. */
function byLines(passed: RegExp, failed: RegExp, nothing: RegExp): (lines: readonly string[]) => Report {
  return (lines) => {
    if (lines.some((line) => failed.test(line))) return 'failed';
    if (lines.some((line) => passed.test(line))) return 'passed';
    return lines.some((line) => nothing.test(line)) ? 'failed' : null;
  };
}

const vitest = byLines(
  /^\s*(?:Tests|Test Files)\s+(?:\d+ expected fail \| )?[1-9]\d* passed\b/,
  /^\s*(?:Tests|Test Files|Errors|Type Errors)\s+(?:\d+ failed\b|[1-9]\d* errors?\b)/,
  /^No test files found|^\s*Tests\s+(?:no tests|\d+ (?:skipped|todo))\b/,
);
const jest = byLines(
  /^(?:Tests|Test Suites):\s+(?:\d+ (?:skipped|todo), )*[1-9]\d* passed\b/,
  /^(?:Tests|Test Suites):\s+.*\b[1-9]\d* failed\b/,
  /^No tests found|^Tests:\s+(?:\d+ (?:skipped|todo), )*\d+ total/,
);
const nodeTest = byLines(
  /^(?:#|ℹ) pass [1-9]\d*\s*$/,
  /^(?:#|ℹ) (?:fail|cancelled) [1-9]\d*\s*$/,
  /^(?:#|ℹ) pass 0\s*$/,
);
const cargo = byLines(
  /^test result: ok\. [1-9]\d* passed; 0 failed/,
  /^test result: FAILED|^error(?:\[E\d+\])?: /,
  /^test result: ok\. 0 passed/,
);
const goTest = byLines(
  /^ok\s+\S+\s+(?:\d[\d.]*s|\(cached\))(?!.*\[no tests to run\])/,
  /^(?:FAIL\b|--- FAIL|panic: )/,
  /^\?\s+\S+\s+\[no test files\]|\[no tests to run\]/,
);

/** The last summary line counts, and a failure in any: `3 passed, 1 skipped in 0.02s`. */
function pytest(lines: readonly string[]): Report {
  const summaries = lines.filter((line) => PYTEST.test(line));
  const summary = summaries.at(-1);
  if (summaries.some((line) => /\b[1-9]\d* (?:failed|errors?)\b/.test(line))) return 'failed';
  if (summary === undefined) return lines.some((line) => /^=* ?no tests ran in /.test(line)) ? 'failed' : null;
  return /\b[1-9]\d* passed\b/.test(summary) ? 'passed' : 'failed';
}
const PYTEST =
  /^(?:=+ |\.* *)?(?:\d+ (?:failed|passed|skipped|deselected|xfailed|xpassed|warnings?|errors?)(?:, )?)+ in [\d.]+s\b/;

function tsc(lines: readonly string[]): Report {
  if (lines.some((line) => /\berror TS\d+:|^Found [1-9]\d* errors?/.test(line))) return 'failed';
  return lines.some((line) => /^(?:\[[^\]]+\] )?Found 0 errors/.test(line)) || isQuiet(lines) ? 'passed' : null;
}

function eslint(lines: readonly string[]): Report {
  const summary = lines.find((line) => /^✖ \d+ problems? \(/.test(line));
  if (summary !== undefined) return /\(0 errors/.test(summary) ? 'passed' : 'failed';
  return isQuiet(lines) ? 'passed' : null;
}

function isQuiet(lines: readonly string[]): boolean {
  return lines.every((line) => line.trim() === '' || line.startsWith('> '));
}

/** Passed when the process ended with 0; null where no exit code is stated. */
export function createExitCodeMapper(name: string, signal: string): SignalMapper {
  return {
    name,
    map: (result, outcome) => {
      const code = exitCode(structured(result, TAIL));
      if (code === null) return outcome === 'error' ? { passed: [], failed: [signal] } : null;
      return code === 0 && outcome === 'ok' ? { passed: [signal], failed: [] } : { passed: [], failed: [signal] };
    },
  };
}

/** Passed for an HTTP status from 200 to 299, failed for any other; null where none is stated. */
export function createHttpStatusMapper(name: string, signal: string): SignalMapper {
  return {
    name,
    map: (result) => {
      const value = structured(result, TAIL);
      const status = ['/status', '/statusCode', '/status_code']
        .flatMap((pointer) => valuesAt(value, pointer))
        .find((item) => typeof item === 'number');
      if (typeof status !== 'number') return null;
      return status >= 200 && status <= 299 ? { passed: [signal], failed: [] } : { passed: [], failed: [signal] };
    },
  };
}

/** Passed when the value at a JSON Pointer of the answer equals `equals`, failed for another value; null where there is none. */
export function createPointerMapper(
  name: string,
  signal: string,
  at: { readonly pointer: string; readonly equals: string | number | boolean },
): SignalMapper {
  return {
    name,
    map: (result) => {
      const values = valuesAt(structured(result, TAIL), at.pointer);
      if (values.length === 0) return null;
      return values.every((value) => value === at.equals)
        ? { passed: [signal], failed: [] }
        : { passed: [], failed: [signal] };
    },
  };
}

/** The mappers that every gate knows by name. */
export const SIGNAL_MAPPERS: readonly SignalMapper[] = [
  reportMapper('vitest', 'tests_passed', vitest),
  reportMapper('jest', 'tests_passed', jest),
  reportMapper('node-test', 'tests_passed', nodeTest),
  reportMapper('pytest', 'tests_passed', pytest),
  reportMapper('go-test', 'tests_passed', goTest),
  reportMapper('cargo-test', 'tests_passed', cargo),
  reportMapper('tsc', 'types_passed', tsc),
  reportMapper('eslint', 'lint_passed', eslint),
  createExitCodeMapper('exit-code', 'exit_ok'),
  createHttpStatusMapper('http-status', 'http_ok'),
];

/** Mappers that recognise a report by its own words, whatever printed it. */
export const TEST_REPORTS: readonly string[] = ['vitest', 'jest', 'node-test', 'pytest', 'go-test', 'cargo-test'];
const SIGNALS: { readonly [mapper: string]: string } = { tsc: 'types_passed', eslint: 'lint_passed' };

/** The signal that a report mapper gives. */
export function mapperSignal(name: string): string | undefined {
  return TEST_REPORTS.includes(name) ? 'tests_passed' : SIGNALS[name];
}

/** True for text that one of these mappers takes for the report of a run. */
export function isTestReport(text: string): boolean {
  return SIGNAL_MAPPERS.some((mapper) => TEST_REPORTS.includes(mapper.name) && mapper.map(text, 'ok') !== null);
}

const RAN =
  /\b(?:[1-9]\d* (?:pass|passed|passing|examples?|tests?)\b|Tests run: [1-9]|Ran [1-9]|Executed [1-9])|^> Task :\S*[tT]est(?: FROM-CACHE| UP-TO-DATE)?\s*$/;
const RAN_NOTHING = new RegExp(
  [
    "^make(?:\\[\\d+\\])?: (?:Nothing to be done for|[`'‘].{1,200} is up to date)",
    '^(?:> )?(?:Error: )?no test specified',
    '^\\s*0 (?:passing|pass)\\s*(?:\\(|$)|^ok \\| 0 passed|^0 (?:examples|tests), 0 failures|^Ran 0 tests|^NO TESTS RAN',
    '^No (?:examples found|tests executed|test (?:is available|matches)|tests were found|tests found)|No tests to run',
    '^\\s*Executed 0 tests|: NO-SOURCE|Task :\\S*[tT]est NO-SOURCE|\\b0 tests run:|^1\\.\\.0\\s*$',
    'No Python files found|no issues found in 0 source files|^Checked 0 files|All files? matched by .{1,120} (?:are|is) ignored',
  ].join('|'),
);
/** It goes on elsewhere or was ended, so its exit code is not one of the check. */
const UNFINISHED =
  /^(?:Command (?:is )?(?:running|was (?:manually )?moved|was manually) (?:in |to )?background|Command timed out|\[\d+\] \d+\s*$)/;

/** True for the answer to a check in which nothing was checked, or which did not end. */
export function checkedNothing(result: Json): boolean {
  const value = structured(result, TAIL);
  if (typeof value === 'object' && value !== null && (value as JsonObject)['interrupted'] === true) return true;
  const lines = printed(result);
  if (lines.some((line) => UNFINISHED.test(line))) return true;
  return lines.some((line) => RAN_NOTHING.test(line)) && !lines.some((line) => RAN.test(line));
}

/** A mapper that throws has recognised nothing. */
function readingOf(mapper: SignalMapper | undefined, result: Json, outcome: 'ok' | 'error'): SignalReading | null {
  try {
    return mapper?.map(result, outcome) ?? null;
  } catch {
    return null;
  }
}

/** What the named mappers say together; a failure outweighs. */
export function readSignals(
  mappers: { readonly [name: string]: SignalMapper },
  names: readonly string[],
  result: Json,
  outcome: 'ok' | 'error',
): SignalReading {
  const passed = new Set<string>();
  const failed = new Set<string>();
  for (const name of names) {
    const reading = readingOf(mappers[name], result, outcome);
    for (const signal of reading?.passed ?? []) passed.add(signal);
    for (const signal of reading?.failed ?? []) failed.add(signal);
  }
  return { passed: [...passed].filter((signal) => !failed.has(signal)), failed: [...failed] };
}
