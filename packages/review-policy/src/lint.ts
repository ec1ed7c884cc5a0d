import { lintRules } from './lint-rules.ts';
import { lintValues } from './lint-values.ts';
import type { ParsedPolicy, PolicyFault } from './policy.ts';

export type FindingCode =
  | PolicyFault['code']
  | 'policy_unsatisfiable_rule'
  | 'policy_unreachable_rule'
  | 'policy_guard_overridden'
  | 'policy_redundant_rule'
  | 'policy_block_without_reason'
  | 'policy_catch_all'
  | 'policy_auto_approve_any_actor'
  | 'policy_default_auto_approve'
  | 'policy_literal_pattern'
  | 'policy_suspicious_actor'
  | 'policy_unknown_payload_key'
  | 'policy_duplicate_value'
  | 'policy_confusable_actor'
  | 'policy_empty_group'
  | 'policy_unused_group'
  | 'policy_expression_not_compiled'
  | 'policy_unreachable_quorum';

export type Severity = 'error' | 'warning' | 'info';

/** One thing that lint has to say about a policy, and where. */
export type Finding = { readonly code: FindingCode; readonly path: string; readonly severity: Severity };

export type LintResult = {
  readonly findings: readonly Finding[];
  /** False when a finding is an error. */
  readonly ok: boolean;
};

/**
 * What is wrong or odd about a policy. Findings about reachability are exact: they are judged over all proposals that
 * rules can tell apart, with evidence, confidence and payload keys taken as independent and each condition on time,
 * quota, similarity or an expression taken as a fact of its own.
 */
export function lint(policy: ParsedPolicy): LintResult {
  if (policy.type === 'none') return { findings: [], ok: true };
  const findings: readonly Finding[] =
    policy.type === 'invalid'
      ? policy.faults.map((fault): Finding => ({ ...fault, severity: 'error' }))
      : [...lintValues(policy), ...lintRules(policy)];
  return { findings, ok: !findings.some((finding) => finding.severity === 'error') };
}
