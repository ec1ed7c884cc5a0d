import { runFaults } from './faults.ts';
import { runOperators } from './operators.ts';
import { readPlan } from './plan.ts';

const name = process.argv[2];
const plan = name === undefined ? undefined : readPlan(name);
if (name === undefined || plan === undefined) {
  console.error('usage: npm run mutants -- PACKAGE (one with a mutants.json in its folder)');
  process.exit(name === undefined ? 2 : 3);
}

const faults = runFaults(name, plan.faults ?? []);
const mutants = await runOperators(name, plan);
const explained = new Map((plan.survivors ?? []).map((one) => [`${one.place} ${one.mutated}`, one.reason]));
const survived = mutants.filter((mutant) => mutant.status === 'Survived' || mutant.status === 'NoCoverage');
const unexplained = survived.filter((mutant) => !explained.has(`${mutant.place} ${mutant.mutated}`));

for (const mutant of survived) {
  const reason = explained.get(`${mutant.place} ${mutant.mutated}`) ?? 'no reason given';
  console.log(`survived ${mutant.place} -> ${mutant.mutated.replaceAll(/\s+/g, ' ').slice(0, 100)} (${reason})`);
}
const killed = mutants.filter((mutant) => mutant.status === 'Killed' || mutant.status === 'Timeout').length;
const sown = faults.filter((fault) => !fault.killed).length;
console.log(
  `${name}: ${killed + faults.length - sown} killed, ${survived.length + sown} survived (${unexplained.length + sown} without a reason)`,
);
process.exitCode = unexplained.length + sown > 0 ? 1 : 0;
