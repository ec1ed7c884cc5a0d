import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const root = resolve(import.meta.dirname, '../..');

/** `mutants.json` of a package: which files decide, which faults are sown by hand, which mutants may survive and why. */
export type MutantPlan = {
  /** Decision files, relative to the package. */
  readonly files: readonly string[];
  /** Files of tests, relative to the package, that are not run against mutants: slow ones that add nothing. */
  readonly without?: readonly string[];
  /** Faults sown by hand where the fixed operators are blunt: `find` stands exactly once in `file`. */
  readonly faults?: readonly {
    readonly name: string;
    readonly file: string;
    readonly find: string;
    readonly replace: string;
  }[];
  /** Mutants that no test can or need kill, as `file:line` with the mutated text and a reason. */
  readonly survivors?: readonly { readonly place: string; readonly mutated: string; readonly reason: string }[];
};

/** The plan of a package, or undefined where it has none. */
export function readPlan(name: string): MutantPlan | undefined {
  const file = join(root, 'packages', name, 'mutants.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as MutantPlan) : undefined;
}
