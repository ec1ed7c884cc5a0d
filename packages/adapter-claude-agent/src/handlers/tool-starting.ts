import { clipText, type Entry, type Json, type JsonObject } from '@warrant/core';
import { type Identified, identifyEvent } from '../event-id.ts';
import { andThen, endCall, type Fed, gateCall, startCall } from '../feed-gate.ts';
import { gateEntries } from '../gate-records.ts';
import type { HookAnswer, HookEventOf } from '../hook-event.ts';
import { type JudgedCall, type Judgement, judgeCall } from '../judge-call.ts';
import { labelCall } from '../labels/label-call.ts';
import { entitiesOf } from '../memory/entities.ts';
import { isStricter } from '../mode.ts';
import { type CallReading, readCall } from '../read-call.ts';
import { initialSession, resumeSession, type SessionState } from '../session-state.ts';
import type { SessionStep, Told } from '../session-store.ts';
import type { Setup } from '../settings.ts';
import { notGranted, spawned } from '../subagents.ts';
import { keptSession, toldBy } from './apply.ts';
import { callId, entryOf, sceneOf } from './common.ts';
import { lineBegun } from './tasks.ts';

type Starting = HookEventOf<'tool-starting'>;

/** Decides about a call before it runs. The verdict is kept before it is answered. */
export async function toolStarting(setup: Setup, event: Starting): Promise<HookAnswer> {
  const { store } = setup.options;
  const early = await store.look((knows) => standing(setup, event, knows));
  // Whoever comes second with this call is spared the work; who comes at the same time is told below.
  if (early.role === 'spared') return store.update(event, () => marked(early)).then(() => ({}));
  const { call, directory } = event;
  const reading = readCall({ ...call, directory }, setup.options);
  const kept = await keptSession(setup, event);
  const judging: JudgedCall = {
    id: callId(event, call, early.named.count),
    tool: call.tool,
    arguments: call.arguments,
    directory,
    labels: labelCall(call.arguments, await store.seen(event.session), setup.replace),
    confirmations: kept?.confirmations ?? [],
  };
  const judgement = (await notGranted(setup, event, reading)) ?? (await judgeCall(setup, judging, reading));
  const decision = event.skill === null ? decide(setup, judgement) : unasked(decide(setup, judgement));
  const remembers = setup.options.memory !== undefined;
  const entities = setup.replace(entitiesOf(call, reading.analysis, () => (remembers ? setup.staged(directory) : [])));
  if (decision?.decision !== 'deny') await spawned(setup, event);
  const recalls = decision?.decision !== 'deny' && event.skill === null;
  const context = recalls ? await recalled(setup, event, entities) : null;
  const answer: HookAnswer = {
    ...(decision === null ? {} : { permission: decision }),
    ...(context === null ? {} : { context }),
  };
  const done = await store.update(event, (state, knows): SessionStep<HookAnswer> => {
    const before = state === null ? initialSession(setup.gate) : resumeSession(setup.gate, state);
    const { role, named, told } = standing(setup, event, knows);
    if (role === 'spared') return marked({ named, told });
    const first = role === 'first';
    const id = first ? named.id : `${named.id}/${role}`;
    const fed = feed(setup, before, { event, reading, decision, id: callId(event, call, named.count) });
    const records = recordsOf(setup, { event, id, call: judging.id, judgement, decision, fed });
    return {
      type: 'done',
      event: named.id,
      told,
      state: approving(touched(fed.state, entities, judgement), event, { content: named.content, judgement }),
      // Told again, a call is answered as before; its verdict stands in the record once.
      records: first ? records : records.filter((entry) => role !== 'again' && entry.id.startsWith(id)),
      value: answer,
    };
  });
  return done.type === 'known' ? {} : done.value;
}

/** What a hook is to a call: the first to tell, one that answers for itself all the same, or one that need not. */
type Standing = {
  readonly role: 'first' | 'again' | 'stricter' | 'spared';
  readonly named: Identified;
  readonly told: Told;
};

function standing(setup: Setup, event: Starting, knows: (event: string) => Told | null): Standing {
  const named = identifyEvent(event, knows);
  const before = knows(named.id);
  const told = toldBy(setup, event, named, before);
  if (named.how === 'new') return { role: 'first', named, told };
  if (named.how === 'again') return { role: 'again', named, told };
  return { role: isStricter(setup.mode, before?.mode) ? 'stricter' : 'spared', named, told };
}

function marked({ named, told }: Pick<Standing, 'named' | 'told'>): {
  type: 'known';
  told: { event: string; as: Told };
} {
  return { type: 'known', told: { event: named.id, as: told } };
}

type Decision = NonNullable<HookAnswer['permission']>;

