import { clipText, digest, type Inbox, type Question, type Verdict } from '@warrant/core';
import { boundedArguments } from './bounded-arguments.ts';
import type { JudgedCall, Judgement } from './judge-call.ts';
import type { Setup } from './settings.ts';

type Asking = {
  readonly call: JudgedCall;
  readonly judged: Judgement;
  readonly inbox: Inbox;
  readonly verdict: Verdict | null;
};

/**
 * Asks a person about a call that a guard refused, where refusing is not wanted: an answer counts for this actor, folder,
 * tool, arguments, view and policies, once. Nobody who answers in time is a refusal, and the question is taken back.
 */
export async function askInbox(setup: Setup, { call, judged, inbox, verdict }: Asking): Promise<Judgement> {
  const { guard: parts } = setup.options;
  const actor = parts?.actor;
  if (verdict === null || actor === undefined) return judged;
  const { view, policy } = verdict.inputs;
  const stored = setup.replace(call.arguments);
  const subject = digest({ actor, directory: call.directory, tool: call.tool, arguments: stored, view, policy });
  const used = await inbox.consume(subject, { by: call.id });
  if (used.type === 'consumed') return answered(judged, used.answer.choice);
  const question: Question = {
    id: `${call.id}/asked`,
    kind: 'confirmation',
    subject,
    title: clipText(`${call.tool}: ${judged.codes.join(', ')}`, 200),
    details: {
      tool: call.tool,
      arguments: boundedArguments(call.arguments, setup.replace),
      reasons: [...judged.codes],
      text: clipText(judged.text, 2000),
    },
    choices: ['allow', 'refuse'],
    askedBy: actor,
    expiresAt: null,
  };
  const asked = await inbox.ask(question);
  const waited = await waitFor(setup, inbox, asked.question.id);
  if (waited === 'answered') {
    const answer = await inbox.consume(subject, { by: call.id });
    return answer.type === 'consumed' ? answered(judged, answer.answer.choice) : declined(judged, 'taken');
  }
  if (asked.type === 'asked') await inbox.withdraw(question.id, 'nobody answered in time');
  return declined(judged, 'unanswered');
}

async function waitFor(setup: Setup, inbox: Inbox, id: string): Promise<'answered' | 'over'> {
  const signal = AbortSignal.timeout(setup.askTimeoutMs);
  try {
    const waited = await inbox.wait(id, { signal });
    return waited.type === 'answered' ? 'answered' : 'over';
  } catch (error) {
    if (signal.aborted) return 'over';
    throw error;
  }
}

function answered(judged: Judgement, choice: string): Judgement {
  return choice === 'allow' ? { ...judged, type: 'approved', text: '' } : declined(judged, 'refused');
}

function declined(judged: Judgement, how: 'refused' | 'unanswered' | 'taken'): Judgement {
  const said = {
    refused: 'a person refused this call',
    unanswered: 'nobody answered in time',
    taken: 'another call used up the answer',
  }[how];
  return {
    ...judged,
    type: 'declined',
    text: `${said}\n${judged.text}`,
    codes: [`claude.${how}`, ...judged.codes].slice(0, 6),
  };
}
