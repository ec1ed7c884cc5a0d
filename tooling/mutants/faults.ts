import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type MutantPlan, root } from './plan.ts';

export type FaultResult = { readonly name: string; readonly killed: boolean };

/** Runs the package's tests once per fault sown by hand; the source on disk is never changed. */
export function runFaults(name: string, faults: NonNullable<MutantPlan['faults']>): readonly FaultResult[] {
  return faults.map((fault) => {
    const file = join(root, 'packages', name, fault.file);
    const found = readFileSync(file, 'utf8').split(fault.find).length - 1;
    if (found !== 1)
      throw new Error(`fault '${fault.name}': its text stands ${found} times in ${fault.file}, not once`);
    const run = spawnSync('pnpm', ['exec', 'vitest', 'run', '--project', name, '--bail=1'], {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, WARRANT_FAULT: JSON.stringify({ file, find: fault.find, replace: fault.replace }) },
    });
    const killed = run.status !== 0;
    console.log(`${killed ? 'killed' : 'SURVIVED'} ${fault.name} (${fault.file})`);
    return { name: fault.name, killed };
  });
}
