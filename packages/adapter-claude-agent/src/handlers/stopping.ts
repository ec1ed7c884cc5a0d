import { clipText } from '@warrant/core';
import { type Claim, describeMove, type GateVerdict, readMessage } from '@warrant/submit-gate';
import { admitsUnverified } from '../admission.ts';
import { cutText } from '../cut-text.ts';
import { andThen, type Fed, submitClaim } from '../feed-gate.ts';
import type { HookAnswer, HookEventOf } from '../hook-event.ts';
import { captureFiles, captureLine } from '../memory/capture.ts';
import type { Mode } from '../mode.ts';
import { oneLine } from '../one-line.ts';
import { referenceStop } from '../reference/events.ts';
import { initialSession, openObligations, type SessionState } from '../session-state.ts';
import type { Setup } from '../settings.ts';
import { lastMessageIn } from '../transcript.ts';
import { applyOnce, keptSession, type Outcome } from './apply.ts';
import { entryOf, sceneOf } from './common.ts';
import { endLines, endTask } from './tasks.ts';

type Stopping = HookEventOf<'stopping' | 'subagent-stopping'>;
type Ended = {
  readonly answer: HookAnswer;
  readonly outcome: 'verified' | 'unverified' | 'none' | null;
  readonly entities: readonly string[];
  readonly query: string;
};

const LONGEST_MESSAGE = 16_000;

/** The end of a turn: what the last message claims is held against what was looked at. */
export async function stopping(setup: Setup, event: Stopping): Promise<HookAnswer> {
  if (event.type === 'subagent-stopping' && setup.options.gateSubagents !== true) return noted(setup, event);
  const message = event.message ?? fromTranscript(event);
  const confidence = await asked(setup, event, message);
  const ended = await applyOnce(
    setup,
    event,
    (state, _named, answered): Outcome<Ended> =>
      setup.reference
        ? referenceStop(setup, state, confidence)
        : judged(setup, event, { state, message, confidence, answered }),
  );
  if (ended === null) return {};
  if (ended.outcome !== null) await finish(setup, event, { ...ended, message: message ?? '' });
  return ended.answer;
}

/** A subagent that is not held leaves a trace, no more. */
async function noted(setup: Setup, event: Stopping): Promise<HookAnswer> {
  const answer = await applyOnce(setup, event, (state) => ({
    state: { ...state, judged: true },
    steps: [],
    records: (id) => [
      entryOf(event, {
        id: `${id}/end`,
        type: 'claude.subagent-ended',
        data: { open: [...openObligations(state)].slice(0, 8) },
      }),
    ],
    value: {},
  }));
  return answer ?? {};
}

/** Older clients do not say what the agent said last. What a subagent said stands elsewhere. */
function fromTranscript({ type, transcript }: Stopping): string | null {
  return type === 'stopping' && transcript !== null ? lastMessageIn(transcript) : null;
}

/** Where nobody knows what was said, it may have been that all is done: what is open has to be looked at. */
function claimOf(setup: Setup, state: SessionState, said: string | null): Claim {
  if (said === null && openObligations(state).length > 0) return { type: 'completion', text: '' };
  const message = setup.replace(said ?? '');
  const cut = cutText(message, LONGEST_MESSAGE, '\n');
  const { claim } = readMessage(cut);
  // What a refusal asks to be said is heard: it ends what is open, marked, and the next prompt shows it.
  const admits =
    claim.type !== 'none' && !setup.reference && openObligations(state).length > 0 && admitsUnverified(cut);
  return admits ? { type: 'unverified', text: cut } : claim;
}

/** A verifier is asked before the session is locked; it can only lower a claim. */
async function asked(setup: Setup, event: Stopping, message: string | null): Promise<number | null | undefined> {
  const { verifier } = setup.options;
  if (verifier === undefined || !setup.gates) return undefined;
  const state = (await keptSession(setup, event)) ?? initialSession(setup.gate);
  const said: Claim = setup.reference
    ? { type: state.mutated ? 'completion' : 'assertion' }
    : claimOf(setup, state, message);
  if (setup.reference && state.calls === 0) return undefined;
  const question = setup.gate.verifierQuestion(state.gate, said);
  if (question === null) return undefined;
  try {
    const answer = await verifier({ claim: said, ...question });
    return answer === null || Number.isFinite(answer) ? answer : NOT_JUDGED;
  } catch (error) {
    setup.report('verifier', error);
    return NOT_JUDGED;
  }
}

/** No confidence: a claim that its verifier could not judge is refused. */
const NOT_JUDGED = -1;

type Judging = {
  readonly state: SessionState;
  readonly message: string | null;
  readonly confidence: number | null | undefined;
  /** The mode of a hook that has answered already: what it told the gate is not told again. */
  readonly answered: Mode | null;
};

