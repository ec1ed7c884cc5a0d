import type { ASTNode } from '@marcbachmann/cel-js';
import { comprehensionOf, walk } from './ast.ts';
import { celError, limitError } from './errors.ts';
import type { CelLimits } from './limits.ts';
import type { RegexMatcher } from './regex.ts';

type Evaluator = { run(node: ASTNode, context: unknown): unknown };
type Evaluate = (evaluator: Evaluator, node: ASTNode, context: unknown) => unknown;
type Evaluable = { evaluate: Evaluate };

/** Membership in a list compares at most this many elements for the price of one iteration. */
const ELEMENTS_PER_ITERATION = 32;

/** What one evaluation has spent. Evaluations of one expression never overlap: they are synchronous. */
export interface Meter {
  start(): void;
  /** @throws CEL_LIMIT when the evaluation went beyond a limit at any time, also where the expression absorbed the error. */
  finish(): void;
}

/**
 * Puts regular expressions on RE2 and a price on loops, by wrapping the evaluation of single nodes. Rewriting the source
 * instead would move every offset, and the library's own printer loses parentheses (`1 - (2 - 3)`) and digits.
 */
export function installHooks(
  root: ASTNode,
  options: {
    readonly limits: CelLimits;
    readonly regex: RegexMatcher;
    readonly onIteration?: (() => void) | undefined;
  },
): Meter {
  const { limits, onIteration } = options;
  let spent = 0;
  let exceeded: Error | undefined;
  const stop = (error: Error): never => {
    exceeded ??= error;
    throw exceeded;
  };
  const charge = (iterations: number): void => {
    spent += iterations;
    if (exceeded !== undefined || spent > limits.iterations)
      stop(exceeded ?? limitError('iterations', limits.iterations));
  };
  const nodes: ASTNode[] = [];
  walk(root, (node) => nodes.push(node));
  // Inner nodes first: what a node does itself lies within what its place in a loop costs.
  for (const node of nodes.reverse()) {
    for (const body of comprehensionOf(node)?.bodies ?? []) {
      wrap(body, (run) => {
        charge(1);
        if (onIteration !== undefined) hosted(onIteration, stop);
        return run();
      });
    }
    if (node.op === '+') wrap(node, (run) => capped(run(), limits, stop));
    if (node.op === 'in') {
      wrap(node.args[1], (run) => {
        const list = run();
        if (Array.isArray(list)) charge(list.length / ELEMENTS_PER_ITERATION);
        return list;
      });
    }
    if (node.op === 'rcall' && node.args[0] === 'matches' && node.args[2].length === 1)
      hookMatches(node, options.regex);
  }
  return {
    start: () => {
      spent = 0;
      exceeded = undefined;
    },
    finish: () => {
      if (exceeded !== undefined) throw exceeded;
    },
  };
}

/** Wraps may lie around each other: the innermost calls what the library put there. */
function wrap(node: ASTNode, around: (run: () => unknown) => unknown): void {
  const evaluable = node as unknown as Evaluable;
  let inner: Evaluate | undefined = Object.hasOwn(evaluable, 'evaluate') ? evaluable.evaluate : undefined;
  const prototype = Object.getPrototypeOf(evaluable) as Evaluable;
  const outer: Evaluate = (evaluator, self, context) =>
    around(() => {
      if (inner !== undefined) return inner.call(evaluable, evaluator, self, context);
      const outermost = evaluable.evaluate;
      try {
        return prototype.evaluate.call(evaluable, evaluator, self, context);
      } finally {
        // On its first call the library replaces the method by the operator's own function: that becomes the inner one.
        inner = evaluable.evaluate;
        evaluable.evaluate = outermost;
      }
    });
  evaluable.evaluate = outer;
}

function hosted(onIteration: () => void, stop: (error: Error) => never): void {
  try {
    onIteration();
  } catch (error) {
    stop(error as Error);
  }
}

function capped(value: unknown, limits: CelLimits, stop: (error: Error) => never): unknown {
  if ((typeof value === 'string' || Array.isArray(value)) && value.length > limits.built) {
    stop(limitError('built', limits.built));
  }
  return value;
}

function hookMatches(node: ASTNode, regex: RegexMatcher): void {
  if (node.op !== 'rcall') return;
  const [, receiver, [argument]] = node.args;
  (node as unknown as Evaluable).evaluate = (evaluator, _node, context) => {
    const text = evaluator.run(receiver, context);
    const pattern = evaluator.run(argument as ASTNode, context);
    if (typeof text !== 'string' || typeof pattern !== 'string') {
      throw celError('CEL_EVALUATION', 'no_matching_overload', node.range);
    }
    return regex.test(text, pattern);
  };
}
