// Writes schema/*.schema.json: node --import tsx --conditions=@warrant/source scripts/generate-schemas.ts
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { schemaFiles } from '../test/schema-files.ts';

const directory = join(import.meta.dirname, '../schema');
mkdirSync(directory, { recursive: true });
for (const name of readdirSync(directory)) rmSync(join(directory, name));
for (const [name, text] of schemaFiles()) writeFileSync(join(directory, name), text);
