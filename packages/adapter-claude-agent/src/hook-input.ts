import {
  clipText,
  digest,
  isDeeper,
  isWellFormed,
  type Json,
  type JsonObject,
  toWellFormed,
  WarrantError,
} from '@warrant/core';
import type { HookCall, HookEvent, SkillLine } from './hook-event.ts';

// The client's hook input, translated here and nowhere else.

/** The client's names of events, and ours. */
const TYPES = {
  SessionStart: 'session-started',
  UserPromptSubmit: 'prompt-submitted',
  PreToolUse: 'tool-starting',
  PreSkillShellCommand: 'tool-starting',
  PostToolUse: 'tool-ended',
  PostToolUseFailure: 'tool-ended',
  PostToolBatch: 'batch-ended',
  PermissionRequest: 'permission-asked',
  PermissionDenied: 'permission-denied',
  Stop: 'stopping',
  StopFailure: 'stop-failed',
  SubagentStart: 'subagent-started',
  SubagentStop: 'subagent-stopping',
  PreCompact: 'compacting',
  PostCompact: 'compacted',
  SessionEnd: 'session-ended',
} as const satisfies { readonly [name: string]: HookEvent['type'] };

export type HookName = keyof typeof TYPES;
export const HOOK_NAMES = Object.keys(TYPES) as readonly HookName[];
/** Events whose action must not go on when the hook fails. */
export const GUARDING_EVENTS: ReadonlySet<HookName> = new Set([
  'PreToolUse',
  'PreSkillShellCommand',
  'PermissionRequest',
  'UserPromptSubmit',
]);

/** The client's name of an event, for answers. */
export function hookNameOf(event: HookEvent): string {
  if (event.type === 'unknown') return event.name;
  if (event.type === 'tool-starting') return event.skill === null ? 'PreToolUse' : 'PreSkillShellCommand';
  if (event.type === 'tool-ended') return event.outcome === 'ok' ? 'PostToolUse' : 'PostToolUseFailure';
  return HOOK_NAMES.find((name) => TYPES[name] === event.type) as string;
}

/**
 * Reads what a hook is given. Members that are missing or of another kind are taken as absent; an event that is not known
 * is an event too.
 * @throws CLAUDE_INPUT_INVALID for anything that is no object with an event's name and a session
 */
export function readHookInput(value: unknown, options: { readonly source?: string } = {}): HookEvent {
  if (!isObject(value)) throw invalid('is no JSON object');
  const name = textAt(value, 'hook_event_name');
  const session = textAt(value, 'session_id');
  if (name === null || name === '') throw invalid('names no event');
  if (session === null || session === '') throw invalid('names no session');
  const common = {
    session: shortId(session),
    directory: toWellFormed(textAt(value, 'cwd') ?? ''),
    agent: idAt(value, 'agent_id'),
    kind: wellFormedAt(value, 'agent_type'),
    prompt: idAt(value, 'prompt_id'),
    transcript: textAt(value, 'transcript_path'),
    source: options.source ?? 'default',
  };
  if (!Object.hasOwn(TYPES, name)) return { ...common, type: 'unknown', name: clipText(toWellFormed(name), 100) };
  return { ...common, ...bodyOf(name as HookName, value) } as HookEvent;
}

function bodyOf(name: HookName, value: JsonObject): object {
  const type = TYPES[name];
  switch (type) {
    case 'session-started':
      return { type, how: wellFormedAt(value, 'source') ?? 'startup' };
    case 'prompt-submitted':
      return { type, text: toWellFormed(textAt(value, 'prompt') ?? ''), human: isHuman(textAt(value, 'source')) };
    case 'tool-starting':
      return { type, call: callOf(value), skill: name === 'PreSkillShellCommand' ? skillLine(value) : null };
    case 'tool-ended':
      return endOf(name, value);
    case 'batch-ended':
      return { type, calls: listAt(value, 'tool_calls').filter(isObject).map(batchCall) };
    case 'permission-asked':
    case 'permission-denied':
      return { type, call: callOf(value), reason: wellFormedAt(value, 'reason') };
    case 'stopping':
    case 'subagent-stopping':
      return {
        type,
        message: wellFormedAt(value, 'last_assistant_message'),
        again: value['stop_hook_active'] === true,
        tasks: Array.isArray(value['background_tasks']) ? listAt(value, 'background_tasks').flatMap(taskId) : null,
      };
    case 'stop-failed':
      return { type, error: wellFormedAt(value, 'error') ?? '' };
    case 'subagent-started':
      return { type };
    case 'compacting':
      return { type, trigger: wellFormedAt(value, 'trigger') ?? '' };
    case 'compacted':
      return { type, summary: wellFormedAt(value, 'compact_summary') ?? wellFormedAt(value, 'summary') ?? '' };
    case 'session-ended':
      return { type, reason: wellFormedAt(value, 'reason') ?? '' };
    default:
      return type satisfies never;
  }
}

