import type { Entry, IdSource, JsonObject } from '@warrant/core';
import type { Actor } from './actor.ts';

/** Entries of this layer's stream `memory`, in the outbox beside the change they tell of. */
export type AuditType =
  | 'memory.written'
  | 'memory.confirmed'
  | 'memory.proposed'
  | 'memory.refused'
  | 'memory.deleted'
  | 'memory.restored'
  | 'memory.recalled'
  | 'memory.adjusted'
  | 'memory.swept'
  | 'memory.erased'
  | 'memory.promoted'
  | 'memory.quarantined'
  | 'memory.consolidated'
  | 'memory.consolidation-undone'
  | 'memory.session-started'
  | 'memory.external-compared'
  | 'memory.captured'
  | 'memory.skill-changed';

/** One entry. It names records and rules, never what the records say. */
export function auditEntry(
  ids: IdSource,
  actor: Actor,
  type: AuditType,
  data: JsonObject,
  subject: string | null = null,
): Entry {
  return {
    id: ids.next(),
    type,
    data: withDoer(actor, data),
    schemaVersion: 1,
    agentId: actor.onBehalfOf ?? actor.key,
    ...(subject === null ? {} : { subject }),
  };
}

/** Whoever wrote it goes first. What was asked for and approved names both, the one who asked first. */
function withDoer(actor: Actor, data: JsonObject): JsonObject {
  if (actor.proposal === undefined) return { by: actor.key, as: actor.type, ...data };
  return { by: actor.onBehalfOf ?? actor.key, as: 'agent', approvedBy: actor.key, proposal: actor.proposal, ...data };
}
