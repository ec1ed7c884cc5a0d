import type { Environment } from '@marcbachmann/cel-js';
import { celError } from './errors.ts';

/**
 * JSON numbers are doubles and literals without a point are integers: without these, `ctx.steps + 1` has no overload.
 * Turning JSON integers into CEL's integers instead would break `ctx.price * 1.5` for the price 10.
 */
export function registerMixedNumbers(environment: Environment): void {
  const operations: readonly (readonly [string, (left: number, right: number) => number])[] = [
    ['+', (left, right) => left + right],
    ['-', (left, right) => left - right],
    ['*', (left, right) => left * right],
    ['/', (left, right) => left / right],
    ['%', remainder],
  ];
  for (const [operator, apply] of operations) {
    environment.registerOperator(`double ${operator} int: double`, (left: number, right: bigint) =>
      apply(left, Number(right)),
    );
    environment.registerOperator(`int ${operator} double: double`, (left: bigint, right: number) =>
      apply(Number(left), right),
    );
  }
  environment.registerOperator('double % double: double', remainder);
  // biome-ignore lint/suspicious/noDoubleEquals: comparing a bigint with a number exactly is what == does.
  environment.registerOperator('int == double: bool', (left: bigint, right: number) => left == (right as unknown));
}

/** Without this, a remainder by zero is NaN, and every comparison with it quietly false. */
function remainder(left: number, right: number): number {
  if (right === 0) throw celError('CEL_EVALUATION', 'modulo_by_zero');
  return left % right;
}
