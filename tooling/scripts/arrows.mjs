// Holds every manifest to the arrows and to the package template: a layer depends on @warrant/core and on no other layer.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');
const free = /^(workspace|adapter-)/;
const also = { decide: ['@warrant/chart'] };
const faults = [];

for (const folder of readdirSync(join(root, 'packages'))) {
  const manifest = JSON.parse(readFileSync(join(root, 'packages', folder, 'package.json'), 'utf8'));
  checkArrows(folder, manifest);
  checkShape(folder, manifest);
}
for (const fault of faults) console.error(fault);
process.exitCode = faults.length > 0 ? 1 : 0;

function checkArrows(folder, manifest) {
  if (free.test(folder)) return;
  const allowed = ['@warrant/core', ...(also[folder] ?? [])];
  for (const name of Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })) {
    if (name.startsWith('@warrant/') && !allowed.includes(name))
      faults.push(`${manifest.name} must not depend on ${name}`);
  }
}

function checkShape(folder, manifest) {
  const expect = (holds, what) => holds || faults.push(`${manifest.name}: ${what}`);
  expect(manifest.name === `@warrant/${folder}`, `its folder is ${folder}`);
  expect(manifest.license === 'Apache-2.0', 'license is Apache-2.0');
  expect(manifest.type === 'module', 'type is module');
  expect(manifest.sideEffects === false, 'sideEffects is false');
  expect(manifest.engines?.node === '>=20.19', 'engines.node is >=20.19');
  expect(manifest.exports?.['./package.json'] === './package.json', 'exports its package.json');
  expect(manifest.publishConfig?.access === 'public', 'publishConfig.access is public');
  expect((manifest.description ?? '') !== '', 'has a description');
  for (const file of ['README.md', 'tsconfig.json', 'vitest.config.ts', 'src/index.ts']) {
    expect(existsSync(join(root, 'packages', folder, file)), `has ${file}`);
  }
}
