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

/** A name and the members read of it, outermost first: `call.arguments['path']` is `['call', 'arguments', 'path']`. */
export type CelPath = readonly string[];

/** What is bound around a node: the path that a name stands for, or null where it stands for no single one. */
type Bound = ReadonlyMap<string, CelPath | null>;

/** The longest static paths that an expression reads, such as `call.arguments.path`, without what comprehensions bind. */
export function readsOf(root: ASTNode): readonly string[] {
  const paths = new Set<string>();
  collect(root, new Map(), { pathOf: dottedOf, visit: (path) => paths.add(path.join('.')) });
  return [...paths].sort();
}

/**
 * The longest paths that are written out, whatever their form: a member, an index with a text, the optional forms of
 * both, a text looked up with `in`, and what `cel.bind` names.
 */
export function pathsOf(root: ASTNode): readonly CelPath[] {
  const paths = new Map<string, CelPath>();
  collect(root, new Map(), { pathOf: writtenOf, visit: (path) => paths.set(JSON.stringify(path), path) });
  return [...paths.keys()].sort().map((key) => paths.get(key) as CelPath);
}

type Reading = {
  readonly pathOf: (node: ASTNode, bound: Bound) => CelPath | null | undefined;
  readonly visit: (path: CelPath) => void;
};

function collect(node: ASTNode, bound: Bound, reading: Reading): void {
  const path = reading.pathOf(node, bound);
  if (path !== undefined) {
    if (path !== null) reading.visit(path);
    return;
  }
  const comprehension = comprehensionOf(node);
  if (comprehension === undefined) {
    for (const child of childrenOf(node)) collect(child, bound, reading);
    return;
  }
  collect(comprehension.source, bound, reading);
  const isBind = node.op === 'rcall' && node.args[0] === 'bind';
  const named = isBind ? (reading.pathOf(comprehension.source, bound) ?? null) : null;
  const inner = new Map(bound).set(comprehension.variable, named);
  for (const body of comprehension.bodies) collect(body, inner, reading);
}

/** Undefined where the node is no path; null where it is one of something bound. */
function dottedOf(node: ASTNode, bound: Bound): CelPath | null | undefined {
  if (node.op === 'id') return bound.has(node.args) ? null : [node.args];
  return node.op === '.' ? extended(dottedOf(node.args[0], bound), node.args[1]) : undefined;
}

function writtenOf(node: ASTNode, bound: Bound): CelPath | null | undefined {
  switch (node.op) {
    case 'id':
      return bound.has(node.args) ? bound.get(node.args) : [node.args];
    case '.':
    case '.?':
      return extended(writtenOf(node.args[0], bound), node.args[1]);
    case '[]':
    case '[?]': {
      const member = textOf(node.args[1]);
      return member === undefined ? undefined : extended(writtenOf(node.args[0], bound), member);
    }
    case 'in': {
      const member = textOf(node.args[0]);
      return member === undefined ? undefined : extended(writtenOf(node.args[1], bound), member);
    }
    default:
      return undefined;
  }
}

function textOf(node: ASTNode): string | undefined {
  return node.op === 'value' && typeof node.args === 'string' ? node.args : undefined;
}

function extended(path: CelPath | null | undefined, member: string): CelPath | null | undefined {
  return path === undefined || path === null ? path : [...path, member];
}
