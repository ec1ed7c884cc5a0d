import type { Finding } from './lint.ts';
import type { Policy, Rule } from './policy.ts';
import { type Box, createSpace, type Space } from './space.ts';
import { findPoint } from './witness.ts';

/** Findings about what rules take from each other. */
export function lintRules(policy: Policy): readonly Finding[] {
  const space = createSpace(policy.rules, policy.kinds, { keysFollow: false });
  const reach = space.boxes.map((box, index) => reachOf(space, box, index));
  return space.boxes.flatMap((box, index): readonly Finding[] => {
    const path = `/rules/${index}`;
    if (reach[index] === 'unsatisfiable') return [{ code: 'policy_unsatisfiable_rule', path, severity: 'error' }];
    const findings: Finding[] = [];
    if (reach[index] === 'unreachable') findings.push({ code: 'policy_unreachable_rule', path, severity: 'warning' });
    if (box.rule.action !== 'auto_approve' && isOverridden(space, index, reach)) {
      findings.push({ code: 'policy_guard_overridden', path, severity: 'warning' });
    }
    if (reach[index] === 'reachable' && !makesDifference(policy, space, index, reach)) {
      findings.push({ code: 'policy_redundant_rule', path, severity: 'info' });
    }
    return findings;
  });
}

type Reach = 'unsatisfiable' | 'unreachable' | 'reachable';

function reachOf(space: Space, box: Box, index: number): Reach {
  if (findPoint(space, { inside: [box], outside: [] }) === null) return 'unsatisfiable';
  const earlier = space.boxes.slice(0, index);
  return findPoint(space, { inside: [box], outside: earlier }) === null ? 'unreachable' : 'reachable';
}

// Some proposal of this guard is decided by an earlier rule that approves.
function isOverridden(space: Space, index: number, reach: readonly Reach[]): boolean {
  const guard = space.boxes[index] as Box;
  return space.boxes.slice(0, index).some((box, earlier) => {
    if (box.rule.action !== 'auto_approve' || reach[earlier] !== 'reachable') return false;
    return findPoint(space, { inside: [box, guard], outside: space.boxes.slice(0, earlier) }) !== null;
  });
}

// Some proposal that the rule decides would be decided otherwise by what comes after it.
function makesDifference(policy: Policy, space: Space, index: number, reach: readonly Reach[]): boolean {
  const box = space.boxes[index] as Box;
  const others = space.boxes.filter((_, other) => other !== index);
  if (outcome(box.rule) !== policy.default && findPoint(space, { inside: [box], outside: others }) !== null) {
    return true;
  }
  return space.boxes.some((next, later) => {
    if (later <= index || reach[later] === 'unsatisfiable' || outcome(next.rule) === outcome(box.rule)) return false;
    const between = space.boxes.filter((_, other) => other < later && other !== index);
    return findPoint(space, { inside: [box, next], outside: between }) !== null;
  });
}

/** What a rule does, as a word: rules with equal words decide alike. */
export function outcome(rule: Rule): string {
  if (rule.quorum === null) return rule.action;
  return `${rule.action}/${rule.quorum.approvals}/${JSON.stringify([...(rule.quorum.roles ?? [])].sort())}`;
}
