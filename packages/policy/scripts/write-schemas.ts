import { writeFileSync } from 'node:fs';
import * as z from 'zod';
import { policyDocument, policyTestDocument } from '../src/files/schema.ts';

const schemas = { policy: policyDocument, 'policy-test': policyTestDocument };
for (const [name, schema] of Object.entries(schemas)) {
  const file = new URL(`../schema/${name}.schema.json`, import.meta.url);
  writeFileSync(file, `${JSON.stringify(z.toJSONSchema(schema, { io: 'input' }), null, 2)}\n`);
}
