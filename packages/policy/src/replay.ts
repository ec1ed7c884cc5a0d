import { type DepthLevel, type Entry, type JsonObject, WarrantError } from '@warrant/core';
import { decodeAnswers } from './answer-codes.ts';
import { decidePolicies, type PolicyDecision } from './decide.ts';
import { DEFAULT_CONFIRMATION, type Placement } from './placement.ts';
import { createPolicySet, type PolicySet } from './policy-set.ts';
import type { GroundingFacts } from './read-grounding.ts';
import type { RecordedVerdict } from './record-types.ts';

/** A recorded verdict and the same decision made again from its record. */
export type ReplayedVerdict = {
  readonly entry: string;
  readonly callId: string;
  readonly recorded: RecordedVerdict['decision'];
  /** null when the record could not hold every answer. */
  readonly again: PolicyDecision | null;
  readonly same: boolean;
};

/**
 * Decides every `guard.verdict` among the entries again, from data alone: no grounder, condition, tool or person is
 * asked. The entries must hold the content that the verdicts name. Verdicts of checks that failed are left out.
 * @throws POLICY_REPLAY_INCOMPLETE when facts or policies of a verdict are not among them.
 */
export function replayVerdicts(entries: readonly Entry[]): readonly ReplayedVerdict[] {
  const content = new Map(entries.map((entry) => [entry.id, entry]));
  return entries.flatMap((entry) => {
    if (entry.type !== 'guard.verdict') return [];
    const verdict = entry.data as unknown as RecordedVerdict;
    if (isUnchecked(verdict)) return [];
    const again = decideAgain(entry.id, verdict, content);
    const callId = entry.correlationId ?? '';
    return [{ entry: entry.id, callId, recorded: verdict.decision, again, same: again?.decision === verdict.decision }];
  });
}

/** Reasons that a record holds of a verdict. */
export const MAX_RECORDED_REASONS = 6;

/** The check itself failed, under a guard that only observes: nothing was decided on data. */
export function isUnchecked({ reasons }: RecordedVerdict): boolean {
  return reasons[0]?.[0] === 'policy.check-failed';
}

/** null when the record could not hold every answer. @throws POLICY_REPLAY_INCOMPLETE */
export function decideAgain(
  id: string,
  verdict: RecordedVerdict,
  content: ReadonlyMap<string, Entry>,
): PolicyDecision | null {
  const answers = decodeAnswers(verdict);
  if (answers === undefined) return null;
  const facts = content.get(verdict.facts);
  if (facts === undefined) throw incomplete(id, verdict.facts);
  const policies = content.get(verdict.inputs.policy);
  if (policies === undefined && answers.length > 0) throw incomplete(id, verdict.inputs.policy);
  return decidePolicies({
    facts: facts.data as unknown as GroundingFacts,
    policies: policiesOf((policies?.data ?? []) as readonly JsonObject[]),
    cardinality: verdict.cardinality,
    answers,
    dormant: verdict.dormant,
  });
}

/** The recorded placements, which can be decided about but not asked. */
function policiesOf(declarations: readonly JsonObject[]): PolicySet {
  return createPolicySet(
    declarations.map((declaration) => {
      const condition = declaration['condition'] as JsonObject;
      const placement = {
        ...(declaration as unknown as Omit<Placement, 'condition' | 'origin' | 'sourceDepth'>),
        sourceDepth: declaration['sourceDepth'] as DepthLevel,
        confirmationMessage: (declaration['confirmationMessage'] as string | undefined) ?? DEFAULT_CONFIRMATION,
        origin: { type: 'code' },
        condition:
          condition['type'] === 'expression'
            ? { type: 'expression', text: condition['text'] as string, evaluate: neverAsked }
            : { type: 'callback', name: condition['name'] as string, version: null, callback: neverAsked },
      } satisfies Placement;
      return placement;
    }),
  );
}

function neverAsked(): never {
  throw new WarrantError('POLICY_REPLAY_INCOMPLETE', 'a replay asks no condition');
}

function incomplete(entry: string, missing: string): WarrantError {
  return new WarrantError('POLICY_REPLAY_INCOMPLETE', `entry ${entry} names content that is not there: ${missing}`, {
    data: { entry, missing },
  });
}