/** Clients that do not say who speaks have people. */
function isHuman(source: string | null): boolean {
  return source === null || source === 'user' || source === 'sdk';
}

function skillLine(value: JsonObject): SkillLine {
  return { name: wellFormedAt(value, 'command_name') ?? '', typed: value['invoked_by'] === 'user' };
}

/** Levels of arguments: what is decided about has to be whole, and a record of it to be kept. */
const DEEPEST_ARGUMENTS = 900;

function callOf(value: JsonObject): HookCall {
  const input = value['tool_input'];
  if (isDeeper(input, DEEPEST_ARGUMENTS))
    throw invalid(`nests the arguments of a tool deeper than ${DEEPEST_ARGUMENTS} levels`);
  return {
    id: idAt(value, 'tool_use_id'),
    tool: toWellFormed(textAt(value, 'tool_name') ?? ''),
    arguments: wellFormed(isObject(input) ? input : input === undefined ? {} : { $text: asText(input) }) as JsonObject,
  };
}

function endOf(name: HookName, value: JsonObject): object {
  const call = callOf(value);
  if (name === 'PostToolUseFailure') {
    const result = value['error'] ?? value['tool_response'] ?? '';
    return { type: 'tool-ended', call, outcome: 'error', result: shownPart(result), task: null };
  }
  const result = value['tool_response'] ?? null;
  return { type: 'tool-ended', call, outcome: 'ok', result: shownPart(result), task: backgroundTask(result) };
}

function backgroundTask(result: Json): string | null {
  return isObject(result) ? (textAt(result, 'backgroundTaskId') ?? textAt(result, 'background_task_id')) : null;
}

/** What a batch tells of a call is no reason to judge it: nothing is lost where it is cut. */
function batchCall(value: JsonObject): { readonly call: HookCall; readonly result: Json } {
  const { tool_input: input, tool_response: response } = value;
  const call = callOf(input === undefined ? value : { ...value, tool_input: shownPart(input) });
  return { call, result: shownPart(response ?? null) };
}

function taskId(value: Json): readonly string[] {
  if (typeof value === 'string') return [value];
  if (!isObject(value)) return [];
  const id = textAt(value, 'id') ?? textAt(value, 'task_id') ?? textAt(value, 'taskId');
  return id === null ? [] : [id];
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textAt(value: JsonObject, member: string): string | null {
  const found = Object.hasOwn(value, member) ? value[member] : undefined;
  return typeof found === 'string' ? found : null;
}

const LONGEST_ID = 80;

function idAt(value: JsonObject, member: string): string | null {
  const id = textAt(value, member);
  return id === null || id === '' ? null : shortId(id);
}

/** Signs that names in the record are put together with, and those that break or hide a part of a line. */
const NO_ID = /[/~\p{Cc}\p{Cf}\u2028\u2029]/u;

/** Ids become parts of names in the record, which have an end; none stands for another call with its own count. */
function shortId(id: string): string {
  const clean = toWellFormed(id);
  return clean.length <= LONGEST_ID && !NO_ID.test(clean) ? clean : digest(clean).slice(7, 47);
}

function wellFormedAt(value: JsonObject, member: string): string | null {
  const text = textAt(value, member);
  return text === null ? null : toWellFormed(text);
}

function listAt(value: JsonObject, member: string): readonly Json[] {
  const found = value[member];
  return Array.isArray(found) ? (found as readonly Json[]) : [];
}

function asText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Levels of an answer that are read; a server may nest it deeper than anything can be stored. */
const DEEPEST = 500;
const CUT = '…';

function shownPart(value: Json): Json {
  return wellFormed(value, DEEPEST);
}

/** Tools give any text; what cannot be stored is replaced before anything reads it. Only then is the value copied, which may be large. */
function wellFormed(value: Json, levels = Number.POSITIVE_INFINITY): Json {
  return isStorable(value, levels) ? value : storable(value, levels);
}

function isStorable(value: Json, levels: number): boolean {
  if (typeof value === 'string') return isWellFormed(value);
  if (typeof value !== 'object' || value === null) return true;
  if (levels === 0) return false;
  if (Array.isArray(value)) return (value as readonly Json[]).every((item) => isStorable(item, levels - 1));
  const members = value as JsonObject;
  return Object.keys(members).every((name) => isWellFormed(name) && isStorable(members[name] as Json, levels - 1));
}

function storable(value: Json, levels: number): Json {
  if (typeof value === 'string') return toWellFormed(value);
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) return CUT;
  const inner = (item: Json): Json => storable(item, levels - 1);
  if (Array.isArray(value)) return (value as readonly Json[]).map(inner);
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [toWellFormed(name), inner(item)]));
}

function invalid(what: string): WarrantError {
  return new WarrantError('CLAUDE_INPUT_INVALID', `the hook's input ${what}`);
}
