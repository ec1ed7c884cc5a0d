import type { ActorKey, Reason } from '@warrant/core';
import { drainAudit } from './drain-audit.ts';
import type { MemoryListener } from './events.ts';
import {
  type AgentHandle,
  createAgentHandle,
  createHandle,
  createHumanHandle,
  type HumanHandle,
  type MemoryHandle,
} from './handles.ts';
import { cleanUpProposalKind } from './hygiene/clean-up.ts';
import { mergeProposalKind } from './lifecycle/propose-merge.ts';
import { settle } from './note-recall.ts';
import { memoryProposalKind } from './propose.ts';
import { createSetup, type MemoryOptions, type Setup } from './setup.ts';
import { skillProposalKind } from './skills/draft.ts';
import { createSystemQueries, type SystemQueries } from './system/system.ts';
import { checkActorKey } from './write-request.ts';
import { absences } from './write-step.ts';

/** Governed memory over one store. Whoever holds this object grants origins by the handles it gives out. */
export type Memory = {
  /** What an agent uses. Everything it writes is `agent-inferred`. */
  readonly agent: (key: ActorKey) => AgentHandle;
  /** What looks on for an agent: sees what the agent may see, writes nothing, notes nothing. */
  readonly reader: (key: ActorKey) => MemoryHandle;
  /** What an importer uses. Everything it writes is `provider-ingested`. */
  readonly provider: (name: ActorKey) => MemoryHandle;
  /** What a person uses. Everything it writes is `human-approved`. @param onBehalfOf whose records they become */
  readonly human: (key: ActorKey, options?: { readonly onBehalfOf?: ActorKey }) => HumanHandle;
  /** Told of events after they were committed. Returns how to stop. */
  readonly subscribe: (listener: MemoryListener) => () => void;
  /** Questions about all of it, whoever's it is. */
  readonly system: SystemQueries;
  /** Optional parts that are not there, a sentence each. */
  readonly absent: readonly string[];
  /** Whether the store's parts agree; nothing when they do. */
  readonly check: () => Promise<readonly Reason[]>;
  /** Waits for what is being noted, and hands the audit entries on. The store stays open. */
  readonly settle: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/** @throws MEMORY_INVALID_ARGUMENT for options out of range */
export function createMemory(options: MemoryOptions): Memory {
  const setup = createSetup(options);
  for (const kind of [
    memoryProposalKind(setup),
    skillProposalKind(setup),
    mergeProposalKind(setup),
    cleanUpProposalKind(setup),
  ])
    setup.reviewer?.register(kind);
  return {
    agent: (key) => createAgentHandle(setup, checkActorKey(key)),
    reader: (key) => createHandle(setup, { type: 'agent', key: checkActorKey(key), readOnly: true }),
    provider: (name) => createHandle(setup, { type: 'provider', key: checkActorKey(name) }),
    human: (key, { onBehalfOf } = {}) =>
      createHumanHandle(setup, {
        type: 'human',
        key: checkActorKey(key),
        ...(onBehalfOf === undefined ? {} : { onBehalfOf: checkActorKey(onBehalfOf) }),
      }),
    subscribe: setup.hub.subscribe,
    system: createSystemQueries(setup),
    absent: absences(setup),
    check: () => setup.store.check(),
    settle: () => settleAll(setup),
    close: async () => {
      await settleAll(setup);
      await setup.store.close();
    },
  };
}

async function settleAll(setup: Setup): Promise<void> {
  await settle(setup);
  if (setup.audit !== null) await drainAudit(setup.audit);
}
