import { isWellFormed, type JsonObject, type ToolCall, WarrantError } from '@warrant/core';
import { fits } from './fits.ts';
import { frozenJson } from './frozen-json.ts';
import type { CallContext } from './guard-options.ts';
import type { GuardSetup } from './guard-setup.ts';

/** No arguments, or none that could be read. */
export const NO_ARGUMENTS: JsonObject = Object.freeze({});

/** Longest id, actor and folder of a call, in bytes of UTF-8: every record of the call names them. */
const MAX_ID = 128;
const MAX_DIRECTORY = 4096;

/** @throws POLICY_CALL_INVALID, POLICY_NOT_JSON, POLICY_LONE_SURROGATE */
export function identifyCall(setup: GuardSetup, context: CallContext): ToolCall {
  const { options } = setup;
  const id = context.id ?? setup.ids.next();
  const actor = context.actor ?? options.actor;
  const directory = context.directory ?? options.directory;
  assertText('id', id, MAX_ID);
  if (actor !== undefined) assertText('actor', actor, MAX_ID);
  if (directory !== undefined) assertText('directory', directory, MAX_DIRECTORY);
  const call: Mutable<ToolCall> = { id, tool: setup.toolName, arguments: NO_ARGUMENTS };
  if (actor !== undefined) call.actor = actor;
  if (directory !== undefined) call.directory = directory;
  if (context.labels !== undefined) call.labels = frozenJson(context.labels) as NonNullable<ToolCall['labels']>;
  return Object.freeze(call);
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** @throws POLICY_NOT_JSON, POLICY_LONE_SURROGATE, POLICY_ARGUMENTS_UNNAMED */
export function withArguments(setup: GuardSetup, call: ToolCall, args: readonly unknown[]): ToolCall {
  const bound = Object.freeze({ ...call, arguments: setup.binding.bind(args) });
  const session = setup.sessionOf(call);
  if (session !== setup.session) setup.sessions.set(bound, session);
  return bound;
}

function assertText(field: string, value: unknown, limit: number): void {
  if (typeof value === 'string' && value !== '' && fits(value, limit) && isWellFormed(value)) return;
  throw new WarrantError('POLICY_CALL_INVALID', `${field} must be well-formed text of 1 to ${limit} bytes`, {
    data: { field, limit },
  });
}
