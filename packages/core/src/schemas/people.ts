import * as z from 'zod';
import type { Answer, Question } from '../people.ts';
import type { Proposal, ReviewDecision } from '../proposals.ts';
import type { Agent } from '../registry.ts';
import { actorKey, digestSchema, json, jsonObject, name, reasonSchema, text, texts, time } from './values.ts';

export const questionSchema: z.ZodType<Question> = z
  .strictObject({
    id: name,
    kind: z.enum(['confirmation', 'review', 'decision']),
    subject: digestSchema,
    title: text,
    details: jsonObject,
    choices: z.array(text).min(1),
    payloads: z
      .record(z.string(), jsonObject)
      .exactOptional()
      .describe('JSON Schema of the data that goes with a choice'),
    group: name.exactOptional().describe('One vote a person over all questions of a group'),
    askedBy: actorKey,
    expiresAt: time.nullable(),
  })
  .meta({ id: 'Question', description: 'What a person is asked' });
export const answerSchema: z.ZodType<Answer> = z
  .strictObject({
    questionId: name,
    subject: digestSchema,
    choice: text,
    answeredBy: actorKey,
    answeredAt: time,
    payload: json.exactOptional(),
    reason: text.exactOptional(),
  })
  .meta({ id: 'Answer', description: 'What a person answered' });

export const proposalSchema: z.ZodType<Proposal> = z
  .strictObject({
    id: name,
    kind: name,
    proposedBy: actorKey,
    proposedAt: time,
    payload: jsonObject,
    rationale: text.exactOptional(),
  })
  .meta({ id: 'Proposal', description: 'A lasting change that somebody wants' });
export const reviewDecisionSchema: z.ZodType<ReviewDecision> = z
  .strictObject({
    type: z.enum(['approved', 'queued', 'blocked', 'rejected', 'expired', 'invalid', 'dry-run']),
    proposalId: name,
    proposal: digestSchema,
    would: z.enum(['approve', 'queue', 'refuse']),
    decidedBy: actorKey.nullable(),
    votes: z.array(answerSchema),
    applied: z.enum(['yes', 'no', 'failed']),
    rule: text.nullable(),
    facts: texts,
    reasons: z.array(reasonSchema),
    policy: digestSchema.nullable(),
  })
  .meta({ id: 'ReviewDecision', description: 'What became of a proposal' });

export const agentSchema: z.ZodType<Agent> = z
  .strictObject({ key: actorKey, id: name, registeredAt: time })
  .meta({ id: 'Agent', description: 'Who acts' });
