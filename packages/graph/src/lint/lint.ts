import { foldName, type JsonObject, type Primitive } from '@warrant/core';
import { quote } from '../text.ts';
import { sharedPrerequisites } from './connectivity.ts';
import { similarNames } from './similar-names.ts';

/** What lint finds; none of it keeps a graph from being used. */
export type GraphLintCode =
  | 'lint.unreachable-concept'
  | 'lint.unreachable-level'
  | 'lint.unsatisfiable-edge'
  | 'lint.empty-level'
  | 'lint.no-existence'
  | 'lint.similar-names'
  | 'lint.shared-prerequisite'
  | 'lint.reserved-name';
export type GraphFinding = {
  readonly code: GraphLintCode;
  readonly message: string;
  /** Names of the concepts it is about. */
  readonly concepts: readonly string[];
  readonly data: JsonObject;
};

/** Names that stand for something else elsewhere: a command line that nobody recognises. */
export const RESERVED_NAMES: readonly string[] = ['unknown-command'];

/** Everything worth a look in a graph, by concept, in the order of the primitives given. */
export async function lintGraph(
  primitives: AsyncIterable<Primitive> | Iterable<Primitive>,
): Promise<readonly GraphFinding[]> {
  const all: Primitive[] = [];
  for await (const primitive of primitives) all.push(primitive);
  const byId = new Map(all.map((primitive) => [primitive.id, primitive]));
  const named = new Set(all.flatMap((one) => targetsOf(one).filter((target) => target !== one.id)));
  const findings: GraphFinding[] = [];
  for (const primitive of all) {
    findings.push(...lintLevels(primitive), ...lintEdges(primitive, byId));
    const isAlone = !named.has(primitive.id) && targetsOf(primitive).every((target) => target === primitive.id);
    if (isAlone && all.length > 1) findings.push(unreachable(primitive));
    if (RESERVED_NAMES.includes(foldName(primitive.name))) findings.push(reserved(primitive));
  }
  const names = similarNames(all.map(({ name }) => name));
  return [...findings, ...names.map(({ names: pair, why }) => similar(pair, why)), ...sharedFindings(all)];
}

function targetsOf(primitive: Primitive): readonly string[] {
  return primitive.depths.flatMap((depth) => depth.relata.map((relatum) => relatum.target));
}

function finding(
  code: GraphLintCode,
  message: string,
  concepts: readonly string[],
  data: JsonObject = {},
): GraphFinding {
  return { code, message, concepts, data };
}

function unreachable({ name }: Primitive): GraphFinding {
  const message = `nothing names ${quote(name)}, and it names nothing: it never connects to another concept of a check`;
  return finding('lint.unreachable-concept', message, [name]);
}

function reserved({ name }: Primitive): GraphFinding {
  const message = `${quote(name)} stands for commands that nobody recognises; as a concept it would let them pass`;
  return finding('lint.reserved-name', message, [name]);
}

function similar(names: readonly [string, string], why: string): GraphFinding {
  return finding('lint.similar-names', `${quote(names[0])} and ${quote(names[1])} ${why}`, names, { why });
}

/** The highest level without a hole below it, or null without level 0. A level above 0 needs content or relata. */
export function contiguousDepth(primitive: Primitive): number | null {
  let depth: number | null = null;
  for (const { level, properties, relata } of primitive.depths) {
    if (level !== (depth ?? -1) + 1) return depth;
    if (level > 0 && relata.length === 0 && Object.keys(properties).length === 0) return depth;
    depth = level;
  }
  return depth;
}

function lintLevels(primitive: Primitive): readonly GraphFinding[] {
  const { name, depths } = primitive;
  const findings: GraphFinding[] = [];
  const reached = contiguousDepth(primitive);
  if (reached === null) {
    const message = `${quote(name)} has no level 0 (existence): it never grounds`;
    findings.push(finding('lint.no-existence', message, [name]));
  }
  for (const { level, properties, relata } of depths) {
    if (level > 0 && relata.length === 0 && Object.keys(properties).length === 0) {
      findings.push(finding('lint.empty-level', `level ${level} of ${quote(name)} is empty`, [name], { level }));
    } else if (level > (reached ?? -1)) {
      const message = `level ${level} of ${quote(name)} lies above a hole and is never seen`;
      findings.push(finding('lint.unreachable-level', message, [name], { level, reached }));
    }
  }
  return findings;
}

function lintEdges(primitive: Primitive, byId: ReadonlyMap<string, Primitive>): readonly GraphFinding[] {
  return primitive.depths.flatMap(({ level, relata }) =>
    relata.flatMap(({ relation, target: id, targetDepth }) => {
      const target = byId.get(id);
      const reached = target === undefined ? null : contiguousDepth(target);
      if ((reached ?? -1) >= targetDepth) return [];
      const name = target?.name ?? id;
      const message = `${quote(primitive.name)} ${relation} ${quote(name)} at ${targetDepth}, which has ${reached ?? 'nothing'}`;
      const data = { level, relation, target: name, targetDepth, reached };
      return [finding('lint.unsatisfiable-edge', message, [primitive.name, name], data)];
    }),
  );
}

function sharedFindings(all: readonly Primitive[]): readonly GraphFinding[] {
  return sharedPrerequisites(all).map(({ prerequisite, groups }) => {
    const shown = groups.slice(0, 5).map((group) => quote(group[0] ?? ''));
    const message = `${shown.join(', ')} count as connected through ${quote(prerequisite)} alone, which each of them needs`;
    const data = { prerequisite, groups: groups.length, sizes: groups.slice(0, 20).map((group) => group.length) };
    return finding(
      'lint.shared-prerequisite',
      message,
      [prerequisite, ...groups.slice(0, 20).map((group) => group[0] ?? '')],
      data,
    );
  });
}
