import { combineLabels, type Label } from '@warrant/core';
import type { Actor } from '../actor.ts';
import { profileFor } from '../config/profiles.ts';
import { fault } from '../errors.ts';
import { settle } from '../note-recall.ts';
import type { Setup } from '../setup.ts';
import { writeAll } from '../write.ts';
import type { WriteResult } from '../write-step.ts';
import { withoutRecalled } from './echo.ts';
import { sessionPrefix } from './session-key.ts';

export type FinishedTurn = {
  readonly session: string;
  readonly query: string;
  readonly response: string;
  /** What was touched on the way, as `beforeTool` named it. @default [] */
  readonly entities?: readonly string[];
  /** Working folders, as absolute paths. @default [] */
  readonly directories?: readonly string[];
  /** Of what else the response was made from: results of tools, pages. @default [] */
  readonly labels?: readonly Label[];
  /** Whom the turn is about. @default null */
  readonly subject?: string | null;
};
export type FinalizedTurn = { readonly type: 'nothing' } | { readonly type: 'written'; readonly result: WriteResult };

/**
 * Remembers a turn, labelled with the least trust of what the session was given and of `labels`. What was recalled and
 * comes back in the response is not remembered anew; a turn that says nothing else leaves nothing, nor does any where
 * the profile does not want responses persisted.
 */
export async function finalizeTurn(setup: Setup, actor: Actor, turn: FinishedTurn): Promise<FinalizedTurn> {
  for (const field of ['session', 'query', 'response'] as const)
    if (typeof turn[field] !== 'string') throw fault('MEMORY_INVALID_ARGUMENT', `${field} is a text`, { field });
  const response = withoutRecalled(turn.response);
  const isWanted = setup.config === null || profileFor(setup.config, actor.key).capture.autoPersistResponse;
  if (response === '' || !isWanted) return { type: 'nothing' };
  const given = await labelOfSession(setup, turn.session);
  const id = setup.ids.next();
  const [written] = await writeAll(setup, actor, [
    {
      key: `${sessionPrefix(turn.session)}turn-${id.toLowerCase()}`,
      value: { asked: withoutRecalled(turn.query), answered: response },
      session: turn.session,
      entities: turn.entities ?? [],
      directories: turn.directories ?? [],
      subject: turn.subject ?? null,
      ...labelField(given, turn.labels ?? []),
    },
  ]);
  return { type: 'written', result: (written as { readonly result: WriteResult }).result };
}

/** The least trust of everything that a session was given; `undefined` when it was given nothing. */
export async function labelOfSession(setup: Setup, session: string): Promise<Label | undefined> {
  await settle(setup);
  const records = await setup.store.records(await setup.store.handedOut(session));
  return records.length === 0 ? undefined : combineLabels(records.map(({ label }) => label));
}

/** @internal */
export function labelField(given: Label | undefined, more: readonly Label[]): { readonly label?: Label } {
  const all = [...(given === undefined ? [] : [given]), ...more];
  return all.length === 0 ? {} : { label: limited(combineLabels(all)) };
}

const MAX_SOURCES = 64;

/** A session may have been given very much; the label names some of its sources. */
function limited(label: Label): Label {
  return { trust: label.trust, sources: label.sources.slice(0, MAX_SOURCES) };
}
