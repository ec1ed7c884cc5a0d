import type { RecordedReviewEvent, ReviewEvent } from '@warrant/core';
import { asciiJson, eventHash } from './chain.ts';
import { isMapping } from './faults.ts';

/** The members of an audit event, without its hash. */
export function eventMembers(
  event: ReviewEvent,
  link: { readonly id: string; readonly kbId: string | null; readonly previous: string },
): { readonly [key: string]: unknown } {
  return {
    actor: event.actor,
    created_at: event.at,
    data: event.data,
    dry_run: event.dryRun,
    event: event.event,
    id: link.id,
    kb_id: link.kbId,
    object_ids: event.objectIds,
    prev_hash: link.previous,
    reversible: true,
  };
}

/** One line of the audit log, without line end, and the hash that the next one links to. */
export function eventLine(
  event: ReviewEvent,
  link: { readonly id: string; readonly kbId: string | null; readonly previous: string },
): { readonly line: string; readonly hash: string } {
  const members = eventMembers(event, link);
  const hash = eventHash(link.previous, members);
  return { line: asciiJson({ ...members, hash }), hash };
}

/** A parsed line as an event; absent members are empty. */
export function readEvent(value: { readonly [key: string]: unknown }): RecordedReviewEvent {
  const text = (key: string): string => (typeof value[key] === 'string' ? value[key] : '');
  const ids: unknown = value['object_ids'];
  return {
    event: text('event'),
    actor: text('actor'),
    at: text('created_at'),
    objectIds: Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [],
    data: isMapping(value['data']) ? (value['data'] as RecordedReviewEvent['data']) : {},
    dryRun: value['dry_run'] === true,
    id: text('id'),
    hash: text('hash'),
    previous: text('prev_hash'),
  };
}
