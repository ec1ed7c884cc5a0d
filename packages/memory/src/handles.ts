import type { ActorKey, Eraser, MemoryConflict, MemoryRecord } from '@warrant/core';
import type { Actor } from './actor.ts';
import type { Moment } from './current.ts';
import { type Forgotten, forget } from './forget.ts';
import { type CleanUpResult, proposeCleanUp } from './hygiene/clean-up.ts';
import { type CleanUpItem, type HygieneReport, hygiene } from './hygiene/report.ts';
import { undoConsolidation } from './lifecycle/commit-merge.ts';
import { type Consolidation, consolidate } from './lifecycle/consolidate.ts';
import { askPromotion, type Promotion, promote } from './lifecycle/promote.ts';
import { quarantine, quarantined, restore } from './lifecycle/quarantine.ts';
import type { ConsolidationSettings } from './lifecycle/settings.ts';
import { recordOutcome, reinforce } from './outcomes.ts';
import { matchesPattern } from './patterns.ts';
import { type AccessVerdict, decideAccess, type MemoryAction } from './permissions.ts';
import { proposeOutranked } from './propose.ts';
import { historyOf, listCurrent, type ReadResult, readKey, text } from './read.ts';
import { type DeleteResult, deleteKey } from './remove.ts';
import { type Recall, type RecallRequest, retrieve } from './retrieve.ts';
import type { Setup } from './setup.ts';
import { type AgentSkills, createAgentSkills, createHumanSkills, type HumanSkills } from './skills/skill-handles.ts';
import { type SweepReport, type SweepSettings, sweep } from './sweep.ts';
import { type PinRequest, pin, pinKey } from './turn/pins.ts';
import { createTurnHelpers, type TurnHelpers } from './turn/turn-helpers.ts';
import { valueText } from './words.ts';
import { type Written, writeAll } from './write.ts';
import type { MemoryWrite } from './write-request.ts';
import type { WriteResult } from './write-step.ts';

/** What every handle can do, within its rights. */
export type MemoryHandle = {
  readonly write: (write: MemoryWrite) => Promise<WriteResult>;
  /** In one transaction, in order; later ones see earlier ones. */
  readonly writeMany: (writes: readonly MemoryWrite[]) => Promise<readonly WriteResult[]>;
  readonly read: (key: string, moment?: Partial<Moment>) => Promise<ReadResult>;
  /** Every row of a key that the handle may see. */
  readonly history: (key: string) => Promise<readonly MemoryRecord[]>;
  readonly delete: (key: string) => Promise<DeleteResult>;
  readonly list: (prefix?: string) => Promise<readonly MemoryRecord[]>;
  /** Current records whose text or key holds the text, letter by letter. */
  readonly grep: (text: string, prefix?: string) => Promise<readonly MemoryRecord[]>;
  /** Current records whose key the pattern covers, as patterns of permissions do. */
  readonly glob: (pattern: string) => Promise<readonly MemoryRecord[]>;
  readonly retrieve: (request: RecallRequest) => Promise<Recall>;
  /** Records tagged with one of these, whatever the case; best first. */
  readonly retrieveByEntities: (
    entities: readonly string[],
    options?: Omit<RecallRequest, 'query' | 'entities'>,
  ) => Promise<Recall>;
  /** What the permissions say of a key, without doing anything. */
  readonly explain: (action: MemoryAction, key: string) => AccessVerdict;
  /** Takes a record out of use until a person looks at it. */
  readonly quarantine: (id: string, why: string) => Promise<DeleteResult>;
};
export type AgentHandle = MemoryHandle & {
  readonly skills: AgentSkills;
  /** How well a session went, 0 to 1. Returns the ids whose confidence moved. */
  readonly recordOutcome: (outcome: { readonly session: string; readonly value: number }) => Promise<readonly string[]>;
  readonly reinforce: (id: string) => Promise<number>;
  /** Makes one record of those of the agent's own that are about one subject. */
  readonly consolidate: (settings?: Partial<ConsolidationSettings>) => Promise<Consolidation>;
  /** Asks people to make a record theirs. */
  readonly promote: (id: string) => Promise<WriteResult>;
} & TurnHelpers;
export type HumanHandle = MemoryHandle & {
  readonly skills: HumanSkills;
  /** Keeps a constraint in view of the agents it is for, in every turn. */
  readonly pin: (request: PinRequest) => Promise<WriteResult>;
  readonly unpin: (name: string) => Promise<DeleteResult>;
  readonly conflicts: (state?: MemoryConflict['state']) => Promise<readonly MemoryConflict[]>;
  readonly restore: (id: string) => Promise<MemoryRecord>;
  /** Makes what an agent or a provider remembered a person's. */
  readonly promote: (id: string, promotion?: Promotion) => Promise<WriteResult>;
  /** What is wrong with what is remembered. Changes nothing. */
  readonly hygiene: () => Promise<HygieneReport>;
  /** Asks people to archive what a report found. */
  readonly proposeCleanUp: (items: readonly CleanUpItem[]) => Promise<CleanUpResult>;
  readonly quarantined: () => Promise<readonly MemoryRecord[]>;
  /** Takes a consolidation back. Returns the records that are in force again. */
  readonly undoConsolidation: (id: string) => Promise<readonly string[]>;
  readonly sweep: (settings?: SweepSettings) => Promise<SweepReport>;
  readonly forget: (subject: string, eraser?: Eraser) => Promise<Forgotten>;
};

