import { type ActorKey, type CallEffects, isWarrantError, type ToolCall, toWellFormed } from '@warrant/core';
import { aborted, type Bounds, bounded, isThenable } from './bounded.ts';
import type { ConditionAnswer, PolicyQuestion } from './decide.ts';
import type { PolicyContext } from './placement.ts';
import type { GroundingFacts } from './read-grounding.ts';

/** Longest message of a condition that is kept, in UTF-16 code units. */
const MAX_CONDITION_MESSAGE = 400;

export type ConditionInput = {
  /** null: nothing to judge, every condition fires. */
  readonly call: ToolCall | null;
  readonly actor: ActorKey | null;
  readonly facts: GroundingFacts;
  readonly effects: CallEffects | null;
};

/**
 * Asks every condition, in order; asynchronous ones run side by side, each at most `timeoutMs`. A condition that throws,
 * rejects, takes too long or answers anything but its own kind of result fires: this never rejects but on abort.
 * @throws POLICY_ABORTED when the signal is aborted while conditions are asked.
 */
export function askConditions(
  questions: readonly PolicyQuestion[],
  input: ConditionInput,
  bounds: Bounds,
): readonly ConditionAnswer[] | Promise<readonly ConditionAnswer[]> {
  const { call } = input;
  if (call === null) return questions.map(() => ({ type: 'no-call', message: null }));
  const known = { ...input, call };
  const answers = questions.map((question) => ask(question, known, bounds));
  return answers.some(isThenable)
    ? Promise.all(answers.map((answer) => Promise.resolve(answer)))
    : (answers as readonly ConditionAnswer[]);
}

function ask(
  question: PolicyQuestion,
  input: ConditionInput & { readonly call: ToolCall },
  bounds: Bounds,
): ConditionAnswer | Promise<ConditionAnswer> {
  const { condition } = question.placement;
  try {
    const context = contextOf(question, input, bounds);
    if (condition.type === 'expression') return fromExpression(condition.evaluate(context));
    const result = condition.callback(context);
    if (!isThenable(result)) return fromCallback(result);
    return bounded(result, `policy '${question.placement.key}'`, bounds).then(fromCallback, (error: unknown) =>
      fromError(error, bounds.signal),
    );
  } catch (error) {
    return fromError(error, undefined);
  }
}

function contextOf(
  { placement, edge }: PolicyQuestion,
  input: ConditionInput & { readonly call: ToolCall },
  bounds: Bounds,
): PolicyContext {
  const { grounded, resolved } = input.facts;
  const context: PolicyContext = {
    call: input.call,
    grounding: Object.freeze({ grounded, resolved, actor: input.actor }),
    edge: Object.freeze(edge),
    policy: placement,
    effects: input.effects,
    signal: bounds.signal ?? NEVER,
  };
  return Object.freeze(context);
}

/** A signal that is never aborted. */
const NEVER = new AbortController().signal;

function fromExpression(value: unknown): ConditionAnswer {
  if (value === true) return { type: 'fired', message: null };
  if (value === false) return { type: 'passed', message: null };
  return { type: 'bad-answer', message: `the expression gave ${kindOf(value)}, not true or false` };
}

function fromCallback(value: unknown): ConditionAnswer {
  if (typeof value !== 'object' || value === null) {
    return { type: 'bad-answer', message: `the callback gave ${kindOf(value)} instead of { passed }` };
  }
  const { passed, message } = value as { readonly passed?: unknown; readonly message?: unknown };
  if (typeof passed !== 'boolean') {
    return { type: 'bad-answer', message: `the callback gave ${kindOf(passed)} for passed` };
  }
  return { type: passed ? 'passed' : 'fired', message: typeof message === 'string' ? cut(message) : null };
}

function fromError(error: unknown, signal: AbortSignal | undefined): ConditionAnswer {
  if (isWarrantError(error, 'POLICY_ABORTED') && signal?.aborted === true) throw aborted(signal);
  if (isWarrantError(error, 'POLICY_TIMEOUT')) return { type: 'timeout', message: cut(error.message) };
  return { type: 'error', message: cut(messageOf(error)) };
}

/** What an unknown thrown value says, without trusting it to be an error. */
export function messageOf(error: unknown): string {
  try {
    if (error instanceof Error) return error.message === '' ? error.name : error.message;
    return typeof error === 'string' ? error : `a thrown ${kindOf(error)}`;
  } catch {
    return 'an error that cannot be read';
  }
}

function cut(message: string): string {
  const text = toWellFormed(message);
  return text.length <= MAX_CONDITION_MESSAGE ? text : `${toWellFormed(text.slice(0, MAX_CONDITION_MESSAGE - 1))}…`;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'an object' : typeof value;
}
