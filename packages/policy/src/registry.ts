import { type DepthLevel, isWellFormed, type Json, type JsonObject, WarrantError } from '@warrant/core';
import { frozenJson } from './frozen-json.ts';
import {
  type Cardinality,
  DEFAULT_CONFIRMATION,
  type Placement,
  type PolicyCallback,
  type PolicyDescription,
} from './placement.ts';
import { createPolicySet, duplicateKey, type PolicySet } from './policy-set.ts';

/** How a placement is declared in code. */
export type PlacementDeclaration = {
  /** @default the callback's name */
  readonly key?: string;
  readonly source: string;
  readonly target: string;
  /** The level of `source` that holds the applies-to edge, 0 to 4. */
  readonly sourceDepth: DepthLevel;
  /** @default the key */
  readonly name?: string;
  /** true: a person is asked when it fires; false: the act is refused. @default true */
  readonly requiresConfirmation?: boolean;
  /** Consider it only for calls of this cardinality. @default null, every call */
  readonly triggerCardinality?: Cardinality | null;
  readonly confirmationMessage?: string;
  /** Handed to the callback. @default {} */
  readonly metadata?: JsonObject;
  /** Let one answer cover the actor, the tool and this placement until the session ends. @default 'never' */
  readonly sticky?: 'never' | 'session';
  /** Part of the policy's digest: raise it when the callback's meaning changes. @default null */
  readonly version?: string | null;
};

/** Policies of one graph, written in code. Nothing is shared between registries. */
export interface PolicyRegistry {
  /**
   * @throws POLICY_DUPLICATE_KEY, POLICY_REGISTRY_FROZEN, POLICY_PLACEMENT_INVALID
   */
  register(declaration: PlacementDeclaration, callback: PolicyCallback): void;
  /** @throws POLICY_REGISTRY_FROZEN */
  clear(): void;
  readonly size: number;
  readonly frozen: boolean;
  /** Ends registration for good and gives what is enforced from now on; the same set every time. */
  freeze(): PolicySet;
  /** What is registered now, without freezing: for lint and validation. */
  placements(): readonly Placement[];
}

export function createPolicyRegistry(): PolicyRegistry {
  const placements = new Map<string, Placement>();
  let set: PolicySet | undefined;
  const assertOpen = (): void => {
    if (set !== undefined) throw new WarrantError('POLICY_REGISTRY_FROZEN', 'the registry is frozen');
  };
  return Object.freeze({
    register: (declaration: PlacementDeclaration, callback: PolicyCallback) => {
      assertOpen();
      const placement = placementOf(declaration, callback);
      if (placements.has(placement.key)) throw duplicateKey(placement.key);
      placements.set(placement.key, placement);
    },
    clear: () => {
      assertOpen();
      placements.clear();
    },
    get size() {
      return placements.size;
    },
    get frozen() {
      return set !== undefined;
    },
    freeze: () => {
      set ??= createPolicySet([...placements.values()]);
      return set;
    },
    placements: () => [...placements.values()],
  } satisfies PolicyRegistry);
}

function placementOf(declaration: PlacementDeclaration, callback: PolicyCallback): Placement {
  if (typeof callback !== 'function') throw invalid('callback', 'a placement needs a function');
  const key = declaration.key ?? callback.name;
  const condition = Object.freeze({
    type: 'callback' as const,
    name: callback.name === '' ? key : callback.name,
    version: declaration.version ?? null,
    callback,
  });
  return Object.freeze({
    ...descriptionOf(declaration, key),
    condition,
    origin: Object.freeze({ type: 'code' as const }),
  });
}

function descriptionOf(declaration: PlacementDeclaration, key: string): PolicyDescription {
  const { source, target, sourceDepth, triggerCardinality = null, sticky = 'never' } = declaration;
  const name = declaration.name ?? key;
  const confirmationMessage = declaration.confirmationMessage ?? DEFAULT_CONFIRMATION;
  for (const [field, value] of Object.entries({ key, source, target, name, confirmationMessage })) {
    if (typeof value !== 'string' || !isWellFormed(value)) throw invalid(field, 'must be well-formed text');
  }
  if (key === '') throw invalid('key', 'a placement with a nameless callback needs a key');
  if (!Number.isInteger(sourceDepth) || sourceDepth < 0 || sourceDepth > 4) {
    throw invalid('sourceDepth', 'must be a whole number from 0 to 4');
  }
  if (triggerCardinality !== null && triggerCardinality !== 'single' && triggerCardinality !== 'multiple') {
    throw invalid('triggerCardinality', "must be 'single', 'multiple' or null");
  }
  if (sticky !== 'never' && sticky !== 'session') throw invalid('sticky', "must be 'never' or 'session'");
  const { requiresConfirmation = true } = declaration;
  if (typeof requiresConfirmation !== 'boolean') throw invalid('requiresConfirmation', 'must be true or false');
  const effect = requiresConfirmation ? 'confirm' : 'block';
  const metadata = metadataOf(declaration.metadata ?? {});
  return { key, name, source, target, sourceDepth, effect, triggerCardinality, confirmationMessage, metadata, sticky };
}

function metadataOf(value: unknown): JsonObject {
  let metadata: Json;
  try {
    metadata = frozenJson(value);
  } catch (cause) {
    throw invalid('metadata', 'must be JSON', cause);
  }
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) {
    throw invalid('metadata', 'must be an object');
  }
  return metadata as JsonObject;
}

function invalid(field: string, problem: string, cause?: unknown): WarrantError {
  return new WarrantError('POLICY_PLACEMENT_INVALID', `${field}: ${problem}`, {
    data: { field },
    ...(cause === undefined ? {} : { cause }),
  });
}
