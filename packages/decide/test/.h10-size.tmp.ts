import { readFileSync } from 'node:fs';
import { checkModel } from './model-checker.ts';

const source = readFileSync(new URL('./model.test.ts', import.meta.url), 'utf8');
const start = source.indexOf('const MODELS');
const end = source.indexOf('const soak');
const body = source
  .slice(start, end)
  .replace(/const MODELS: [^=]*= /, 'return ')
  .replace(/\$\{INVALID\}/g, 'error.decide.invalid');
const MODELS = new Function(body)();
let total = 0,
  states = 0;
for (const [name, model] of Object.entries(MODELS) as any) {
  const t = Date.now();
  const r = checkModel(model, Number(process.argv[2] ?? 150000));
  total += r.transitions;
  states += r.states;
  console.log(
    name,
    r.transitions,
    r.states,
    r.replayed,
    r.violations.length,
    ((Date.now() - t) / 1000).toFixed(0) + 's',
  );
}
console.log(total, states);