/** A call that passes gets no decision, so that the client's own rules still hold. */
function decide(setup: Setup, { type, text }: Judgement): Decision | null {
  if (setup.mode === 'observe' || type === 'passes') return null;
  if (type === 'approved') return { decision: 'allow', reason: 'a person allowed this call in the inbox' };
  if (type === 'declined') return { decision: 'deny', reason: text };
  if (type === 'confirm') return { decision: 'ask', reason: text };
  return setup.mode === 'ask' ? { decision: 'ask', reason: asQuestion(text) } : { decision: 'deny', reason: text };
}

/** The client asks nobody about a line of a skill: a question would keep it from running without a word. */
function unasked(decision: Decision | null): Decision | null {
  if (decision?.decision !== 'ask') return decision;
  const next = 'a person is asked about it only as a call of its own';
  return { decision: 'deny', reason: `${decision.reason.replace(/\.$/, '')}; ${next}` };
}

/** A refusal in the words of a question: what to do next is the person's to say. */
function asQuestion(text: string): string {
  const lines = text.split('\n').filter((line) => !/^(?:Next|Retrying): /.test(line));
  return lines
    .join('\n')
    .replace(/^REFUSED: (.*?); the tool has not run\./, '$1:')
    .trim();
}

async function recalled(setup: Setup, event: Starting, entities: readonly string[]): Promise<string | null> {
  const { memory } = setup.options;
  if (memory === undefined || entities.length === 0) return null;
  try {
    return await memory.entityContext({ ...sceneOf(setup, event), entities });
  } catch (error) {
    // What is remembered helps; it is no reason to stop work.
    setup.report('memory', error);
    return null;
  }
}

function feed(
  setup: Setup,
  state: SessionState,
  input: {
    readonly event: Starting;
    readonly reading: CallReading;
    readonly decision: Decision | null;
    readonly id: string;
  },
): Fed {
  if (!setup.gates || setup.reference) return { state, steps: [] };
  const { event, reading, decision, id } = input;
  const begun = startCall(setup, state, gateCall(setup, event, { id, effects: reading.effects }));
  if (decision?.decision !== 'deny') {
    return event.skill === null ? begun : lineBegun(setup, begun, { id, skill: event.skill });
  }
  return andThen(begun, (next) => endCall(setup, next, { id, outcome: 'not-run', result: null }));
}

function touched(state: SessionState, entities: readonly string[], judgement: Judgement): SessionState {
  const all = [...new Set([...state.entities, ...entities])].slice(-100);
  return { ...state, entities: all, confirmations: judgement.confirmations.slice(-200) };
}

const MOST_APPROVED = 50;

/** The client may ask its person about a call all the same: the answer from the inbox stands for that too, once. */
function approving(
  state: SessionState,
  { skill }: Starting,
  { content, judgement: { type } }: { readonly content: string; readonly judgement: Judgement },
): SessionState {
  if (skill !== null) return state;
  const others = (state.approved ?? []).filter((one) => one !== content);
  if (type === 'approved') return { ...state, approved: [...others, content].slice(-MOST_APPROVED) };
  return state.approved === undefined ? state : { ...state, approved: others };
}

type Recording = {
  readonly event: Starting;
  readonly id: string;
  /** The call's own name. */
  readonly call: string;
  readonly judgement: Judgement;
  readonly decision: Decision | null;
  readonly fed: Fed;
};

function recordsOf(setup: Setup, { event, id, call, judgement, decision, fed }: Recording): readonly Entry[] {
  const verdicts = judgement.records.map((entry) => withOrder(entry, fed.state.sequence));
  const verdict = verdicts.find((entry) => entry.type === 'guard.verdict' || entry.type === 'guard.failed');
  const answer = entryOf(event, {
    id: `${id}/answer`,
    type: 'claude.answer',
    correlationId: call,
    ...(verdict === undefined ? {} : { causationId: verdict.id }),
    data: {
      tool: clipText(event.call.tool, 200),
      ...(event.skill === null ? {} : { skill: clipText(event.skill.name, 200) }),
      mode: setup.mode,
      judgement: judgement.type,
      answer: decision?.decision ?? 'none',
      how: howAnswered(setup, judgement, decision),
      reasons: [...judgement.codes],
    },
  });
  return [...verdicts, ...gateEntries(id, setup.gate.config.digest, fed.steps), answer];
}

function howAnswered(setup: Setup, judgement: Judgement, decision: Decision | null): string {
  if (setup.mode === 'observe') return 'observed';
  if (decision?.decision === 'ask') return 'asked-in-client';
  if (judgement.type === 'approved' || judgement.type === 'declined') return 'answered-in-inbox';
  return decision === null ? 'left-to-client' : 'refused';
}

/** The order among the calls of the session is known only now. */
function withOrder(entry: Entry, sequence: number): Entry {
  const data = entry.data as JsonObject;
  if (entry.type !== 'guard.verdict' || data['startSeq'] === null) return entry;
  return { ...entry, data: { ...data, startSeq: sequence } as Json };
}
