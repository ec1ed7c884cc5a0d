// Writes schema/warrant.schema.json from the zod schema; with --check it fails where the committed file differs.
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { workspaceJsonSchema } from '../src/config/json-schema.ts';

const file = resolve(import.meta.dirname, '../schema/warrant.schema.json');
const text = workspaceJsonSchema();
if (!process.argv.includes('--check')) writeFileSync(file, text);
else if (readFileSync(file, 'utf8') !== text) {
  console.error('schema/warrant.schema.json is stale: run scripts/write-schema.ts');
  process.exitCode = 1;
}
