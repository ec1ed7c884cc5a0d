import type { ASTNode } from '@marcbachmann/cel-js';
import { limitError } from './errors.ts';
import type { CelLimits } from './limits.ts';

const COMPREHENSIONS: ReadonlySet<string> = new Set(['all', 'exists', 'exists_one', 'map', 'filter']);

/** A call that binds a variable in its bodies: `source` lies outside the binding. */
export type Comprehension = {
  readonly variable: string;
  readonly source: ASTNode;
  readonly bodies: readonly ASTNode[];
};

export function comprehensionOf(node: ASTNode): Comprehension | undefined {
  if (node.op !== 'rcall') return undefined;
  const [name, receiver, [variable, ...rest]] = node.args;
  if (variable?.op !== 'id') return undefined;
  const [first, ...others] = rest;
  if (first === undefined) return undefined;
  if (COMPREHENSIONS.has(name)) return { variable: variable.args, source: receiver, bodies: rest };
  const binds = name === 'bind' && receiver.op === 'id' && receiver.args === 'cel';
  return binds ? { variable: variable.args, source: first, bodies: others } : undefined;
}

/** The nodes directly below, in source order. */
function childrenOf(node: ASTNode): readonly ASTNode[] {
  switch (node.op) {
    case 'value':
    case 'id':
      return [];
    case '.':
    case '.?':
      return [node.args[0]];
    case 'call':
      return node.args[1];
    case 'rcall':
      return [node.args[1], ...node.args[2]];
    case 'map':
      return node.args.flat();
    case '!_':
    case '-_':
      return [node.args];
    default:
      return node.args;
  }
}

/** Calls `visit` for every node, with the number of comprehensions around it. */
export function walk(node: ASTNode, visit: (node: ASTNode, nesting: number) => void, nesting = 0): void {
  visit(node, nesting);
  const comprehension = comprehensionOf(node);
  if (comprehension === undefined) {
    for (const child of childrenOf(node)) walk(child, visit, nesting);
    return;
  }
  walk(comprehension.source, visit, nesting);
  for (const body of comprehension.bodies) walk(body, visit, nesting + 1);
}

/** @throws CEL_LIMIT */
export function checkNesting(root: ASTNode, limits: CelLimits): void {
  walk(root, (node, nesting) => {
    if (comprehensionOf(node) !== undefined && nesting >= limits.nesting) throw limitError('nesting', limits.nesting);
  });
}

/** The longest static paths that an expression reads, such as `call.arguments.path`, without what comprehensions bind. */
export function readsOf(root: ASTNode): readonly string[] {
  const paths = new Set<string>();
  collect(root, new Set(), paths);
  return [...paths].sort();
}

function collect(node: ASTNode, bound: ReadonlySet<string>, paths: Set<string>): void {
  const path = pathOf(node);
  if (path !== undefined) {
    const [variable] = path;
    if (variable !== undefined && !bound.has(variable)) paths.add(path.join('.'));
    return;
  }
  const comprehension = comprehensionOf(node);
  if (comprehension === undefined) {
    for (const child of childrenOf(node)) collect(child, bound, paths);
    return;
  }
  collect(comprehension.source, bound, paths);
  const inner = new Set(bound).add(comprehension.variable);
  for (const body of comprehension.bodies) collect(body, inner, paths);
}

function pathOf(node: ASTNode): readonly string[] | undefined {
  if (node.op === 'id') return [node.args];
  if (node.op !== '.') return undefined;
  const left = pathOf(node.args[0]);
  return left === undefined ? undefined : [...left, node.args[1]];
}