/** @internal */
export function createHandle(setup: Setup, actor: Actor): MemoryHandle {
  const propose = (written: Written): Promise<WriteResult> => proposeOutranked(setup, actor, written);
  const writeMany = async (writes: readonly MemoryWrite[]): Promise<readonly WriteResult[]> => {
    const results: WriteResult[] = [];
    for (const written of await writeAll(setup, actor, writes)) results.push(await propose(written));
    return results;
  };
  const list = (prefix = ''): Promise<readonly MemoryRecord[]> => listCurrent(setup, actor, prefix);
  return {
    write: async (write) => (await writeMany([write]))[0] as WriteResult,
    writeMany,
    read: (key, moment = {}) => readKey(setup, actor, key, moment),
    history: (key) => historyOf(setup, actor, key),
    delete: (key) => deleteKey(setup, actor, key),
    list,
    grep: async (asked, prefix = '') => {
      const part = text('text', asked);
      return (await list(prefix)).filter(({ key, value }) => key.includes(part) || valueText(value).includes(part));
    },
    glob: async (pattern) => {
      const known = text('pattern', pattern);
      return (await list()).filter((record) => matchesPattern(known, record.key));
    },
    retrieve: (request) => retrieve(setup, actor, request),
    retrieveByEntities: (entities, options = {}) => retrieve(setup, actor, { ...options, query: '', entities }),
    quarantine: (id, why) => quarantine(setup, actor, id, why),
    explain: (action, key) => decideAccess(setup.permissions, { action, key, actor, record: null }),
  };
}

/** @internal */
export function createAgentHandle(setup: Setup, key: ActorKey): AgentHandle {
  const actor: Actor = { type: 'agent', key };
  return {
    ...createHandle(setup, actor),
    skills: createAgentSkills(setup, actor),
    recordOutcome: (outcome) => recordOutcome(setup, actor, outcome),
    reinforce: (id) => reinforce(setup, actor, id),
    consolidate: (settings) => consolidate(setup, actor, settings),
    promote: (id) => askPromotion(setup, actor, id),
    ...createTurnHelpers(setup, actor),
  };
}

/** @internal */
export function createHumanHandle(setup: Setup, actor: Actor): HumanHandle {
  return {
    ...createHandle(setup, actor),
    skills: createHumanSkills(setup, actor),
    pin: (request) => pin(setup, actor, request),
    unpin: (name) => deleteKey(setup, actor, pinKey(actor, name)),
    conflicts: async (state) => {
      const all: MemoryConflict[] = [];
      for await (const conflict of setup.store.conflicts(state === undefined ? {} : { state })) all.push(conflict);
      return all;
    },
    restore: (id) => restore(setup, actor, id),
    promote: (id, promotion) => promote(setup, actor, id, promotion),
    quarantined: () => quarantined(setup),
    hygiene: () => hygiene(setup),
    proposeCleanUp: (items) => proposeCleanUp(setup, actor, items),
    undoConsolidation: (id) => undoConsolidation(setup, actor, id),
    sweep: (settings = {}) => sweep(setup, actor, settings),
    forget: (subject, eraser) => forget(setup, actor, subject, eraser ?? null),
  };
}
