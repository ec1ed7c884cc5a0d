import type { JsonObject } from '@warrant/core';
import { CLAIM_TYPES } from '../kinds.ts';
import { ARTIFACT_KINDS, ENTITY_TYPES, RELATION_TYPES } from '../knowledge.ts';

const TEXT: JsonObject = { type: 'string' };
const TEXTS: JsonObject = { type: 'array', items: TEXT };
const ID: JsonObject = { type: 'string', description: 'a new id that can name a file' };
const CONFIDENCE: JsonObject = { type: 'number', minimum: 0, maximum: 1 };
const EVIDENCE: JsonObject = { ...TEXTS, description: 'ids of sources or evidence that are there' };
const oneOf = (words: readonly string[]): JsonObject => ({ type: 'string', enum: words });
const SCOPE: JsonObject = {};

/** What agents may say about a proposal of each kind; everything else is the gate's. */
export const PARAMETERS: Readonly<
  Record<string, { readonly required: readonly string[]; readonly properties: Readonly<Record<string, JsonObject>> }>
> = {
  claim: {
    required: ['id', 'text'],
    properties: {
      id: ID,
      text: TEXT,
      type: oneOf(CLAIM_TYPES),
      confidence: CONFIDENCE,
      evidence: EVIDENCE,
      entities: TEXTS,
      tags: TEXTS,
      scope: SCOPE,
      supersedes: { ...TEXTS, description: 'ids of claims that this one replaces' },
    },
  },
  page: {
    required: ['id', 'title'],
    properties: {
      id: ID,
      title: TEXT,
      body: TEXT,
      type: TEXT,
      claims: TEXTS,
      entities: TEXTS,
      sources: TEXTS,
      tags: TEXTS,
      metadata: { type: 'object' },
      scope: SCOPE,
      replaces: { type: 'string', description: 'the id of this page, to overwrite it' },
    },
  },
  entity: {
    required: ['id', 'name', 'type'],
    properties: { id: ID, name: TEXT, type: oneOf(ENTITY_TYPES), aliases: TEXTS, description: TEXT },
  },
  relation: {
    required: ['id', 'source', 'relation', 'target'],
    properties: {
      id: ID,
      source: TEXT,
      relation: oneOf(RELATION_TYPES),
      target: TEXT,
      confidence: CONFIDENCE,
      evidence: EVIDENCE,
    },
  },
  delete: {
    required: ['target_kind', 'id'],
    properties: { target_kind: oneOf(ARTIFACT_KINDS), id: TEXT, snapshot: { type: 'object' } },
  },
};