function judged(setup: Setup, event: Stopping, { state, message, confidence, answered }: Judging): Outcome<Ended> {
  if (!setup.gates) return { state: { ...state, judged: true }, steps: [], value: ended({}, 'none', state) };
  const fed = endedTasks(setup, state, event.tasks);
  const claim = claimOf(setup, fed.state, message);
  const said = submitClaim(setup, fed.state, claim, confidence);
  const steps = answered === null ? [...fed.steps, ...said.steps] : fed.steps;
  const counted = answered !== null && answered !== 'observe';
  const now = answered === null ? said.state : fed.state;
  const after = counted ? now : verdictState(setup, fed.state, now, said.verdict);
  const { mode } = setup;
  const answer = answerOf(setup, after, said.verdict);
  return {
    state: after,
    steps,
    records: (id: string) => [
      entryOf(event, {
        id: `${id}/stop`,
        type: 'claude.stop',
        data: {
          mode,
          claim: claim.type,
          verdict: said.verdict.type,
          reasons: said.verdict.reasons.slice(0, 8).map((reason) => reason.code),
          open: [...openObligations(after)].slice(0, 8).map((one) => clipText(one, 200)),
          blocks: after.blocks,
          exitedUnverified: after.exitedUnverified,
        },
      }),
    ],
    value: ended(answer, isHeld(setup, after, said.verdict) ? null : outcomeOf(after, said.verdict, claim), state),
  };
}

function ended(answer: HookAnswer, outcome: Ended['outcome'], state: SessionState): Ended {
  return { answer, outcome, entities: state.entities, query: state.query };
}

function outcomeOf(state: SessionState, verdict: GateVerdict, claim: Claim): 'verified' | 'unverified' | 'none' {
  if (state.exitedUnverified || verdict.type === 'refused') return 'unverified';
  return claim.type === 'completion' ? 'verified' : 'none';
}

function endedTasks(setup: Setup, state: SessionState, tasks: readonly string[] | null): Fed {
  let fed = endLines(setup, state);
  if (tasks === null) return fed;
  for (const task of Object.keys(fed.state.tasks)) {
    if (!tasks.includes(task)) fed = andThen(fed, (next) => endTask(setup, next, task));
  }
  return fed;
}

/** The valve: after so many refusals the turn is let go, marked; what is open stays open. */
function verdictState(setup: Setup, before: SessionState, after: SessionState, verdict: GateVerdict): SessionState {
  if (verdict.type === 'accepted') {
    const leaves = verdict.claim === 'unverified' && openObligations(before).length > 0;
    const still = after.gate.open.length + after.gate.beyond > 0 && before.exitedUnverified;
    return {
      ...after,
      judged: true,
      blocks: 0,
      exitedUnverified: leaves || still,
      unverified: leaves ? openObligations(before).slice(0, 16) : still ? after.unverified : [],
    };
  }
  const watches = setup.mode === 'observe';
  const blocks = before.blocks + 1;
  if (!watches && blocks <= setup.maxBlocks) return { ...after, judged: true, blocks };
  return {
    ...after,
    judged: true,
    // Who only watches takes no count from another hook.
    blocks: watches ? before.blocks : 0,
    exitedUnverified: true,
    unverified: openObligations(after).slice(0, 16),
  };
}

/** True where the turn goes on: an earlier one may have been let go all the same. */
function isHeld(setup: Setup, state: SessionState, verdict: GateVerdict): boolean {
  if (verdict.type === 'accepted' || setup.mode === 'observe') return false;
  return !state.exitedUnverified || state.blocks > 0;
}

function answerOf(setup: Setup, state: SessionState, verdict: GateVerdict): HookAnswer {
  if (verdict.type === 'accepted' || setup.mode === 'observe') return {};
  if (isHeld(setup, state, verdict)) return { block: blockText(setup, state, verdict) };
  const open = openObligations(state);
  const what = open.length === 0 ? 'nothing in this turn speaks for what was said' : open.slice(0, 5).join('; ');
  return { notice: `Warrant let this turn end unverified: ${what}` };
}

function blockText(setup: Setup, state: SessionState, verdict: GateVerdict): string {
  const reasons = [...new Set(verdict.reasons.map((reason) => reason.message))];
  const open = openObligations(state).slice(0, 8);
  const moves = verdict.legalNext.slice(0, 8).map((move) => `- ${oneLine(describeMove(move))}`);
  const left = setup.maxBlocks - state.blocks;
  return [
    `Not yet: ${reasons.join('; ')}.`,
    ...(open.length === 0 ? [] : ['Not looked at since it was changed:', ...open.map((one) => `- ${one}`)]),
    'What would help, one of:',
    ...moves,
    left === 0
      ? 'After this the turn ends marked as unverified.'
      : `${left} more refusals before the turn ends marked as unverified.`,
  ].join('\n');
}

async function finish(
  setup: Setup,
  event: Stopping,
  { outcome, entities, query, message }: Ended & { readonly message: string },
): Promise<void> {
  const { memory } = setup.options;
  if (memory === undefined || outcome === null || event.type === 'subagent-stopping') return;
  try {
    const response = setup.replace(message);
    await captureLine(setup, event, 'assistant', () => response);
    await captureFiles(setup, event);
    await memory.finalizeTurn({ ...sceneOf(setup, event), query, response, entities, outcome });
  } catch (error) {
    setup.report('memory', error);
  }
}
