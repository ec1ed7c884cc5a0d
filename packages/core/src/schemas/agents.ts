import * as z from 'zod';
import type { AgentInput, Annotations, Decision, Grant, ProviderFailure, ProviderResult, Usage } from '../agents.ts';
import type { MemoryConflict, MemoryRecord } from '../memory.ts';
import { labelSchema } from './acts.ts';
import { actorKey, count, digestSchema, json, jsonObject, name, text, texts, time, unit } from './values.ts';

export const usageSchema: z.ZodType<Usage> = z
  .strictObject({ promptTokens: count, completionTokens: count, cost: z.number().min(0).exactOptional() })
  .meta({ id: 'Usage', description: 'What a model call cost' });
export const annotationsSchema: z.ZodType<Annotations> = z
  .strictObject({
    rationale: text.exactOptional(),
    confidence: unit.exactOptional(),
    kind: text.exactOptional(),
    binding: text.exactOptional(),
    model: text.exactOptional(),
    promptHash: digestSchema.exactOptional(),
    usage: usageSchema.exactOptional(),
    fallback: z.boolean().exactOptional(),
  })
  .meta({ id: 'Annotations', description: 'What a decider says about its decision' });
export const decisionSchema: z.ZodType<Decision> = z
  .discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('decision'),
      event: name,
      payload: json,
      annotations: annotationsSchema.exactOptional(),
    }),
    z.strictObject({ type: z.literal('refusal'), reason: text }),
  ])
  .meta({ id: 'Decision', description: 'Which of the offered events a decider chose' });
export const grantSchema: z.ZodType<Grant> = z
  .strictObject({ targets: texts, tools: texts, deciders: texts, functions: texts })
  .meta({ id: 'Grant', description: 'What an agent may use; `*` is all that its parent may' });
export const providerResultSchema: z.ZodType<ProviderResult> = z
  .strictObject({
    content: json,
    model: text,
    usage: usageSchema,
    toolCalls: z.array(z.strictObject({ tool: name, arguments: jsonObject })),
  })
  .meta({ id: 'ProviderResult', description: 'What a model returned' });
export const providerFailureSchema: z.ZodType<ProviderFailure> = z
  .strictObject({
    class: z.enum(['rate-limited', 'schema', 'transport', 'auth', 'invalid-request', 'provider', 'unknown-provider']),
    retryAfterMs: count.exactOptional(),
  })
  .meta({ id: 'ProviderFailure', description: 'Why a model returned nothing' });
export const agentInputSchema: z.ZodType<AgentInput> = z
  .strictObject({
    type: z.enum([
      'start',
      'event',
      'decision',
      'refusal',
      'timer',
      'llm.result',
      'llm.error',
      'tool.result',
      'reply',
      'review',
    ]),
    at: time,
    data: json,
  })
  .meta({ id: 'AgentInput', description: 'What an agent stream takes in' });

export const memoryRecordSchema: z.ZodType<MemoryRecord> = z
  .strictObject({
    id: name,
    key: name,
    value: json,
    origin: z.enum(['human-approved', 'agent-inferred', 'provider-ingested']),
    label: labelSchema,
    confidence: unit,
    tier: z.enum(['working', 'episodic', 'long-term', 'org', 'provider']),
    entities: texts,
    subject: text.nullable(),
    validFrom: time,
    validTo: time.nullable(),
    recordedAt: time,
    closedAt: time.nullable(),
    expiresAt: time.nullable(),
    inferred: z.boolean(),
    sources: texts,
    agent: actorKey,
    user: text.nullable(),
    session: text.nullable(),
    speaker: text.nullable(),
    sequence: z.int().nullable(),
    version: count,
    conflicts: texts,
    auditEntry: text,
    archived: z.boolean(),
    consolidated: z.boolean(),
    directories: texts,
    retrievals: count,
    lastRetrievedAt: time.nullable(),
  })
  .meta({ id: 'MemoryRecord', description: 'One thing remembered, with both of its times' });
export const memoryConflictSchema: z.ZodType<MemoryConflict> = z
  .strictObject({
    id: name,
    type: z.enum(['temporal', 'authority', 'semantic']),
    records: z.tuple([name, name]),
    state: z.enum(['open', 'resolved']),
    kept: text.nullable(),
  })
  .meta({ id: 'MemoryConflict', description: 'Two memories that disagree' });
