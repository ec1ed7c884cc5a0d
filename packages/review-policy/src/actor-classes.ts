import { matchesPattern } from './conditions.ts';
import type { Rule } from './policy.ts';
import { POLICY_ACTOR } from './proposal.ts';

/**
 * One name for each class of actors that the rules can tell apart: every name they mention, every pattern without
 * its longer patterns, and one that nothing mentions.
 */
export function actorRepresentatives(rules: readonly Rule[]): readonly string[] {
  const names = new Set<string>();
  const prefixes = new Set<string>();
  for (const rule of rules) {
    for (const name of [...(rule.actors ?? []), ...(rule.notActors ?? [])]) names.add(name);
    for (const condition of rule.extended) {
      if ('members' in condition) for (const name of condition.members) names.add(name);
      if (!('patterns' in condition)) continue;
      for (const pattern of condition.patterns) (pattern.exact ? names : prefixes).add(pattern.prefix);
    }
  }
  names.delete(POLICY_ACTOR);
  const fresh = [...prefixes].map((prefix) => freshName(prefix, names, prefixes));
  return [freshName('', names, prefixes), ...new Set([...names, ...fresh])];
}

/** True when the rule's conditions on the actor hold for the name. */
export function admitsActor(rule: Rule, name: string): boolean {
  if (rule.actors !== null && !rule.actors.has(name)) return false;
  if (rule.notActors?.has(name)) return false;
  return rule.extended.every((condition) => {
    switch (condition.type) {
      case 'actor-group':
        return condition.members.has(name);
      case 'actor-not-in-group':
        return !condition.members.has(name);
      case 'actor-pattern':
        return matchesPattern(condition.patterns, name);
      case 'actor-not-pattern':
        return !matchesPattern(condition.patterns, name);
      default:
        return true;
    }
  });
}

// A name that starts with `prefix`, is not mentioned and starts with no longer prefix.
function freshName(prefix: string, names: ReadonlySet<string>, prefixes: ReadonlySet<string>): string {
  const longer = [...prefixes].filter((other) => other.length > prefix.length && other.startsWith(prefix));
  for (let count = 0; ; count += 1) {
    const name = `${prefix}${prefix === '' ? 'anyone' : 'x'}${count === 0 ? '' : count}`;
    if (!names.has(name) && name !== POLICY_ACTOR && !longer.some((other) => name.startsWith(other))) return name;
    // Prefixes may swallow every name that starts with this letter: go on with letters that none of them has.
    if (count > names.size + longer.length) return `${prefix}${unusedLetter(prefix, longer, names)}`;
  }
}

function unusedLetter(prefix: string, longer: readonly string[], names: ReadonlySet<string>): string {
  const used = new Set([...longer, ...names].map((other) => other.codePointAt(prefix.length)));
  let point = 0x61;
  while (used.has(point) || (point >= 0xd800 && point <= 0xdfff)) point += 1;
  return String.fromCodePoint(point);
}
