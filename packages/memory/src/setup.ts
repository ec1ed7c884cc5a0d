import type {
  ActorKey,
  AgentRegistry,
  Clock,
  Digest,
  Embedder,
  IdSource,
  Json,
  MemoryRecord,
  MemoryStore,
  Reviewer,
} from '@warrant/core';
import { createIdSource, systemClock } from '@warrant/core';
import { type MemoryConfig, rankingWeightsOf } from './config/profiles.ts';
import type { Resolution } from './current.ts';
import type { AuditTrail } from './drain-audit.ts';
import { fault } from './errors.ts';
import { createEventHub, type EventHub } from './events.ts';
import { createKeyLocks, type KeyLocks } from './key-locks.ts';
import { type ConsolidationSettings, DEFAULT_CONSOLIDATION } from './lifecycle/settings.ts';
import type { MemoryPermissions } from './permissions.ts';
import { DEFAULT_WEIGHTS, type RankingWeights, weightFaults } from './ranking.ts';
import { DEFAULT_FACTORS, factorFaults, type RankingFactors } from './ranking-factors.ts';
import type { SkillCache } from './skills/review-signal.ts';
import { isoOf } from './times.ts';
import { estimateTokens, type TokenEstimator } from './tokens.ts';

/** Rewrites a value before it is stored. It sees what is written and nothing else. */
export type InferFunction = (write: { readonly key: string; readonly value: Json }) => Promise<Json>;

export type MemoryOptions = {
  readonly store: MemoryStore;
  /** @default null: a handle reaches its own records under `memory/` */
  readonly permissions?: MemoryPermissions | null;
  /** Takes what a more trusted record stands against. Without one such a write is refused. */
  readonly reviewer?: Reviewer;
  /** Takes the audit entries over when the memory settles or closes. Without it they wait in the store's outbox. */
  readonly audit?: AuditTrail;
  /** Knows the agents whose records are written: each is registered before its first. @default none: keys are taken as given */
  readonly agents?: AgentRegistry;
  readonly embedder?: Embedder;
  readonly infer?: InferFunction;
  /** Limits, budgets, sweeps and weights, for all and for single agents. @default none: the defaults that are named here */
  readonly config?: MemoryConfig;
  /** @default 'supersede' */
  readonly resolution?: Resolution;
  /** @default DEFAULT_WEIGHTS */
  readonly weights?: RankingWeights;
  /** What sessions, speakers, dates and questions add; those left out are as by default. @default DEFAULT_FACTORS */
  readonly factors?: Partial<RankingFactors>;
  /** Cosine from which records of one subject are noted as a semantic conflict. 0 to 1. @default 0.92 */
  readonly semanticConflictThreshold?: number;
  /** Which records are compared for semantic conflicts: those about the same subject, or all of the same agent. @default 'subject' */
  readonly semanticScope?: 'subject' | 'agent';
  /** Queries with fewer words are not embedded. @default 3 */
  readonly minVectorWords?: number;
  readonly estimateTokens?: TokenEstimator;
  /** Digest of a file's bytes, `null` when it is gone; shows which skills have drifted from their files. @default none: files are not looked at */
  readonly fileDigest?: (path: string) => Promise<Digest | null>;
  /** When and how an agent's records become fewer. @default DEFAULT_CONSOLIDATION */
  readonly consolidation?: Partial<ConsolidationSettings>;
  /** Told of what a subscriber threw. @default ignored */
  readonly onListenerError?: (error: unknown) => void;
  readonly clock?: Clock;
  readonly ids?: IdSource;
};

/** Options with every default filled in. @internal */
export type Setup = {
  readonly store: MemoryStore;
  readonly permissions: MemoryPermissions | null;
  readonly reviewer: Reviewer | null;
  readonly audit: AuditTrail | null;
  readonly register: (agent: ActorKey) => Promise<void>;
  readonly embedder: Embedder | null;
  readonly infer: InferFunction | null;
  readonly config: MemoryConfig | null;
  readonly resolution: Resolution;
  readonly weights: RankingWeights;
  readonly weightsGiven: boolean;
  /** `null`: as the profile says. */
  readonly factors: RankingFactors | null;
  readonly semanticConflictThreshold: number;
  readonly semanticScope: 'subject' | 'agent';
  readonly minVectorWords: number;
  readonly estimateTokens: TokenEstimator;
  readonly fileDigest: ((path: string) => Promise<Digest | null>) | null;
  readonly consolidation: ConsolidationSettings;
  readonly skillCache: SkillCache;
  readonly hub: EventHub;
  readonly locks: KeyLocks;
  readonly ids: IdSource;
  readonly now: () => string;
  /** Work that nobody awaits; `close` does. */
  readonly pending: Set<Promise<unknown>>;
};

/** @throws MEMORY_INVALID_ARGUMENT for weights that are none */
export function createSetup(options: MemoryOptions): Setup {
  const clock = options.clock ?? systemClock;
  const configured = options.config?.profile.retrieval.rankerWeights;
  const weights = options.weights ?? (configured === undefined ? DEFAULT_WEIGHTS : rankingWeightsOf(configured));
  const faults = weightFaults(weights);
  if (faults.length > 0) throw fault('MEMORY_INVALID_ARGUMENT', faults.join('; '), { field: 'weights' });
  const factors = options.factors === undefined ? null : { ...DEFAULT_FACTORS, ...options.factors };
  const wrong = factors === null ? [] : factorFaults(factors);
  if (wrong.length > 0) throw fault('MEMORY_INVALID_ARGUMENT', wrong.join('; '), { field: 'factors' });
  return {
    store: options.store,
    permissions: options.permissions ?? null,
    reviewer: options.reviewer ?? null,
    audit: options.audit ?? null,
    register: registering(options.agents),
    embedder: options.embedder ?? null,
    infer: options.infer ?? null,
    config: options.config ?? null,
    resolution: options.resolution ?? 'supersede',
    weights,
    weightsGiven: options.weights !== undefined,
    factors,
    semanticConflictThreshold: options.semanticConflictThreshold ?? options.config?.semanticConflictThreshold ?? 0.92,
    semanticScope: options.semanticScope ?? 'subject',
    minVectorWords: options.minVectorWords ?? 3,
    estimateTokens: options.estimateTokens ?? estimateTokens,
    fileDigest: options.fileDigest ?? null,
    consolidation: { ...DEFAULT_CONSOLIDATION, ...options.consolidation },
    skillCache: { value: 0, skills: [], vectors: new Map() },
    hub: createEventHub((error) => options.onListenerError?.(error)),
    locks: createKeyLocks(),
    ids: options.ids ?? createIdSource({ clock }),
    now: () => isoOf(Math.trunc(clock.now())),
    pending: new Set(),
  };
}

/** Asks the registry once for each agent. */
function registering(agents: AgentRegistry | undefined): Setup['register'] {
  const known = new Set<ActorKey>();
  return async (agent) => {
    if (agents === undefined || known.has(agent)) return;
    await agents.register(agent);
    known.add(agent);
  };
}

/** What a caller gets cannot change what is stored. */
export function frozen(record: MemoryRecord): MemoryRecord {
  if (Object.isFrozen(record)) return record;
  const { value, entities, sources, directories, conflicts, label } = record;
  deepFreeze(value);
  // Lists of texts: nothing in them can change.
  for (const list of [entities, sources, directories, conflicts, label.sources]) Object.freeze(list);
  Object.freeze(label);
  return Object.freeze(record);
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  // Faster than asking for a list of the values.
  for (const name in value) deepFreeze(value[name]);
  return Object.freeze(value);
}
