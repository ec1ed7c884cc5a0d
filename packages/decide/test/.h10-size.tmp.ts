import { readFileSync } from 'node:fs';
import { checkModel, type Model } from './model-checker.ts';
const source = readFileSync(new URL('./model.test.ts', import.meta.url), 'utf8');
const start = source.indexOf('const MODELS'); const end = source.indexOf('const soak');
const body = source.slice(start, end).replace(/const MODELS: [^=]*= /, 'return ').replace(/\$\{INVALID\}/g, 'error.decide.invalid');
const MODELS = new Function(body)() as Record<string, Model>;
const only = process.argv[3];
for (const [name, model] of Object.entries(MODELS)) {
  if (only !== undefined && !name.includes(only)) continue;
  const t = Date.now();
  const r = checkModel(model, Number(process.argv[2] ?? 150000));
  console.log(name, r.transitions, r.states, r.replayed, JSON.stringify(r.violations.map((v) => v.theorem)), ((Date.now() - t) / 1000).toFixed(0) + 's');
}
