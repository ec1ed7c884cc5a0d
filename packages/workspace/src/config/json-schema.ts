import * as z from 'zod';
import { workspaceSchema } from './schema.ts';

/** The JSON Schema of `warrant.yaml` as editors read it, as text. */
export function workspaceJsonSchema(): string {
  return `${JSON.stringify(z.toJSONSchema(workspaceSchema, { io: 'input' }), null, 2)}\n`;
}
