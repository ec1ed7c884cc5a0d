import {
  type Answer,
  type Digest,
  digest,
  type JsonObject,
  type PolicyFinding,
  type Question,
  type Reason,
  WarrantError,
} from '@warrant/core';
import { type CheckedCall, checkAgain } from './check-call.ts';
import type { GuardSetup } from './guard-setup.ts';
import { recordedCall } from './recorder.ts';
import type { GuardSession } from './session.ts';

/** How a call that needs a confirmation stands. */
export type Confirmation =
  | {
      readonly type: 'allowed';
      readonly checked: CheckedCall;
      readonly approval: JsonObject;
      /** Id of the one record that a run under this approval may leave; null where no single answer was used up. */
      readonly onceId: string | null;
    }
  | { readonly type: 'declined'; readonly answer: Answer | null; readonly reason: Reason }
  | { readonly type: 'pending'; readonly question: Question }
  | { readonly type: 'refused'; readonly reason: Reason };

export type ConfirmInput = {
  readonly checked: CheckedCall;
  readonly session: GuardSession;
  readonly wait: boolean;
  readonly signal: AbortSignal | undefined;
};

export type AskInput = ConfirmInput & { readonly asking: readonly PolicyFinding[]; readonly subject: Digest };

/** What a confirmation is about. Secrets count in their replaced form, so that a record can be held against it. */
export function confirmationSubject(setup: GuardSetup, checked: CheckedCall): Digest {
  const { call, inputs } = checked.verdict;
  return digest({
    actor: call.actor ?? null,
    directory: call.directory ?? null,
    tool: call.tool,
    arguments: setup.replace(call.arguments),
    view: inputs.view,
    policy: inputs.policy,
  });
}

/** The placements that want a confirmation, each once. */
export function fired(checked: CheckedCall): readonly PolicyFinding[] {
  return checked.verdict.policies.filter((finding) => finding.outcome === 'fired');
}

export function keysOf(findings: readonly PolicyFinding[]): readonly string[] {
  return [...new Set(findings.map((finding) => finding.key))];
}

export function declined(answer: Answer | null): Confirmation {
  const by = answer === null ? {} : { answeredBy: answer.answeredBy };
  const reason: Reason = {
    code: 'policy.declined',
    message: 'a person declined the call',
    data: { ...by, ...(answer?.reason === undefined ? {} : { said: answer.reason.slice(0, 200) }) },
    remedy: { action: 'do-something-else' },
  };
  return { type: 'declined', answer, reason };
}

/**
 * An answer took time to come: what it was given for must still be so.
 * @returns the fresh check, or why the approval does not count.
 */
export async function stillApproved(
  setup: GuardSetup,
  input: Omit<AskInput, 'subject'>,
): Promise<CheckedCall | Confirmation> {
  const { checked, asking, signal } = input;
  const again = await checkAgain(setup, checked, signal);
  const { decision, inputs } = again.verdict;
  const moved = inputs.view !== checked.verdict.inputs.view || inputs.policy !== checked.verdict.inputs.policy;
  if (decision === 'ungrounded' || decision === 'block') return { type: 'refused', reason: movedReason(decision) };
  if (moved) return { type: 'refused', reason: movedReason('moved') };
  const asked = new Set(keysOf(asking));
  const others = fired(again).filter((finding) => !asked.has(finding.key) && !isCovered(again, input.session, finding));
  return others.length > 0 ? { type: 'refused', reason: movedReason('other-policies') } : again;
}

export function movedReason(what: string): Reason {
  return {
    code: 'policy.approval-void',
    message: 'what was approved is no longer what would run: the graph or a policy moved while the answer was awaited',
    data: { what },
    remedy: { action: 'call-again' },
  };
}

export function isCovered(checked: CheckedCall, session: GuardSession, finding: PolicyFinding): boolean {
  return session.covers(stickyKey(checked, finding.key));
}

export function rememberSticky(checked: CheckedCall, session: GuardSession, findings: readonly PolicyFinding[]): void {
  for (const key of keysOf(findings)) if (checked.sticky(key)) session.remember(stickyKey(checked, key));
}

function stickyKey(checked: CheckedCall, key: string): string {
  const { call, inputs } = checked.verdict;
  return JSON.stringify([call.actor ?? null, call.tool, key, inputs.policy]);
}

/** The question as people see it. @throws POLICY_ACTOR_MISSING since an approval is bound to who asked. */
export function questionOf(setup: GuardSetup, input: AskInput): Question {
  const { call } = input.checked.verdict;
  if (call.actor === undefined) {
    throw new WarrantError(
      'POLICY_ACTOR_MISSING',
      'a confirmation is bound to an actor: give the guard or the call one',
    );
  }
  // A condition's words and concepts from a call may repeat its arguments.
  const clean = (text: string): string => {
    const replaced = setup.replace(text);
    return typeof replaced === 'string' ? replaced : '';
  };
  const policies = input.asking.slice(0, 20).map((finding) => ({
    key: finding.key,
    message: clean(finding.reason.message).slice(0, 400),
    edge: `${finding.edge.source} -> ${finding.edge.target}`,
  }));
  const { questionTtlMs } = setup;
  const expiresAt = questionTtlMs === null ? null : new Date(setup.clock.now() + questionTtlMs).toISOString();
  return {
    id: setup.ids.next(),
    kind: 'confirmation',
    subject: input.subject,
    title: `${call.tool}: ${policies[0]?.message ?? 'confirm'}`.slice(0, 200),
    details: { call: recordedCall(setup, call), concepts: input.checked.concepts.map(clean), policies },
    choices: ['allow', 'refuse'],
    askedBy: call.actor,
    expiresAt,
  };
}
