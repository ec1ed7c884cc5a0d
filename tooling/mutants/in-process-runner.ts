import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { register } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { InstrumenterContext, StrykerOptions } from '@stryker-mutator/api/core';
import { commonTokens, declareClassPlugin, PluginKind, tokens } from '@stryker-mutator/api/plugin';
import {
  type DryRunResult,
  DryRunStatus,
  determineHitLimitReached,
  type MutantRunOptions,
  type MutantRunResult,
  type TestResult,
  type TestRunner,
  TestStatus,
  toMutantRunResult,
} from '@stryker-mutator/api/test-runner';
import {
  collectTests,
  type File,
  getFn,
  getHooks,
  type Suite,
  type Task,
  type Test,
  type VitestRunner,
} from '@vitest/runner';
import fc from 'fast-check';
import '../vitest/seed.ts';

/** What the runner is told: where the package stands, and tests that are left out: files, or single ones by their full names. */
export type InProcessOptions = { readonly folder: string; readonly without: readonly string[] };

type Prepared = { readonly test: Test; readonly file: string; readonly id: string };

/**
 * Loads the tests and the mutants once into one process and runs the tests for each mutant there, the quickest first.
 * A run of vitest of its own for each mutant takes seconds, of which the tests are the least part.
 */
class InProcessRunner implements TestRunner {
  static readonly inject = tokens(commonTokens.options);
  readonly #options: InProcessOptions;
  #tests: Prepared[] = [];
  #isSorted = false;

  constructor(options: StrykerOptions) {
    this.#options = options['inProcess'] as InProcessOptions;
  }

  capabilities(): { reloadEnvironment: boolean } {
    return { reloadEnvironment: false };
  }

  async init(): Promise<void> {
    register('./vitest-hook.mjs', import.meta.url);
    // That a property fails is enough; to find its smallest case takes long.
    fc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure: true });
    const { folder, without } = this.#options;
    process.chdir(folder);
    const paths = testFiles(folder).filter((path) => !without.includes(path));
    const files = await collectTests(
      paths.map((path) => join(folder, path)),
      collector(folder),
    );
    for (const file of files) {
      if (file.result?.errors !== undefined) throw new Error(`${file.filepath}: ${file.result.errors[0]?.message}`);
      for (const hook of getHooks(file).beforeAll) await hook(file);
      const tests = testsIn(file).filter((test) => !without.includes(fullName(test)));
      this.#tests.push(...tests.map((test) => ({ test, file: file.filepath, id: test.id })));
    }
  }

  async dryRun(): Promise<DryRunResult> {
    const tests: TestResult[] = [];
    for (const one of this.#tests) {
      context().currentTestId = one.id;
      const result = await run(one);
      if (result.status === TestStatus.Success) tests.push(result);
      else console.warn(`${result.name} is left out: it fails where all tests share a process`);
    }
    delete context().currentTestId;
    writeFileSync(
      this.#timesFile(),
      JSON.stringify(Object.fromEntries(tests.map(({ id, timeSpentMs }) => [id, timeSpentMs]))),
    );
    const { mutantCoverage } = context();
    return { status: DryRunStatus.Complete, tests, ...(mutantCoverage && { mutantCoverage }) };
  }

  async mutantRun({ activeMutant, testFilter, hitLimit, disableBail }: MutantRunOptions): Promise<MutantRunResult> {
    this.#sort();
    const ns = context();
    const tests: TestResult[] = [];
    ns.activeMutant = activeMutant.id;
    ns.hitCount = 0;
    if (hitLimit === undefined) delete ns.hitLimit;
    else ns.hitLimit = hitLimit;
    for (const one of this.#tests) {
      if (testFilter !== undefined && !testFilter.includes(one.id)) continue;
      const result = await run(one);
      tests.push(result);
      if (result.status === TestStatus.Failed && !disableBail) break;
    }
    delete ns.activeMutant;
    const stopped = determineHitLimitReached(ns.hitCount, hitLimit);
    return toMutantRunResult(stopped ?? { status: DryRunStatus.Complete, tests });
  }

  /** One process tries the tests; all of them need to know which pass there, and which are quick. */
  #sort(): void {
    if (this.#isSorted) return;
    const times = JSON.parse(readFileSync(this.#timesFile(), 'utf8')) as { readonly [id: string]: number };
    const timeOf = ({ id }: Prepared): number => times[id] as number;
    this.#tests = this.#tests.filter(({ id }) => Object.hasOwn(times, id)).sort((a, b) => timeOf(a) - timeOf(b));
    this.#isSorted = true;
  }

  #timesFile(): string {
    return join(this.#options.folder, 'test-times.json');
  }
}

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, 'in-process', InProcessRunner)];

function context(): InstrumenterContext {
  const scope = globalThis as { __stryker__?: InstrumenterContext };
  scope.__stryker__ ??= {};
  return scope.__stryker__;
}

async function run({ test, file, id }: Prepared): Promise<TestResult> {
  const start = performance.now();
  const told = { id, name: fullName(test), fileName: file };
  try {
    const around = suitesAround(test).map(getHooks);
    for (const { beforeEach } of around)
      for (const hook of beforeEach) await hook(test.context as never, test.suite as Suite);
    await getFn(test)();
    for (const { afterEach } of around)
      for (const hook of afterEach) await hook(test.context as never, test.suite as Suite);
    return { ...told, status: TestStatus.Success, timeSpentMs: performance.now() - start };
  } catch (error) {
    const failureMessage = error instanceof Error ? error.message : String(error);
    return { ...told, status: TestStatus.Failed, failureMessage, timeSpentMs: performance.now() - start };
  }
}

function suitesAround(test: Test): readonly Suite[] {
  const found: Suite[] = [test.file];
  for (let suite = test.suite; suite !== undefined; suite = suite.suite) found.splice(1, 0, suite);
  return found;
}

function fullName(task: Task): string {
  return task.suite === undefined ? task.name : `${fullName(task.suite)} > ${task.name}`;
}

function testsIn(suite: Suite | File): readonly Test[] {
  if (suite.mode !== 'run' && suite.mode !== 'queued') return [];
  return suite.tasks.flatMap((task) => {
    if (task.type === 'suite') return testsIn(task);
    return task.mode === 'run' || task.mode === 'queued' ? [task] : [];
  });
}

function testFiles(folder: string): readonly string[] {
  return ['src', 'test'].flatMap((part) =>
    readdirSync(join(folder, part), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.test.ts'))
      .map((path) => join(part, path)),
  );
}

function collector(root: string): VitestRunner {
  return {
    importFile: (path) => import(pathToFileURL(path).href),
    config: {
      root,
      setupFiles: [],
      name: undefined,
      passWithNoTests: true,
      testNamePattern: undefined,
      allowOnly: false,
      sequence: { seed: 1, hooks: 'stack', setupFiles: 'list' },
      chaiConfig: undefined,
      maxConcurrency: 1,
      testTimeout: 0,
      hookTimeout: 0,
      retry: 0,
      includeTaskLocation: undefined,
      tags: [],
      tagsFilter: undefined,
      strictTags: false,
    },
  };
}
