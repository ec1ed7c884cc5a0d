import type { JsonObject } from '@warrant/core';
import { bitsOf } from './bits.ts';
import type { Condition, EvaluationContext } from './conditions.ts';
import { outcome } from './lint-rules.ts';
import type { Action, ParsedPolicy, Rule } from './policy.ts';
import type { Subject } from './proposal.ts';
import { type Box, createSpace, type Space } from './space.ts';
import { findPoint, type Point } from './witness.ts';

/** One way in which two policies decide differently. */
export type Difference = {
  /** The deciding rule before and after; `null` is the default. */
  readonly before: { readonly rule: string | null; readonly action: Action };
  readonly after: { readonly rule: string | null; readonly action: Action };
  /** A proposal with fewest payload keys that shows it, and what must be known beside it. */
  readonly proposal: Subject;
  readonly context: EvaluationContext;
  /** Facts that no context can be made for here, such as the value of an expression. */
  readonly assuming: readonly string[];
};

export type PolicyDiff =
  | { readonly type: 'equivalent' }
  | { readonly type: 'different'; readonly differences: readonly Difference[] }
  | { readonly type: 'invalid'; readonly which: 'before' | 'after' };

/**
 * Every pair of deciding rules under which two policies act differently, each with a smallest proposal. Exact: what
 * no proposal can show is not reported, and `equivalent` means that no proposal is decided differently.
 */
export function diffPolicies(before: ParsedPolicy, after: ParsedPolicy): PolicyDiff {
  if (before.type === 'invalid') return { type: 'invalid', which: 'before' };
  if (after.type === 'invalid') return { type: 'invalid', which: 'after' };
  const old = sidesOf(before);
  const renewed = sidesOf(after);
  const kinds = after.type === 'policy' ? after.kinds : before.type === 'policy' ? before.kinds : null;
  if (kinds === null) return { type: 'equivalent' };
  const rules = [...old.rules, ...renewed.rules];
  const space = createSpace(rules, kinds, { keysFollow: true });
  const first = space.boxes.slice(0, old.rules.length);
  const second = space.boxes.slice(old.rules.length);
  const lefts = reachable(space, first);
  const rights = reachable(space, second);
  const differences = lefts.flatMap((left) =>
    rights.flatMap((right): readonly Difference[] => {
      if (outcomeAt(old, left) === outcomeAt(renewed, right)) return [];
      const inside = [...first.slice(left, left + 1), ...second.slice(right, right + 1)];
      const outside = [...first.slice(0, left), ...second.slice(0, right)];
      const point = findPoint(space, { inside: inside.length > 0 ? inside : [everything(space)], outside });
      if (point === null) return [];
      return [{ before: nameOf(old, left), after: nameOf(renewed, right), ...realise(space, point) }];
    }),
  );
  return differences.length === 0 ? { type: 'equivalent' } : { type: 'different', differences };
}

// Positions of rules that decide something, and the one after the last for the default.
function reachable(space: Space, boxes: readonly Box[]): readonly number[] {
  const found = boxes.flatMap((box, index) =>
    findPoint(space, { inside: [box], outside: boxes.slice(0, index) }) === null ? [] : [index],
  );
  const isLeft = findPoint(space, { inside: [everything(space)], outside: boxes }) !== null;
  return isLeft ? [...found, boxes.length] : found;
}

type Side = { readonly rules: readonly Rule[]; readonly default: Action };

function sidesOf(policy: Exclude<ParsedPolicy, { readonly type: 'invalid' }>): Side {
  return policy.type === 'none' ? { rules: [], default: 'require_human' } : policy;
}

function outcomeAt(side: Side, index: number): string {
  const rule = side.rules[index];
  return rule === undefined ? side.default : outcome(rule);
}

function nameOf(side: Side, index: number): { readonly rule: string | null; readonly action: Action } {
  const rule = side.rules[index];
  return rule === undefined ? { rule: null, action: side.default } : { rule: rule.name, action: rule.action };
}

function everything(space: Space): Box {
  const rule: Rule = {
    name: '',
    action: 'require_human',
    reason: null,
    actors: null,
    notActors: null,
    kinds: null,
    claimTypes: null,
    minConfidence: null,
    maxConfidence: null,
    hasEvidence: null,
    payloadHas: null,
    extended: [],
    quorum: null,
  };
  const every = (): boolean => true;
  return {
    rule,
    shapes: bitsOf(space.shapes.length, every),
    actors: bitsOf(space.actors.length, every),
    range: null,
    keys: [],
    literals: [],
  };
}

/** A real proposal at the point, and the context in which rules see it so. */
function realise(
  space: Space,
  point: Point,
): { readonly proposal: Subject; readonly context: EvaluationContext; readonly assuming: readonly string[] } {
  const payload: Record<string, JsonObject[string]> = {};
  const { profile, evidence } = point.shape;
  for (const key of point.keys) {
    // Defined, not assigned: `__proto__` is a key as any other.
    Object.defineProperty(payload, key, {
      value: valueFor(point, key),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  const proposal: Subject = { kind: profile.kind, proposedBy: point.actor, payload };
  const isListed = profile.evidenceKeys.some((key) => point.keys.includes(key));
  const context: EvaluationContext = evidence || !isListed ? {} : { knownIds: new Set<string>() };
  const conditions = space.boxes.flatMap((box) => box.rule.extended);
  const { known, assuming } = contextFor(point, conditions);
  return { proposal, context: { ...context, ...known }, assuming };
}

function valueFor(point: Point, key: string): JsonObject[string] {
  const { profile, claimType } = point.shape;
  if (profile.hasClaimType && key === 'type') return claimType ?? 'unlisted';
  if (profile.hasConfidence && key === 'confidence') return point.confidence ?? 0.5;
  if (profile.evidenceKeys.includes(key)) return ['e1'];
  return 'x';
}

function contextFor(
  point: Point,
  conditions: readonly Condition[],
): { readonly known: EvaluationContext; readonly assuming: readonly string[] } {
  const assuming: string[] = [];
  const filed: Record<string, number> = {};
  let similar: boolean | undefined;
  for (const [atom, value] of point.atoms) {
    const condition = conditions.find((item) => 'key' in item && item.key === atom);
    if (value === 'unknown') continue;
    if (condition?.type === 'similar') similar = value === 'held';
    else if (condition?.type === 'quota' || condition?.type === 'quota-exceeded') {
      filed[String(condition.windowMs)] = value === 'held' ? 0 : condition.limit;
    } else assuming.push(`${atom} ${value}`);
  }
  const known = { ...(Object.keys(filed).length > 0 && { filed }), ...(similar !== undefined && { similar }) };
  return { known, assuming };
}
