import type * as z from 'zod';
import { WarrantError } from '../error.ts';

/** How many faults are named: enough to mend a document, not enough to fill a log. */
const MAX_FAULTS = 20;

/**
 * The value as the model it has to be.
 * @throws SCHEMA_INVALID naming where it does not fit (JSON Pointers), without its values.
 */
export function parseModel<T>(schema: z.ZodType<T>, value: unknown, what: string): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const faults = result.error.issues.slice(0, MAX_FAULTS).map((issue) => ({
    at: issue.path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''),
    fault: issue.code === 'unrecognized_keys' ? `unknown: ${issue.keys.join(', ')}` : issue.code,
  }));
  const [first] = faults;
  throw new WarrantError('SCHEMA_INVALID', `not a valid ${what}: ${first?.fault} at ${first?.at || 'the root'}`, {
    data: { what, faults },
  });
}
