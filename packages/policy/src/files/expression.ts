import type { JsonObject, Labels } from '@warrant/core';
import { type CelCondition, type CelEnvironment, createCelEnvironment } from '@warrant/core/cel';
import type { PolicyContext, PolicyExpression } from '../placement.ts';
import { effectiveLabels, namedPointers } from './labels.ts';

/** What a condition may read. `shell` is empty where the guard has no classifier: reading it then fires. */
const VARIABLES = { call: 'map', grounding: 'map', edge: 'map', shell: 'map' } as const;

/** What each of them has, as {@link variablesOf} gives it. */
export const MEMBERS: { readonly [variable in keyof typeof VARIABLES]: readonly string[] } = {
  call: ['id', 'tool', 'arguments', 'labels', 'actor', 'directory'],
  grounding: ['grounded', 'resolved'],
  edge: ['source', 'sourceDepth', 'relation', 'target', 'targetDepth'],
  shell: ['class', 'reads', 'writes', 'deletes', 'unknownTargets', 'network'],
};

/** One environment for the conditions of policies, with `within(path, root)`. */
export function createPolicyEnvironment(): CelEnvironment {
  return createCelEnvironment({ variables: VARIABLES });
}

/** A condition with what is known about its source. */
export type CompiledCondition = PolicyExpression & { readonly condition: CelCondition };

/** @throws CEL_PARSE, CEL_TYPE, CEL_LIMIT with the range in the source. */
export function compileCondition(environment: CelEnvironment, source: string): CompiledCondition {
  const condition = environment.compileCondition(source);
  const readsLabels = condition.reads.some((path) => path === 'call' || /^call\.labels($|\.)/.test(path));
  const named = namedPointers(condition.paths());
  return Object.freeze({
    type: 'expression' as const,
    text: source,
    condition,
    evaluate: (context: PolicyContext) => condition.evaluate(variablesOf(context, readsLabels ? named : null)),
  });
}

function variablesOf(context: PolicyContext, pointers: readonly string[] | null): JsonObject {
  const { call, grounding, edge, effects } = context;
  const labels: Labels = pointers === null ? {} : effectiveLabels(call.arguments, call.labels ?? {}, pointers);
  return {
    call: {
      id: call.id,
      tool: call.tool,
      arguments: call.arguments,
      labels,
      ...(call.actor === undefined ? {} : { actor: call.actor }),
      ...(call.directory === undefined ? {} : { directory: call.directory }),
    },
    grounding: { grounded: grounding.grounded, resolved: grounding.resolved },
    edge,
    shell: effects ?? {},
  };
}
