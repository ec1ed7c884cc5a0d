import { foldName, isWarrantError, nearest } from '@warrant/core';
import type { CelEnvironment, CelPath } from '@warrant/core/cel';
import type { Placement } from '../placement.ts';
import type { PolicySet } from '../policy-set.ts';
import { findOrphans, type PlacementGraph } from '../prepare.ts';
import { quoted } from '../shorten.ts';
import { createPolicyEnvironment, MEMBERS } from './expression.ts';
import { truthOf } from './truth.ts';

export type PolicyFaultCode =
  | 'unknown-edge'
  | 'unknown-member'
  | 'shadowed'
  | 'never-true'
  | 'always-true'
  | 'unused-key';

/** Something about a policy that a person should look at. */
export type PolicyLint = {
  readonly code: PolicyFaultCode;
  readonly key: string;
  readonly message: string;
  /** null for policies written in code. */
  readonly file: string | null;
  readonly line: number | null;
};

export type LintPoliciesOptions = {
  /** Where every placement must have its edge. */
  readonly graph?: PlacementGraph;
  /** The concepts of the tools in use: a policy that none of them can meet is unused. */
  readonly tools?: readonly { readonly name: string; readonly concepts: readonly string[] }[];
};

/** Looks for policies that cannot do what they seem to. Says nothing where it cannot be decided. */
export async function lintPolicies(
  policies: PolicySet,
  options: LintPoliciesOptions = {},
): Promise<readonly PolicyLint[]> {
  const { graph, tools } = options;
  const { placements } = policies;
  const byKey = new Map(placements.map((placement) => [placement.key, placement]));
  const orphans = graph === undefined ? [] : await findOrphans(placements, graph);
  const found = orphans.flatMap((orphan) => {
    const placement = byKey.get(orphan.key);
    const edge = `${orphan.source} -> ${orphan.target} at level ${orphan.sourceDepth}`;
    return placement === undefined
      ? []
      : [lint('unknown-edge', placement, `the graph has no edge ${edge} (${orphan.type})`)];
  });
  const environment = createPolicyEnvironment();
  const truths = new Map(
    placements.map(({ key, condition }) => [
      key,
      condition.type === 'expression' ? truthOf(environment, condition.text) : ('unknown' as const),
    ]),
  );
  const single = placements.flatMap((placement) => {
    const truth = truths.get(placement.key);
    if (truth === 'never') return [lint('never-true', placement, 'its condition is never true')];
    return truth === 'always' ? [lint('always-true', placement, 'its condition is always true')] : [];
  });
  const unknown = placements.flatMap((placement) => unknownMembers(environment, placement));
  const shadowed = placements.flatMap((placement, index) =>
    shadows(placements.slice(0, index), placements.slice(index + 1), placement, (key) => truths.get(key) === 'always'),
  );
  const unused = tools === undefined ? [] : placements.filter((placement) => !isMet(placement, tools));
  const unusedLints = unused.map((placement) => lint('unused-key', placement, 'no tool names both ends of its edge'));
  return [...found, ...unknown, ...single, ...shadowed, ...unusedLints];
}

/** A slip such as `call.argments` or `call['argments']`: reading it is an error in every call, and an error fires. */
function unknownMembers(environment: CelEnvironment, placement: Placement): readonly PolicyLint[] {
  const { condition } = placement;
  const paths = condition.type === 'expression' ? pathsOf(environment, condition.text) : [];
  const told = new Set<string>();
  return paths.flatMap(([variable = '', member]) => {
    const known = Object.hasOwn(MEMBERS, variable) ? MEMBERS[variable as keyof typeof MEMBERS] : undefined;
    if (known === undefined || member === undefined || known.includes(member)) return [];
    const path = printed(variable, member);
    if (told.has(path)) return [];
    told.add(path);
    const meant = nearest(member, known);
    const hint = meant === undefined ? '' : `; did you mean '${variable}.${meant}'?`;
    return [lint('unknown-member', placement, `its condition reads '${path}', which is never there${hint}`)];
  });
}

/** A member that is no name stands in quotes, so that white space and controls can be seen. */
function printed(variable: string, member: string): string {
  return /^[A-Za-z_]\w{0,59}$/.test(member) ? `${variable}.${member}` : `${variable}[${quoted(member)}]`;
}

function pathsOf(environment: CelEnvironment, text: string): readonly CelPath[] {
  try {
    return environment.compileCondition(text).paths();
  } catch (error) {
    // A condition of another environment: of its members nothing is known.
    if (isWarrantError(error)) return [];
    throw error;
  }
}

/** A policy is shadowed when another one on its edge refuses whenever this one would be considered. */
function shadows(
  before: readonly Placement[],
  after: readonly Placement[],
  placement: Placement,
  isAlways: (key: string) => boolean,
): readonly PolicyLint[] {
  const rivals = [...before, ...after].filter((other) => sameEdge(other, placement) && covers(other, placement));
  const wall = rivals.find((other) => other.effect === 'block' && isAlways(other.key) && !isAlways(placement.key));
  if (wall !== undefined) return [lint('shadowed', placement, `'${wall.key}' refuses every call that it would judge`)];
  const twin = before.find((other) => rivals.includes(other) && sameCondition(other, placement));
  if (twin !== undefined && (twin.effect === 'block' || placement.effect === 'confirm')) {
    return [lint('shadowed', placement, `'${twin.key}' has the same condition on the same edge`)];
  }
  const stricter = after.find((other) => rivals.includes(other) && sameCondition(other, placement));
  if (stricter?.effect === 'block' && placement.effect === 'confirm') {
    return [lint('shadowed', placement, `'${stricter.key}' refuses whenever this one would ask`)];
  }
  return [];
}

function sameEdge(a: Placement, b: Placement): boolean {
  return (
    a.sourceDepth === b.sourceDepth &&
    foldName(a.source) === foldName(b.source) &&
    foldName(a.target) === foldName(b.target)
  );
}

function covers(wide: Placement, narrow: Placement): boolean {
  return wide.triggerCardinality === null || wide.triggerCardinality === narrow.triggerCardinality;
}

function sameCondition(a: Placement, b: Placement): boolean {
  if (a.condition.type !== 'expression' || b.condition.type !== 'expression') return false;
  return normal(a.condition.text) === normal(b.condition.text);
}

/** White space outside of texts means nothing; a condition with texts is compared as it is written. */
function normal(text: string): string {
  return /['"]/.test(text) ? text.trim() : text.replace(/\s+/g, ' ').trim();
}

function isMet(placement: Placement, tools: NonNullable<LintPoliciesOptions['tools']>): boolean {
  const ends = [foldName(placement.source), foldName(placement.target)];
  return tools.some(({ concepts }) => {
    const named = new Set(concepts.map(foldName));
    return ends.every((end) => named.has(end));
  });
}

function lint(code: PolicyFaultCode, placement: Placement, message: string): PolicyLint {
  const { key, origin } = placement;
  const place = origin.type === 'file' ? { file: origin.file, line: origin.line } : { file: null, line: null };
  return { code, key, message, ...place };
}
