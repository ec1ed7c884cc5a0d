// npm run new-package -- NAME 'One sentence about it': a new layer from templates/package.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fail } from './setup.mjs';

const root = resolve(import.meta.dirname, '../..');
const [name, description] = process.argv.slice(2);
if (!/^[a-z][a-z0-9-]*$/.test(name ?? '') || (description ?? '') === '') {
  fail("usage: npm run new-package -- NAME 'One sentence about it' (the name in kebab-case)");
}
const target = join(root, 'packages', name);
if (existsSync(target)) fail(`packages/${name} exists already.`);

copy(join(root, 'templates/package'), target);
addReference();
console.log(`packages/${name} is made; run \`pnpm install\`, then \`pnpm exec vitest run --project ${name}\`.`);

function copy(from, to) {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (entry.isDirectory()) copy(join(from, entry.name), join(to, entry.name));
    else {
      const text = readFileSync(join(from, entry.name), 'utf8');
      writeFileSync(join(to, entry.name), text.replaceAll('{{name}}', name).replaceAll('{{description}}', description));
    }
  }
}

function addReference() {
  const file = join(root, 'tsconfig.json');
  const config = JSON.parse(readFileSync(file, 'utf8'));
  config.references.push({ path: `packages/${name}` });
  config.references.sort((a, b) => (a.path < b.path ? -1 : 1));
  writeFileSync(file, `${JSON.stringify(config, null, 2)}\n`);
}
