import { clipText, type Json } from '@warrant/core';
import { callContent } from '../event-id.ts';
import { andThen, endCall, type Fed, gateCall, startCall } from '../feed-gate.ts';
import type { HookAnswer, HookCall, HookEvent, HookEventOf } from '../hook-event.ts';
import { OVERFLOW } from '../labels/seen-memory.ts';
import { seenValues } from '../labels/seen-values.ts';
import { captureLine } from '../memory/capture.ts';
import { type CallReading, readCall } from '../read-call.ts';
import { referenceEnded } from '../reference/events.ts';
import type { SessionState } from '../session-state.ts';
import type { SeenHashes } from '../session-store.ts';
import type { Setup } from '../settings.ts';
import { shownResult } from '../shown-result.ts';
import { notSpawned } from '../subagents.ts';
import { applyOnce } from './apply.ts';
import { callId, entryOf, runningCall } from './common.ts';
import { endLines, endTask } from './tasks.ts';

/** A call has ended: its answer goes to the gate, and what it said is remembered for labels. */
export async function toolEnded(setup: Setup, event: HookEventOf<'tool-ended'>): Promise<HookAnswer> {
  const { call, directory } = event;
  const reading = readCall({ ...call, directory }, setup.options);
  const result = shownResult(call.tool, event.result);
  const shown = setup.replace(result.shown);
  const answer = await applyOnce(setup, event, (state, { count }) => {
    if (setup.reference) return { ...referenceEnded(setup, state, event), value: {} };
    const fed = feed(setup, state, { event, reading, shown, id: callId(event, call, count) });
    const after = withoutApproval(counted(fed.state, event, reading), call);
    return {
      state: after,
      steps: fed.steps,
      seen: seenIn(reading, shown, result.whole),
      value: progress(setup, after),
    };
  });
  if (answer === null) return {};
  const said = (): string => `${call.tool}\n${typeof shown === 'string' ? shown : JSON.stringify(shown)}`;
  await captureLine(setup, event, 'tool', said);
  return answer;
}

function feed(
  setup: Setup,
  state: SessionState,
  input: {
    readonly event: HookEventOf<'tool-ended'>;
    readonly reading: CallReading;
    readonly shown: Json;
    readonly id: string;
  },
): Fed {
  if (!setup.gates) return { state, steps: [] };
  const { event, shown, id } = input;
  const begun = begin(setup, state, input);
  // A command in the background has only begun; its end comes with the end of its task.
  if (event.task !== null) {
    return {
      ...begun,
      state: { ...begun.state, tasks: { ...begun.state.tasks, [event.task]: id } },
    };
  }
  const ended = andThen(begun, (next) => endCall(setup, next, { id, outcome: event.outcome, result: shown }));
  return finishedTask(setup, ended, event.call, shown);
}

/** A call that nobody told the beginning of began before its end. */
function begin(
  setup: Setup,
  state: SessionState,
  {
    event,
    reading,
    id,
  }: { readonly event: HookEventOf<'tool-ended'>; readonly reading: CallReading; readonly id: string },
): Fed {
  if (state.gate.running.some((item) => item.id === id)) return { state, steps: [] };
  return startCall(setup, state, gateCall(setup, event, { id, effects: reading.effects }));
}

const READS_TASKS: ReadonlySet<string> = new Set(['TaskOutput', 'BashOutput', 'KillShell', 'KillBash', 'TaskStop']);
const ENDED = /\b(?:completed|failed|killed|exited|done|stopped)\b/i;

/** Reading a task's output tells whether it still runs. */
function finishedTask(setup: Setup, fed: Fed, call: HookCall, shown: Json): Fed {
  if (!READS_TASKS.has(call.tool)) return fed;
  const named = call.arguments['task_id'] ?? call.arguments['bash_id'] ?? call.arguments['shell_id'];
  const started = typeof named === 'string' ? fed.state.tasks[named] : undefined;
  if (typeof named !== 'string' || started === undefined) return fed;
  if (!ENDED.test(statusOf(shown))) return fed;
  return andThen(fed, (state) => endTask(setup, state, named));
}

function statusOf(shown: Json): string {
  if (typeof shown === 'string') return /<status>([^<]*)<\/status>/.exec(shown)?.[1] ?? '';
  if (typeof shown !== 'object' || shown === null || Array.isArray(shown)) return '';
  const { status, task } = shown as { readonly [name: string]: Json };
  return typeof status === 'string' ? status : statusOf(task ?? null);
}

