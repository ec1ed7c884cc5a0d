import {
  type CallEffects,
  type Entry,
  type Gap,
  type Json,
  type JsonObject,
  type Reason,
  systemTimer,
  type ToolCall,
  WarrantError,
} from '@warrant/core';
import { askConditions } from './ask-conditions.ts';
import { isThenable } from './bounded.ts';
import { type ConditionAnswer, decidePolicies, type PolicyDecision, policyQuestions } from './decide.ts';
import type { PolicySet } from './policy-set.ts';
import type { GroundingFacts } from './read-grounding.ts';
import type { RecordedVerdict } from './record-types.ts';
import { decideAgain, isUnchecked, MAX_RECORDED_REASONS } from './replay.ts';

export type VerdictRecheckOptions = {
  /** What would have been decided under these. Their conditions are asked, and have to answer at once. @default those of the record, with its answers */
  readonly policies?: PolicySet;
  /** What a call would do, for conditions that read `shell`. @default nothing is known */
  readonly effects?: (call: ToolCall) => CallEffects | null;
};

/** One decision, as the journal's `recheck` compares them. */
export type VerdictOutcome = { readonly type: RecordedVerdict['decision']; readonly reasons: readonly Reason[] };

/**
 * Decides a guard's recorded verdicts again: hand the function to the journal's `recheck`, over the guard's stream from
 * its beginning, since verdicts name content that came before them. Entries that hold no verdict give undefined.
 * The function throws POLICY_REPLAY_INCOMPLETE for a verdict whose content did not come, whose arguments were too long to
 * be recorded whole, or whose new condition answers later.
 */
export function createVerdictRecheck(
  options: VerdictRecheckOptions = {},
): (entry: Entry) => { readonly recorded: VerdictOutcome; readonly now: VerdictOutcome } | undefined {
  const content = new Map<string, Entry>();
  return (entry) => {
    if (entry.type === 'guard.facts' || entry.type === 'policy.set') content.set(entry.id, entry);
    if (entry.type !== 'guard.verdict') return undefined;
    const verdict = entry.data as unknown as RecordedVerdict;
    if (isUnchecked(verdict)) return undefined;
    const { policies } = options;
    const now =
      policies === undefined
        ? recordedAgain(entry, verdict, content)
        : underOthers(entry, verdict, content, { ...options, policies });
    const reasons = now.decision === 'ungrounded' ? ungrounded(entry.id, verdict, content) : now.reasons;
    return {
      recorded: { type: verdict.decision, reasons: recordedReasons(verdict) },
      now: { type: now.decision, reasons: reasons.slice(0, MAX_RECORDED_REASONS) },
    };
  };
}

function recordedAgain(entry: Entry, verdict: RecordedVerdict, content: ReadonlyMap<string, Entry>): PolicyDecision {
  const again = decideAgain(entry.id, verdict, content);
  if (again === null) throw incomplete(entry.id, 'the record could not hold all answers');
  return again;
}

function underOthers(
  entry: Entry,
  verdict: RecordedVerdict,
  content: ReadonlyMap<string, Entry>,
  { policies, effects }: VerdictRecheckOptions & { readonly policies: PolicySet },
): PolicyDecision {
  const { cardinality, dormant } = verdict;
  const facts = factsOf(entry.id, verdict, content);
  const questions = policyQuestions(facts, policies, cardinality);
  let answers: readonly ConditionAnswer[] = [];
  if (questions.length > 0) {
    const call = callOf(entry, verdict.call);
    const input = { call, actor: call.actor ?? null, facts, effects: effects?.(call) ?? null };
    const asked = askConditions(questions, input, { timer: systemTimer, timeoutMs: 0, signal: undefined });
    if (isThenable(asked)) {
      asked.then(undefined, () => undefined);
      throw incomplete(entry.id, 'a condition answers later');
    }
    answers = asked;
  }
  return decidePolicies({ facts, policies, cardinality, answers, dormant });
}

type RecordedFacts = GroundingFacts & { readonly gaps: readonly Gap[] };

function factsOf(id: string, verdict: RecordedVerdict, content: ReadonlyMap<string, Entry>): RecordedFacts {
  const facts = content.get(verdict.facts);
  if (facts === undefined) throw incomplete(id, `its facts ${verdict.facts} did not come before`);
  return facts.data as unknown as RecordedFacts;
}

/** The call as it was stored; what was cut cannot be asked about. */
function callOf(entry: Entry, recorded: JsonObject): ToolCall {
  const whole = (name: string): Json => {
    const value = recorded[name] ?? null;
    const cut = typeof value === 'object' && value !== null && '$excerpt' in value;
    if (cut) throw incomplete(entry.id, `the call's ${name} were too long to be recorded whole`);
    return value;
  };
  const [actor, directory, labels] = [whole('actor'), whole('directory'), whole('labels')];
  return {
    id: entry.correlationId ?? entry.id,
    tool: whole('tool') as string,
    arguments: whole('arguments') as JsonObject,
    ...(actor === null ? {} : { actor: actor as string }),
    ...(directory === null ? {} : { directory: directory as string }),
    ...(labels === null ? {} : { labels: labels as NonNullable<ToolCall['labels']> }),
  };
}

/** Why the call was not grounded, by the recorded gaps. */
function ungrounded(id: string, verdict: RecordedVerdict, content: ReadonlyMap<string, Entry>): readonly Reason[] {
  const { gaps, resolved } = factsOf(id, verdict, content);
  const codes = gaps.map((gap) => `grounding.${gap.type}`);
  if (codes.length === 0) codes.push(resolved.length === 0 ? 'policy.no-concepts' : 'policy.grounding-inconsistent');
  return codes.map((code) => ({ code, message: '', data: {} }));
}

/** What a person or the asking of one added to the reasons was no part of the decision. */
const ADDED = /^policy\.(declined|question-|approval-|no-one-to-ask|handler-)/;

function recordedReasons({ reasons }: RecordedVerdict): readonly Reason[] {
  return reasons
    .filter(([code]) => !ADDED.test(code))
    .map(([code, policy]) => ({ code, message: '', data: policy === '' ? {} : { policy } }));
}

function incomplete(entry: string, what: string): WarrantError {
  return new WarrantError('POLICY_REPLAY_INCOMPLETE', `entry ${entry} cannot be decided again: ${what}`, {
    data: { entry },
  });
}
