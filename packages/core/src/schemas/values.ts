import * as z from 'zod';
import { MAX_JSON_DEPTH } from '../canonical.ts';
import type { Digest, Json, JsonObject } from '../json.ts';
import { isWellFormed } from '../well-formed.ts';

function isJson(value: unknown, depth = 0): value is Json {
  switch (typeof value) {
    case 'string':
      return isWellFormed(value);
    case 'boolean':
      return true;
    case 'number':
      return Number.isFinite(value);
    case 'object':
      if (value === null) return true;
      if (depth >= MAX_JSON_DEPTH) return false;
      return Array.isArray(value) ? value.every((item) => isJson(item, depth + 1)) : isJsonObject(value, depth);
    default:
      return false;
  }
}

function isJsonObject(value: unknown, depth = 0): value is JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  return Object.entries(value).every(([key, member]) => isWellFormed(key) && isJson(member, depth + 1));
}

/** Any JSON, handed on as it came: rebuilding it would drop a member named `__proto__`. */
export const json = z.unknown().refine((value) => isJson(value), { error: 'not JSON' }) as unknown as z.ZodType<Json>;
export const jsonObject = z
  .unknown()
  .refine((value) => isJsonObject(value), { error: 'not a JSON object' })
  .meta({ type: 'object' }) as unknown as z.ZodType<JsonObject>;

export const digestSchema = z
  .string()
  .regex(/^sha256:[0-9a-f]{64}$/)
  .meta({ id: 'Digest', description: 'SHA-256 over canonical JSON, as sha256:<hex>' }) as unknown as z.ZodType<Digest>;
export const text = z.string();
export const name = z.string().min(1);
export const actorKey = name.describe('Key in the agent registry');
export const time = z
  .string()
  .regex(/^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d{1,9})?Z$/)
  .describe('ISO-8601 in UTC');
export const count = z.int().min(0);
export const unit = z.number().min(0).max(1);
export const texts = z.array(text);

export const reasonSchema = z
  .strictObject({
    code: name.describe('layer.kebab-case'),
    message: text,
    data: jsonObject,
    remedy: jsonObject.exactOptional().describe('What would change the verdict'),
  })
  .meta({ id: 'Reason', description: 'Why a verdict is what it is' });
