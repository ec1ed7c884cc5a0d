import * as z from 'zod';
import * as schemas from '../src/schemas/index.ts';

/** The JSON Schemas that are committed: one file for each schema with a name of its own. */
export function schemaFiles(): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const schema of namedSchemas().values()) {
    const id = z.globalRegistry.get(schema)?.id as string;
    const file = `${id.replace(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase()}.schema.json`;
    files.set(file, `${JSON.stringify(z.toJSONSchema(schema, { io: 'input', reused: 'inline' }), null, 2)}\n`);
  }
  return files;
}

export function namedSchemas(): ReadonlyMap<string, z.ZodType> {
  return new Map(
    Object.entries(schemas).flatMap(([name, schema]) =>
      schema instanceof z.ZodType && z.globalRegistry.get(schema)?.id !== undefined
        ? [[name, schema as z.ZodType]]
        : [],
    ),
  );
}
