import { isWarrantError } from '@warrant/core';
import { createCelEnvironment } from '@warrant/core/cel';
import type { Expression } from '../conditions.ts';
import type { ParseOptions } from '../parse-policy.ts';

/**
 * Compiles the conditions of the extension `cel` for `parsePolicy({ compileExpression })`. Expressions read `proposal`
 * (`kind`, `proposed_by`, `payload`) and `now` (ISO-8601 text); regular expressions run in linear time.
 */
export function createExpressionCompiler(): NonNullable<ParseOptions['compileExpression']> {
  const environment = createCelEnvironment({ variables: { proposal: 'map', now: 'string' } });
  return (source) => {
    try {
      const condition = environment.compileCondition(source);
      const expression: Expression = (variables) => {
        try {
          return { type: 'value', value: condition.evaluate(variables) };
        } catch (error) {
          return { type: 'error', message: messageOf(error) };
        }
      };
      return expression;
    } catch (error) {
      return { type: 'fault', message: messageOf(error) };
    }
  };
}

function messageOf(error: unknown): string {
  return isWarrantError(error) || error instanceof Error ? error.message : 'unknown';
}
