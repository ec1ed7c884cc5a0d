import { mayMove, uniteInto } from './directories.ts';
import { addFunction, type Frame, fork, merge, placeOf, type Scope } from './frame.ts';
import { type Directories, unite } from './paths.ts';
import { redirectEffects } from './redirects.ts';
import { runSimple } from './simple.ts';
import { createSink } from './sink.ts';
import type { Node, Script } from './syntax/tree.ts';

/**
 * Walks one node. Afterwards `scope` is what holds if it succeeded; the directories that hold if it
 * failed are returned.
 */
export function walk(node: Node, frame: Frame, scope: Scope): Directories {
  switch (node.type) {
    case 'simple':
      return runSimple(node, frame, scope, walk);
    case 'sequence':
      return walkAll(node.nodes, frame, scope);
    case 'background':
    case 'coproc':
      walk(node.type === 'coproc' ? node.body : node.node, frame, fork(scope));
      return scope.directories;
    case 'and-or':
      return walkAndOr(node, frame, scope);
    case 'pipeline':
      return walkPipeline(node, node.timed ? { ...frame, wrappers: [...frame.wrappers, 'time'] } : frame, scope);
    case 'group':
      if (!node.subshell) return walk(node.body, frame, scope);
      walk(node.body, frame, fork(scope));
      return scope.directories;
    case 'redirected':
      return walkRedirected(node, frame, scope);
    case 'choice':
      return walkChoice(node, frame, scope);
    case 'loop':
      return walkLoop(node, frame, scope);
    case 'function':
      defineFunction(node, frame, scope);
      return scope.directories;
    case 'expressions':
      walkScripts(node.inner, frame, scope);
      return scope.directories;
  }
}

/** The commands of substitutions, each in a subshell of its own. */
function walkScripts(scripts: readonly Script[], frame: Frame, scope: Scope): void {
  for (const script of scripts) walk(script.node, { ...frame, viaSubstitution: true }, fork(scope));
}

function walkAll(nodes: readonly Node[], frame: Frame, scope: Scope): Directories {
  let failed = scope.directories;
  let left = nodes.length;
  for (const node of nodes) {
    left -= 1;
    failed = walk(node, frame, scope);
    if (left > 0) uniteInto(scope, failed);
  }
  return failed;
}

type AndOr = Extract<Node, { type: 'and-or' }>;

function walkAndOr(node: AndOr, frame: Frame, scope: Scope): Directories {
  let failed: Directories = scope.directories;
  let index = -1;
  for (const child of node.nodes) {
    index += 1;
    if (index === 0) {
      failed = walk(child, frame, scope);
      continue;
    }
    const succeeded = scope.directories;
    const earlier = failed;
    const isAnd = node.operators[index - 1] === '&&';
    scope.directories = isAnd ? succeeded : earlier;
    failed = maybe(scope, () => walk(child, frame, scope));
    if (isAnd) failed = unite(failed, earlier);
    else uniteInto(scope, succeeded);
  }
  return failed;
}

/** Runs what may not be reached: functions that it defines exist only perhaps. */
function maybe<T>(scope: Scope, run: () => T): T {
  const before = scope.functions.size === 0 ? null : new Set(scope.functions.keys());
  const result = run();
  if (scope.functions.size === 0) return result;
  for (const name of scope.functions.keys()) if (before?.has(name) !== true) scope.functions.set(name, false);
  return result;
}

function walkPipeline(node: Extract<Node, { type: 'pipeline' }>, frame: Frame, scope: Scope): Directories {
  const [only] = node.nodes;
  if (node.nodes.length === 1 && only !== undefined) {
    // `!` turns success into failure, so both hold both.
    const failed = walk(only, frame, scope);
    uniteInto(scope, failed);
    return scope.directories;
  }
  let last: Directories = scope.directories;
  for (const child of node.nodes) {
    const own = fork(scope);
    last = unite(walk(child, frame, own), own.directories);
  }
  // With `lastpipe`, and in zsh, the last command runs in the shell itself.
  uniteInto(scope, last);
  return scope.directories;
}

function walkRedirected(node: Extract<Node, { type: 'redirected' }>, frame: Frame, scope: Scope): Directories {
  const before = fork(scope);
  const failed = walk(node.node, frame, scope);
  const sink = createSink(placeOf(frame, before));
  redirectEffects(sink, node.redirects);
  merge(frame.gathered, sink);
  for (const { inner } of node.redirects) walkScripts(inner, frame, before);
  return unite(failed, before.directories);
}

function walkChoice(node: Extract<Node, { type: 'choice' }>, frame: Frame, scope: Scope): Directories {
  let entry = scope.directories;
  let after: Directories = [];
  for (const branch of node.branches) {
    scope.directories = entry;
    maybe(scope, () => {
      for (const [index, child] of branch.entries()) {
        const failed = walk(child, frame, scope);
        if (index < branch.length - 1) entry = failed;
        else uniteInto(scope, failed);
      }
    });
    after = unite(after, scope.directories);
  }
  scope.directories = node.complete ? after : unite(after, entry);
  return scope.directories;
}

function walkLoop(node: Extract<Node, { type: 'loop' }>, frame: Frame, scope: Scope): Directories {
  // A later round starts where an earlier one ended.
  if (mayMove(node.text)) scope.directories = null;
  maybe(scope, () => walkAll(node.body, frame, scope));
  return scope.directories;
}

function defineFunction(node: Extract<Node, { type: 'function' }>, frame: Frame, scope: Scope): void {
  addFunction(scope, node.name);
  const own = fork(scope);
  // It runs where it is called: the same place only if nothing in the line ever moves.
  if (frame.moves()) own.directories = null;
  walk(node.body, frame, own);
}
