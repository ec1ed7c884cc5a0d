import {
  type Clock,
  createIdSource,
  type IdSource,
  type Json,
  systemClock,
  systemTimer,
  type ToolCall,
  WarrantError,
} from '@warrant/core';
import { type ArgumentBinding, createBinding } from './bind-arguments.ts';
import type { Bounds } from './bounded.ts';
import type { DormantRule } from './decide.ts';
import { DEFAULT_TIMEOUT_MS } from './gate.ts';
import type { CallContext, Extraction, GuardOptions, GuardReport } from './guard-options.ts';
import { createPlanMemo, type PlanMemo } from './plan-memo.ts';
import { createPolicySet, type PolicySet } from './policy-set.ts';
import { createGuardSession, type GuardSession } from './session.ts';

/** Options with their defaults, checked once, when a tool is guarded. */
export type GuardSetup = {
  readonly options: GuardOptions<readonly unknown[]>;
  readonly tool: (...args: readonly unknown[]) => unknown;
  readonly toolName: string;
  readonly binding: ArgumentBinding;
  /** A copy of the list, so that nobody changes later what is checked. */
  readonly concepts: GuardOptions<readonly unknown[]>['concepts'];
  readonly extraction: Extraction;
  readonly dormant: DormantRule;
  readonly enforce: boolean;
  readonly stream: string;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly questionTtlMs: number | null;
  readonly bounds: Bounds;
  readonly storeBounds: Bounds;
  readonly session: GuardSession;
  /** What was frozen before, so that shared data is walked once. */
  readonly frozen: WeakSet<object>;
  /** What the last call was decided from, for the next. */
  readonly plans: PlanMemo;
  readonly policies: () => PolicySet | PromiseLike<PolicySet>;
  readonly report: (report: GuardReport) => void;
  readonly replace: (value: Json) => Json;
  readonly sessionOf: (call: ToolCall) => GuardSession;
  readonly sessions: WeakMap<ToolCall, GuardSession>;
};

/** @throws POLICY_GUARD_OPTIONS for options that contradict each other or cannot be used. */
export function createSetup(
  tool: (...args: readonly unknown[]) => unknown,
  options: GuardOptions<readonly unknown[]>,
): GuardSetup {
  const toolName = options.name ?? tool.name;
  assertOptions(tool, toolName, options);
  const none = createPolicySet([]);
  const { policies = none, secrets, onReport } = options;
  const timer = options.timer ?? systemTimer;
  const clock = options.clock ?? systemClock;
  const session = options.session ?? createGuardSession();
  const sessions = new WeakMap<ToolCall, GuardSession>();
  return {
    options,
    tool,
    toolName,
    binding: createBinding(options.parameters),
    concepts: typeof options.concepts === 'function' ? options.concepts : Object.freeze([...options.concepts]),
    extraction: typeof options.concepts === 'function' ? 'dynamic' : 'static',
    dormant: options.dormant ?? 'refuse',
    enforce: options.enforce ?? true,
    stream: options.stream ?? 'guard',
    clock,
    ids: options.ids ?? createIdSource({ clock }),
    questionTtlMs: options.questionTtlMs === undefined ? DEFAULT_QUESTION_TTL_MS : options.questionTtlMs,
    bounds: { timer, timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS, signal: undefined },
    storeBounds: { timer, timeoutMs: options.storeTimeoutMs ?? DEFAULT_STORE_TIMEOUT_MS, signal: undefined },
    session,
    frozen: new WeakSet(),
    plans: createPlanMemo(),
    policies: typeof policies === 'function' ? policies : () => policies,
    report: (report) => {
      try {
        onReport?.(report);
      } catch {
        // A report has nobody left to tell about its own failure.
      }
    },
    replace: secrets === undefined ? (value) => value : (value) => secrets.replace(value),
    sessions,
    sessionOf: (call) => sessions.get(call) ?? session,
  };
}

const DEFAULT_STORE_TIMEOUT_MS = 30_000;
const DEFAULT_QUESTION_TTL_MS = 3_600_000;

/** The session and what else a call says about itself go before what the guard was given. */
export function settingsOf(
  setup: GuardSetup,
  context: CallContext,
): { readonly wait: boolean; readonly session: GuardSession } {
  return { wait: context.wait ?? setup.options.wait ?? true, session: context.session ?? setup.session };
}

function assertOptions(tool: unknown, toolName: string, options: GuardOptions<readonly unknown[]>): void {
  if (typeof tool !== 'function') throw wrong('tool', 'a tool is a function');
  if (toolName === '') throw wrong('name', 'a nameless function needs a name');
  if (typeof (options.grounder as { check?: unknown } | undefined)?.check !== 'function') {
    throw wrong('grounder', 'a guard needs a grounder');
  }
  if (options.inbox !== undefined && options.onPolicy !== undefined) {
    throw wrong('onPolicy', 'confirmations go to an inbox or to onPolicy, not to both');
  }
  if (typeof options.concepts !== 'function') assertConcepts(options.concepts);
  if (options.parameters === undefined && (tool as (...args: unknown[]) => unknown).length > 1) {
    throw wrong('parameters', 'a function with positional parameters needs their names');
  }
}

/**
 * A text where a list is meant would be read letter by letter.
 * @throws POLICY_CONCEPTS_INVALID
 */
export function assertConcepts(concepts: unknown): asserts concepts is readonly string[] {
  if (Array.isArray(concepts) && concepts.every((concept) => typeof concept === 'string')) return;
  throw new WarrantError('POLICY_CONCEPTS_INVALID', 'concepts must be a list of names', {
    data: { given: Array.isArray(concepts) ? 'a list with something else than text' : typeof concepts },
  });
}

function wrong(option: string, message: string): WarrantError {
  return new WarrantError('POLICY_GUARD_OPTIONS', message, { data: { option } });
}
