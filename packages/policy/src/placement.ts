import type { ActorKey, CallEffects, DepthLevel, Edge, GroundingResult, JsonObject, ToolCall } from '@warrant/core';

/** Whether a call touches one thing or several. */
export type Cardinality = 'single' | 'multiple';

/** What happens when a placement fires: the act is refused, or a person is asked. */
export type PolicyEffect = 'block' | 'confirm';

/** What a condition sees. Everything in it is frozen; `edge` names concepts, it holds no ids. */
export type PolicyContext = {
  readonly call: ToolCall;
  readonly grounding: Pick<GroundingResult, 'grounded' | 'resolved'> & { readonly actor: ActorKey | null };
  readonly edge: Edge;
  readonly policy: PolicyDescription;
  /** What the call would read, write and delete, when the guard was given a classifier. */
  readonly effects: CallEffects | null;
  readonly signal: AbortSignal;
};

/** Only `passed === true` lets the act through; `message` is shown to whoever is told. */
export type PolicyCallbackResult = { readonly passed: boolean; readonly message?: string };

/** Decides whether one placement fires for one call. Throwing, or answering anything else, fires. */
export type PolicyCallback = (context: PolicyContext) => PolicyCallbackResult | PromiseLike<PolicyCallbackResult>;

/** A condition of a policy file, ready to run. `evaluate` answers what the expression gave, or throws. */
export type PolicyExpression = {
  readonly type: 'expression';
  readonly text: string;
  readonly evaluate: (context: PolicyContext) => unknown;
};

/** `version` is part of the digest: raise it when the function's meaning changes. */
export type PolicyFunction = {
  readonly type: 'callback';
  readonly name: string;
  readonly version: string | null;
  readonly callback: PolicyCallback;
};

/** What is known about a policy apart from its condition. */
export type PolicyDescription = {
  readonly key: string;
  readonly name: string;
  /** The applies-to edge, by the names of its concepts and the level of the source that holds it. */
  readonly source: string;
  readonly target: string;
  readonly sourceDepth: DepthLevel;
  readonly effect: PolicyEffect;
  /** null: whatever the cardinality of the call. */
  readonly triggerCardinality: Cardinality | null;
  readonly confirmationMessage: string;
  readonly metadata: JsonObject;
  /** `session`: one answer covers the actor, the tool and this placement until the session ends. */
  readonly sticky: 'never' | 'session';
};

/** A policy on one edge of the graph. */
export type Placement = PolicyDescription & {
  readonly condition: PolicyFunction | PolicyExpression;
  /** Where it was written down. */
  readonly origin: { readonly type: 'code' } | { readonly type: 'file'; readonly file: string; readonly line: number };
};

/** Shown when a placement asks for confirmation and says nothing else. */
export const DEFAULT_CONFIRMATION = 'This action requires confirmation. Proceed?';
