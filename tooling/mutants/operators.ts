import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Stryker } from '@stryker-mutator/core';
import type { InProcessOptions } from './in-process-runner.ts';
import type { MutantPlan } from './plan.ts';
import { createSandbox } from './sandbox.ts';

export type MutantResult = { readonly place: string; readonly mutated: string; readonly status: string };

/** Mutates the package's decision files with Stryker's fixed operators and runs the tests that cover each mutant. */
export async function runOperators(name: string, plan: MutantPlan): Promise<readonly MutantResult[]> {
  const sandbox = createSandbox();
  const home = process.cwd();
  process.chdir(sandbox);
  try {
    return await mutate(join(sandbox, 'packages', name), name, plan);
  } finally {
    process.chdir(home);
    rmSync(join(sandbox, '..'), { recursive: true, force: true });
  }
}

async function mutate(folder: string, name: string, plan: MutantPlan): Promise<readonly MutantResult[]> {
  const inProcess: InProcessOptions = { folder, without: plan.without ?? [] };
  const stryker = new Stryker({
    mutate: plan.files.map((file) => `packages/${name}/${file}`),
    testRunner: 'in-process',
    testRunnerNodeArgs: ['--import', 'tsx', '--conditions=@warrant/source'],
    plugins: [fileURLToPath(new URL('in-process-runner.ts', import.meta.url))],
    inProcess,
    coverageAnalysis: 'perTest',
    concurrency: 2,
    reporters: ['progress-append-only'],
    // The sandbox is ours already.
    inPlace: true,
    ignoreStatic: true,
    // Real loops end at a limit of hits; a busy machine must not pass for one.
    timeoutMS: 60_000,
    mutator: { excludedMutations: ['StringLiteral', 'ObjectLiteral'] },
  });
  const mutants = await stryker.runMutationTest();
  return mutants.map((mutant) => ({
    place: `${mutant.fileName.slice(folder.length + 1)}:${mutant.location.start.line}`,
    mutated: mutant.replacement ?? '',
    status: mutant.status,
  }));
}
