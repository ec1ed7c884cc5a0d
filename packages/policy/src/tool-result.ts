import { type Gap, type GuardOutcome, isWarrantError, type Reason, type Verdict } from '@warrant/core';
import { messageOf } from './ask-conditions.ts';
import { quoted, shorten } from './shorten.ts';

/** Every rendering is shorter than this many UTF-16 code units. */
export const MAX_TOOL_RESULT = 1200;

/**
 * What a model is told about a call: what happened, what is missing, what to do next and whether repeating the call
 * helps. Names and messages that came from outside are quoted and cut.
 */
export function toolResult(outcome: GuardOutcome<unknown>): string {
  const all = lines(outcome);
  const advice = all.findIndex((line) => line.startsWith('Next: '));
  if (advice < 0) return shorten(all.join('\n'), MAX_TOOL_RESULT - 1);
  // What to do is never what is cut off.
  const last = all.slice(advice).join('\n');
  return `${shorten(all.slice(0, advice).join('\n'), MAX_TOOL_RESULT - 2 - last.length)}\n${last}`;
}

function lines(outcome: GuardOutcome<unknown>): readonly string[] {
  switch (outcome.type) {
    case 'executed':
      return [`DONE. The result: ${shorten(valueText(outcome.value), 1000)}`];
    case 'ungrounded':
      return ungrounded(outcome.verdict);
    case 'blocked':
      return blocked(outcome.verdict);
    case 'declined':
      return declined(outcome);
    case 'pending':
      return [
        'WAITING: a person has to confirm this call; it has not run.',
        `Asked: ${quoted(outcome.question.title, 300)}`,
        'Next: do other work, then make exactly the same call again to use the answer.',
        'Retrying: helps once the question is answered; with other arguments it is another question.',
      ];
    case 'failed':
      return failed(outcome);
  }
}

function ungrounded(verdict: Verdict): readonly string[] {
  const { gaps } = verdict.grounding;
  const shown = gaps.slice(0, 6).map((gap) => `- ${gapText(gap)}`);
  const more = gaps.length > shown.length ? [`- and ${gaps.length - shown.length} more`] : [];
  const missing =
    gaps.length > 0 ? [...shown, ...more] : verdict.reasons.slice(0, 3).map((reason) => `- ${said(reason)}`);
  return [
    'REFUSED: not enough is known to do this; the tool has not run.',
    'Missing:',
    ...missing,
    'Next: propose this knowledge for approval, or use a tool whose concepts are known.',
    'Retrying: does not help until the missing knowledge is in the graph.',
  ];
}

function gapText(gap: Gap): string {
  switch (gap.type) {
    case 'existence':
      return `the concept ${quoted(gap.concept)} is not in the graph`;
    case 'reachability':
      return `${quoted(gap.concept)} is not connected to the other concepts`;
    case 'depth':
      return `${quoted(gap.concept)} is known to level ${gap.current ?? 'none'}, needed is ${gap.required}; missing levels: ${gap.missing.join(', ')}`;
    case 'relational':
      return `${quoted(gap.source)} needs ${quoted(gap.target)} at level ${gap.required}, it is known to level ${gap.current ?? 'none'}`;
  }
}

/** What a refusal asks for, by the action its reasons name. */
const NEXT: Readonly<Record<string, readonly [next: string, retry: string]>> = {
  'change-call': [
    'change the arguments so that the policy passes, or do something else',
    'only helps with other arguments',
  ],
  'name-concept': ['tell whoever runs this agent: the tool has to name the missing concept', 'does not help'],
  'call-again': ['make the same call again; it will be asked about anew', 'helps'],
  'configure-inbox': ['tell whoever runs this agent: nobody can be asked here', 'does not help'],
};

function blocked(verdict: Verdict): readonly string[] {
  const action = actionOf(verdict.reasons);
  const [next, retry] = NEXT[action] ?? ['do something else', 'does not help'];
  return [
    'REFUSED: a policy does not allow this; the tool has not run.',
    'Because:',
    ...reasonLines(verdict.reasons),
    `Next: ${next}.`,
    `Retrying: ${retry}.`,
  ];
}

/** The last word counts: a reason that was added later says how the call ended. */
function actionOf(reasons: readonly Reason[]): string {
  const action = reasons.at(-1)?.remedy?.['action'];
  return typeof action === 'string' ? action : '';
}

function declined(outcome: Extract<GuardOutcome<unknown>, { type: 'declined' }>): readonly string[] {
  const last = outcome.verdict.reasons.at(-1);
  const ranOut = last?.code === 'policy.question-expired' || last?.code === 'policy.question-withdrawn';
  const why = outcome.answer?.reason;
  return [
    ranOut
      ? 'NOT CONFIRMED: nobody answered the question for this call; the tool has not run.'
      : 'DECLINED: a person said no to this call; the tool has not run.',
    ...(why === undefined ? [] : [`They said: ${quoted(why, 300)}`]),
    'It needed a confirmation because:',
    ...reasonLines(outcome.verdict.reasons.filter((reason) => reason !== last)),
    ranOut
      ? 'Next: make the same call again if it is still wanted.'
      : 'Next: respect the answer; do something else or ask what is wanted.',
    `Retrying: ${ranOut ? 'helps, the question is asked again.' : 'does not help.'}`,
  ];
}

function failed(outcome: Extract<GuardOutcome<unknown>, { type: 'failed' }>): readonly string[] {
  const { error, stage } = outcome;
  const what = quoted(messageOf(error), 400);
  if (stage === 'during') {
    return [
      'FAILED: the tool was allowed and started, then threw. It may have had effects.',
      `Error: ${what}`,
      'Next: look at what it changed before you go on.',
      'Retrying: only after you know what the first attempt did.',
    ];
  }
  const code = isWarrantError(error) ? ` (${error.code})` : '';
  const retryable = isWarrantError(error) && error.retryable;
  return [
    'NOT RUN: the call could not be checked or recorded, so the tool has not run.',
    `Error: ${what}${code}`,
    isBadCall(error) ? 'Next: repair the arguments.' : 'Next: do something else, or tell whoever runs this agent.',
    `Retrying: ${retryable ? 'may help later.' : 'does not help as long as nothing changes.'}`,
  ];
}

const BAD_CALLS = [
  'POLICY_NOT_JSON',
  'POLICY_LONE_SURROGATE',
  'POLICY_ARGUMENTS_UNNAMED',
  'POLICY_CALL_INVALID',
] as const;

function isBadCall(error: unknown): boolean {
  return BAD_CALLS.some((code) => isWarrantError(error, code));
}

function reasonLines(reasons: readonly Reason[]): readonly string[] {
  const shown = reasons.slice(0, 3).map((reason) => `- ${said(reason)}`);
  return reasons.length > 3 ? [...shown, `- and ${reasons.length - 3} more`] : shown;
}

function said(reason: Reason): string {
  const key = reason.data['policy'];
  const by = typeof key === 'string' ? `${quoted(key, 40)}: ` : '';
  return `${by}${quoted(reason.message, 180)}`;
}

function valueText(value: unknown): string {
  if (typeof value === 'string') return value;
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return typeof value === 'object' ? 'an object that is not JSON' : `a ${typeof value} that is not JSON`;
  }
}
