import * as z from 'zod';
import type { CallEffects, Label, Labels, Observation, Started, ToolCall } from '../acts.ts';
import { actorKey, count, digestSchema, json, jsonObject, name, text, texts } from './values.ts';

export const trustSchema = z.enum(['web', 'tool', 'provider', 'agent', 'human']).describe('Least to most');
export const labelSchema: z.ZodType<Label> = z
  .strictObject({ trust: trustSchema, sources: texts })
  .meta({ id: 'Label', description: 'Where a value comes from' });
export const labelsSchema: z.ZodType<Labels> = z
  .record(z.string().regex(/^(?:\/[\s\S]*)?$/), labelSchema)
  .describe('By JSON Pointer into the arguments');

export const toolCallSchema: z.ZodType<ToolCall> = z
  .strictObject({
    id: name.describe('One per call; a retry keeps it'),
    tool: name,
    arguments: jsonObject,
    actor: actorKey.exactOptional(),
    directory: name.exactOptional().describe('Where relative paths start'),
    labels: labelsSchema.exactOptional(),
  })
  .meta({ id: 'ToolCall', description: 'What an agent wants to do' });

export const callEffectsSchema: z.ZodType<CallEffects> = z
  .strictObject({
    class: z.enum(['read', 'write', 'unknown']),
    reads: texts,
    writes: texts,
    deletes: texts,
    unknownTargets: z.array(z.enum(['reads', 'writes', 'deletes'])),
    network: z.enum(['yes', 'no', 'unknown']),
  })
  .meta({ id: 'CallEffects', description: 'What a call may do, as far as it can be known beforehand' });

export const startedSchema: z.ZodType<Started> = z
  .strictObject({ call: toolCallSchema, startSeq: count, effects: callEffectsSchema, expects: json.exactOptional() })
  .meta({ id: 'Started', description: 'A call that begins' });

export const observationSchema: z.ZodType<Observation> = z
  .strictObject({
    callId: name,
    endSeq: count,
    outcome: z.enum(['ok', 'error', 'not-run']),
    result: json,
    full: z.strictObject({ digest: digestSchema, bytes: count }).exactOptional().describe('Of a result that was cut'),
    signals: texts.exactOptional(),
    readBackOf: text.exactOptional().describe('The call whose effect this one reads back'),
  })
  .meta({ id: 'Observation', description: 'How a call ended' });
