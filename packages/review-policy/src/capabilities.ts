import { CLAIM_TYPES } from './kinds.ts';
import type { ParsedPolicy, PolicyFault } from './policy.ts';

/** What agents are told about the policy, in vouch's words. */
export type PolicyCapability = {
  readonly enabled: boolean;
  /** Claim types that some rule approves, in rule order; all of them when one rule names none or the default approves. */
  readonly auto_approve_actions: readonly string[];
  readonly default_action: string;
  /** Present when the policy cannot be used. */
  readonly faults?: readonly PolicyFault[];
};

/** The `policy` descriptor of a server's capabilities. */
export function policyCapability(policy: ParsedPolicy): PolicyCapability {
  if (policy.type === 'none') return { enabled: false, auto_approve_actions: [], default_action: 'require_human' };
  if (policy.type === 'invalid') {
    return { enabled: true, auto_approve_actions: [], default_action: 'require_human', faults: policy.faults };
  }
  const approving = policy.rules.filter((rule) => rule.action === 'auto_approve');
  const isOpen = policy.default === 'auto_approve' || approving.some((rule) => rule.claimTypes === null);
  const types = isOpen ? CLAIM_TYPES : [...new Set(approving.flatMap((rule) => [...(rule.claimTypes ?? [])]))];
  return { enabled: true, auto_approve_actions: types, default_action: policy.default };
}
