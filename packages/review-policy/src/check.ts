import type { EvaluationContext } from './conditions.ts';
import type { InvalidProposal, PolicyDecision } from './evaluate.ts';
import { evaluate } from './evaluate.ts';
import { parsePolicy } from './parse-policy.ts';
import type { ParsedPolicy } from './policy.ts';
import { readSubject } from './proposal.ts';
import { showLine } from './text.ts';

/** What a dry run prints and the exit code that goes with it: 0 would pass, 2 would be blocked, 1 could not be judged. */
export type CheckOutput = { readonly exit: 0 | 1 | 2; readonly stdout: string | null };

/** The three lines of `check`; nothing when the proposal or the policy is faulty. */
export function renderCheck(decision: PolicyDecision | InvalidProposal): CheckOutput {
  if (decision.type === 'invalid-proposal' || decision.type === 'invalid-policy') return { exit: 1, stdout: null };
  const rule = decision.rule ?? (decision.type === 'no-policy' ? '(none)' : '(default)');
  const stdout = `rule:   ${rule}\naction: ${decision.action}\nreason: ${showLine(decision.reason)}\n`;
  return { exit: decision.action === 'block' ? 2 : 0, stdout };
}

/** A decision in vouch's words (snake_case, errors by class). */
export function toWireDecision(decision: PolicyDecision | InvalidProposal): { readonly [key: string]: unknown } {
  if (decision.type === 'invalid-proposal') {
    return { error: { class: 'proposal_invalid', paths: decision.paths } };
  }
  return {
    action: decision.action,
    rule: decision.rule,
    reason: decision.reason,
    facts: decision.facts,
    would: decision.would,
    effect: decision.effect,
    ...(decision.type === 'no-policy' && { enabled: false }),
    ...(decision.type === 'invalid-policy' && {
      error: { class: 'policy_invalid', faults: decision.faults.map((fault) => [fault.code, fault.path]) },
    }),
  };
}

/** Judges a proposal as vouch writes it; the policy is a parsed one or the JSON of `review.policy`. */
export function checkRecord(
  policy: ParsedPolicy | { readonly document: unknown },
  record: unknown,
  context: EvaluationContext = {},
): PolicyDecision | InvalidProposal {
  const parsed = 'type' in policy ? policy : parsePolicy(policy.document);
  const read = readSubject(record, parsed.type === 'policy' ? parsed.kinds : undefined);
  if (read.type === 'invalid') return { type: 'invalid-proposal', paths: read.paths };
  return evaluate(parsed, read.subject, context);
}