function counted(
  state: SessionState,
  event: HookEventOf<'tool-ended'>,
  { effect, effects }: CallReading,
): SessionState {
  const changes = effect === 'write' || effect === 'delete' || (effect === 'shell' && effects.class !== 'read');
  return { ...state, calls: state.calls + 1, mutated: state.mutated || (changes && event.outcome === 'ok') };
}

function seenIn({ rule, effect }: CallReading, shown: Json, whole: boolean): SeenHashes {
  if (effect === 'internal' && rule?.trust === undefined) return {};
  const trust = rule?.trust ?? 'tool';
  const { hashes, cut } = seenValues(shown);
  const marked = (cut || !whole) && trust === 'web' ? Buffer.concat([hashes, OVERFLOW]) : hashes;
  return marked.length === 0 ? {} : { [trust]: marked };
}

function progress(setup: Setup, state: SessionState): HookAnswer {
  if (setup.options.emitProgress !== true || !setup.gates || setup.mode === 'observe') return {};
  const { budget, cap, open } = setup.gate.progress(state.gate);
  return { context: `Submit gate: budget ${budget} of ${cap}, ${open} changes not looked at.` };
}

/** A batch has ended: a call in it that never reported its own end was refused, or there was no such tool. */
export async function batchEnded(setup: Setup, event: HookEventOf<'batch-ended'>): Promise<HookAnswer> {
  if (setup.reference) return {};
  const refused = await applyOnce(setup, event, (state) => {
    let fed: Fed = { state, steps: [] };
    for (const { call } of event.calls) fed = andThen(fed, (next) => neverRan(setup, next, event, call));
    fed = andThen(fed, (next) => endLines(setup, next));
    return { ...fed, value: event.calls.filter(({ call }) => refusedCall(setup, state, event, call) !== null) };
  });
  for (const { call } of refused ?? []) await notSpawned(setup, event, call);
  return {};
}

function neverRan(setup: Setup, state: SessionState, event: HookEvent, call: HookCall): Fed {
  const id = refusedCall(setup, state, event, call);
  return id === null ? { state, steps: [] } : endCall(setup, state, { id, outcome: 'not-run', result: null });
}

/** What a call in the background changes goes on: its task is known, and it did run. */
function refusedCall(setup: Setup, state: SessionState, event: HookEvent, call: HookCall): string | null {
  const id = runningCall(state, event, call);
  return !setup.gates || id === null || Object.values(state.tasks).includes(id) ? null : id;
}

/**
 * The client's own questions and refusals: recorded, and answered only where a person's answer from the inbox was used up
 * for this very call. A refusal means that the call did not run.
 */
export async function permissionTold(
  setup: Setup,
  event: HookEventOf<'permission-asked' | 'permission-denied'>,
): Promise<HookAnswer> {
  const answer = await applyOnce<HookAnswer>(setup, event, (state) => {
    const fed = event.type === 'permission-denied' ? neverRan(setup, state, event, event.call) : { state, steps: [] };
    const { call, reason } = event;
    const after = withoutApproval(fed.state, call);
    const approved = after !== fed.state;
    const allows = approved && event.type === 'permission-asked' && setup.mode !== 'observe';
    return {
      ...fed,
      state: after,
      records: (id) => [
        entryOf(event, {
          id: `${id}/permission`,
          type: `claude.${event.type}`,
          correlationId: callId(event, call, 1),
          data: {
            tool: clipText(call.tool, 200),
            reason: setup.replace(clipText(reason ?? '', 400)),
            ...answered(allows),
          },
        }),
      ],
      value: allows ? ALLOWED : {},
    };
  });
  if (answer !== null && event.type === 'permission-denied') await notSpawned(setup, event, event.call);
  return answer ?? {};
}

const ALLOWED: HookAnswer = { permission: { decision: 'allow', reason: 'a person allowed this call in the inbox' } };

function answered(allows: boolean): { readonly answer?: string } {
  return allows ? { answer: 'allow' } : {};
}

/** The state itself where nobody approved the call. */
function withoutApproval(state: SessionState, call: HookCall): SessionState {
  const { approved = [] } = state;
  if (approved.length === 0) return state;
  const content = callContent(call);
  return approved.includes(content) ? { ...state, approved: approved.filter((one) => one !== content) } : state;
}
