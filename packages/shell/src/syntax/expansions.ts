import type { ParameterExpansionPart, ParameterOperation, Word as ParserWord, WordPart } from 'unbash';
import { addHazard, addPlace, mayReadParts, type ReadContext, setName } from './context.ts';
import type { Script } from './tree.ts';

const NONE: readonly Script[] = [];

/** Where the scripts of a word's substitutions are gathered. */
export type Visit = { readonly context: ReadContext; readonly inner: Script[] };

/** Notes what an expansion runs and evaluates. */
export function visitPart(visit: Visit, part: WordPart): void {
  const { context } = visit;
  switch (part.type) {
    case 'CommandExpansion':
    case 'ProcessSubstitution':
      if (part.script !== undefined) visit.inner.push(context.nested(context, part.script, part));
      return;
    case 'ArithmeticExpansion':
      if (!mayReadParts(context, part)) return;
      addPlace(context, part.text.startsWith('$[') ? part.text.slice(2, -1) : part.text.slice(3, -2), part);
      visitArithmetic(visit, part.expression);
      return;
    case 'ParameterExpansion':
      visitParameter(visit, part);
      return;
    case 'DoubleQuoted':
    case 'LocaleString':
    case 'Glob':
    case 'ExtendedGlob':
    case 'BraceExpansion':
      for (const child of part.parts ?? []) visitPart(visit, child);
      return;
    default:
  }
}

function visitParameter(visit: Visit, part: ParameterExpansionPart): void {
  const { context } = visit;
  const whole = part.index?.text === '@' || part.index?.text === '*';
  if (part.index !== undefined && !whole) {
    addPlace(context, part.index.text, part);
    visitWord(visit, part.index);
  }
  if (part.prefix === '!' && !whole && part.operation?.type !== 'Names') {
    addHazard(context, 'indirect-expansion', part);
  }
  if (part.operation !== undefined) visitOperation(visit, part, part.operation);
}

function visitOperation(visit: Visit, part: ParameterExpansionPart, operation: ParameterOperation): void {
  const { context } = visit;
  switch (operation.type) {
    case 'Default':
      if (operation.operator.endsWith('=')) setName(context, part.parameter, 'other', part);
      visitWord(visit, operation.operand);
      return;
    case 'Slice':
      for (const word of [operation.offset, operation.length]) {
        if (word === undefined) continue;
        addPlace(context, word.text, part);
        visitWord(visit, word);
      }
      return;
    case 'Transform':
      if (/[^QUAEaKkLu]/.test(operation.operand.text)) addHazard(context, 'prompt-expansion', part);
      return;
    case 'Replace':
      visitWord(visit, operation.pattern);
      visitWord(visit, operation.replacement);
      return;
    case 'Remove':
      visitWord(visit, operation.operand);
      return;
    case 'CaseModification':
      if (operation.operand !== undefined) visitWord(visit, operation.operand);
      return;
    case 'Unknown':
      addHazard(context, 'indirect-expansion', part);
      return;
    default:
  }
}

function visitWord(visit: Visit, word: ParserWord): void {
  for (const part of word.parts ?? []) visitPart(visit, part);
}

type Arithmetic = Extract<WordPart, { type: 'ArithmeticExpansion' }>['expression'];

function visitArithmetic(visit: Visit, expression: Arithmetic): void {
  visit.inner.push(...arithmeticScripts(visit.context, expression));
}

/** The substitutions inside an arithmetic expression. */
export function arithmeticScripts(context: ReadContext, expression: Arithmetic): readonly Script[] {
  if (expression === undefined) return NONE;
  const below = (child: Arithmetic): readonly Script[] => arithmeticScripts(context, child);
  switch (expression.type) {
    case 'ArithmeticBinary':
      return [...below(expression.left), ...below(expression.right)];
    case 'ArithmeticUnary':
      return below(expression.operand);
    case 'ArithmeticTernary':
      return [...below(expression.test), ...below(expression.consequent), ...below(expression.alternate)];
    case 'ArithmeticGroup':
      return below(expression.expression);
    case 'ArithmeticCommandExpansion':
      return expression.script === undefined ? NONE : [context.nested(context, expression.script, expression)];
    case 'ArithmeticWord': {
      if (expression.parts === undefined) return NONE;
      const visit: Visit = { context, inner: [] };
      for (const part of expression.parts) visitPart(visit, part);
      return visit.inner;
    }
  }
}
