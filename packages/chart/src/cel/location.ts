import { WarrantError } from '@warrant/core';
import type { Expression, Location, Scope } from '../data-model.ts';

const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*/;
const SYSTEM = new Set(['ev', 'In', '_sessionid', '_name', '_ioprocessors', '_event', '_x']);

type Step = string | Expression;

/** A data id, or `ctx` and steps: `ctx.order.lines[0].price`, `ctx.items[ctx.i]`, `ctx["a-b"]`. */
export function parseLocation(source: string, expression: (source: string) => Expression): Location {
  const text = source.trim();
  const head = IDENTIFIER.exec(text)?.[0];
  if (head === undefined) throw notALocation();
  if (SYSTEM.has(head)) return { source, path: () => fail() };
  const steps = parseSteps(text.slice(head.length), expression);
  const [first, ...rest] = head === 'ctx' ? steps : [head, ...steps];
  if (first === undefined) throw notALocation();
  return { source, path: (scope) => [first, ...rest].map((step) => stepValue(step, scope)) };
}

/** The expression that reads a location. */
export function readingOf(source: string): string {
  const text = source.trim();
  const head = IDENTIFIER.exec(text)?.[0];
  return head === undefined || head === 'ctx' || SYSTEM.has(head) ? text : `ctx.${text}`;
}

function parseSteps(text: string, expression: (source: string) => Expression): readonly Step[] {
  const steps: Step[] = [];
  let rest = text;
  while (rest !== '') {
    const name = rest.startsWith('.') ? IDENTIFIER.exec(rest.slice(1))?.[0] : undefined;
    if (name !== undefined) {
      steps.push(name);
      rest = rest.slice(1 + name.length);
      continue;
    }
    const end = rest.startsWith('[') ? closingBracket(rest) : -1;
    if (end < 0) throw notALocation();
    steps.push(expression(rest.slice(1, end)));
    rest = rest.slice(end + 1);
  }
  return steps;
}

/** Where the bracket that opens the text closes, quotes and inner brackets passed over; -1 if it does not. */
function closingBracket(text: string): number {
  let depth = 0;
  let quote = '';
  for (let index = 0; index < text.length; index += 1) {
    const sign = text[index] as string;
    if (quote !== '') {
      if (sign === '\\') index += 1;
      else if (sign === quote) quote = '';
    } else if (sign === '"' || sign === "'") quote = sign;
    else if (sign === '[') depth += 1;
    else if (sign === ']') {
      depth -= 1;
      if (depth === 0) return index;
    }
  }
  return -1;
}

function stepValue(step: Step, scope: Scope): string | number {
  if (typeof step === 'string') return step;
  const value = step.evaluate(scope);
  return typeof value === 'string' || typeof value === 'number' ? value : fail();
}

function notALocation(): WarrantError {
  return new WarrantError('CHART_EXPRESSION', 'a location is a data id, or ctx with .name and [index] steps');
}

function fail(): never {
  throw new WarrantError('CHART_LOCATION', 'this place cannot be assigned to');
}
