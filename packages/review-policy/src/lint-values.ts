import type { Finding } from './lint.ts';
import type { Policy, Rule } from './policy.ts';
import { hasBlankEnds, hasControl, pointerStep } from './text.ts';

const PATTERN_LETTER = /[*?[\](){}|^$\\]/;

/** Findings that a look at single values shows. */
export function lintValues(policy: Policy): readonly Finding[] {
  const findings: Finding[] = [];
  if (policy.default === 'auto_approve') {
    findings.push({ code: 'policy_default_auto_approve', path: '/default', severity: 'warning' });
  }
  for (const [index, rule] of policy.rules.entries()) findings.push(...lintRule(policy, rule, index));
  findings.push(...lintGroups(policy));
  return findings;
}

function lintRule(policy: Policy, rule: Rule, index: number): readonly Finding[] {
  const path = `/rules/${index}`;
  const when = whenOf(policy, index);
  const findings: Finding[] = [];
  if (rule.action === 'block' && rule.reason === null) {
    findings.push({ code: 'policy_block_without_reason', path: `${path}/reason`, severity: 'warning' });
  }
  if (Object.keys(when).length === 0) {
    findings.push({ code: 'policy_catch_all', path: `${path}/when`, severity: 'warning' });
  }
  if (rule.action === 'auto_approve' && rule.actors === null && !namesActors(rule)) {
    findings.push({ code: 'policy_auto_approve_any_actor', path, severity: 'warning' });
  }
  for (const [key, value] of Object.entries(when)) findings.push(...lintList(key, value, `${path}/when/${key}`));
  findings.push(...lintKeys(policy, rule, when['payload_has'], `${path}/when/payload_has`));
  if (rule.extended.some((condition) => condition.type === 'cel' && condition.expression === null)) {
    findings.push({ code: 'policy_expression_not_compiled', path: `${path}/when/cel`, severity: 'warning' });
  }
  return [...findings, ...lintQuorum(policy, rule, path)];
}

function namesActors(rule: Rule): boolean {
  return rule.extended.some((condition) => condition.type === 'actor-group' || condition.type === 'actor-pattern');
}

function whenOf(policy: Policy, index: number): { readonly [key: string]: unknown } {
  const rules = policy.document['rules'] as readonly { readonly when: { readonly [key: string]: unknown } }[];
  return (rules[index] as { readonly when: { readonly [key: string]: unknown } }).when;
}

function lintList(key: string, value: unknown, path: string): readonly Finding[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  const at = (index: number): string => (Array.isArray(value) ? `${path}/${index}` : path);
  const findings: Finding[] = [];
  const seen = new Set<unknown>();
  list.forEach((entry, index) => {
    if (typeof entry === 'string' && seen.has(entry)) {
      findings.push({ code: 'policy_duplicate_value', path: at(index), severity: 'info' });
    }
    seen.add(entry);
    if ((key === 'actor' || key === 'actor_not_in') && typeof entry === 'string') {
      findings.push(...lintActor(entry, at(index)));
    }
  });
  return findings;
}

function lintActor(name: string, path: string): readonly Finding[] {
  const findings: Finding[] = [];
  if (PATTERN_LETTER.test(name)) findings.push({ code: 'policy_literal_pattern', path, severity: 'warning' });
  if (hasBlankEnds(name) || hasControl(name) || name !== name.normalize('NFC')) {
    findings.push({ code: 'policy_suspicious_actor', path, severity: 'warning' });
  }
  return findings;
}

function lintKeys(policy: Policy, rule: Rule, value: unknown, path: string): readonly Finding[] {
  if (rule.payloadHas === null) return [];
  const admitted = [...policy.kinds.values()].filter((profile) => rule.kinds === null || rule.kinds.has(profile.kind));
  if (admitted.some((profile) => profile.payloadKeys === null)) return [];
  return rule.payloadHas.flatMap((key, index) =>
    admitted.some((profile) => profile.payloadKeys?.includes(key))
      ? []
      : [
          {
            code: 'policy_unknown_payload_key' as const,
            path: Array.isArray(value) ? `${path}/${index}` : path,
            severity: 'info' as const,
          },
        ],
  );
}

function lintQuorum(policy: Policy, rule: Rule, path: string): readonly Finding[] {
  if (rule.quorum === null || rule.quorum.roles === null) return [];
  const voters = new Set(rule.quorum.roles.flatMap((role) => policy.groups.get(role) ?? []));
  if (voters.size >= rule.quorum.approvals) return [];
  return [{ code: 'policy_unreachable_quorum', path: `${path}/approvals`, severity: 'error' }];
}

function lintGroups(policy: Policy): readonly Finding[] {
  const used = new Set(
    policy.rules.flatMap((rule) => [
      ...(rule.quorum?.roles ?? []),
      ...rule.extended.flatMap((condition) => ('groups' in condition ? condition.groups : [])),
    ]),
  );
  return [...policy.groups].flatMap(([name, members]) => {
    const path = `/groups${pointerStep(name)}`;
    const unused: Finding[] = used.has(name) ? [] : [{ code: 'policy_unused_group', path, severity: 'info' }];
    const list = (policy.document['groups'] as { readonly [name: string]: unknown })[name];
    const odd = members.flatMap((member, index) => lintActor(member, Array.isArray(list) ? `${path}/${index}` : path));
    return [...unused, ...odd];
  });
}
