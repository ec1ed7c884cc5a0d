import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Result } from './benchmark.ts';
import { benchmarks } from './benchmarks.ts';

const { positionals, values } = parseArgs({ allowPositionals: true, options: { json: { type: 'string' } } });
const names = positionals.length > 0 ? positionals : Object.keys(benchmarks);
const results: Result[] = [];
for (const name of names) {
  const load = benchmarks[name];
  if (load === undefined) {
    console.error(`no benchmark '${name}'; there are: ${Object.keys(benchmarks).join(', ')}`);
    process.exitCode = 2;
    continue;
  }
  console.log(`\n${name}`);
  for (const result of await (await load()).run()) {
    results.push(result);
    console.log(row(result));
  }
}
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(results, null, 2)}\n`);

function row(result: Result): string {
  const against = result.theirs === null ? result.against : `${result.against} ${figure(result.theirs)}`;
  const ratio = result.ratio === null ? '' : `, ${figure(result.ratio)}x`;
  const verdict = result.reached === 'contended' ? 'contended' : result.reached ? 'reached' : 'not reached';
  return `  ${result.name}: ${figure(result.ours)} ${result.unit} (${against}${ratio}; goal ${result.goal}: ${verdict})`;
}

function figure(value: number): string {
  return value.toLocaleString('en', { maximumSignificantDigits: 4 });
}
