import {
  type AndOr,
  type CompoundList,
  type ParsedScript,
  type Word as ParserWord,
  type PipelineNode,
  parse,
  type Statement,
  type TestExpression,
} from 'unbash';
import { isInteger } from './arithmetic.ts';
import { addHazard, addPlace, createContext, posOf, type ReadContext, setName } from './context.ts';
import { arithmeticScripts } from './expansions.ts';
import { readRedirect } from './redirect.ts';
import { readSimple, readWords } from './simple.ts';
import type { Node, Reading, Script } from './tree.ts';
import { innerScripts, readWord } from './words.ts';

export type ReadOptions = {
  /** A character that stands for a value not known before the line runs. */
  readonly placeholder?: string;
};

/** Reads one text into a tree of our own; never throws, what the parser rejects is in `problems`. */
export function readScript(source: string, options: ReadOptions = {}): Reading {
  const context = createContext(source, options.placeholder ?? null, readNested);
  const script = readSafely(context);
  const { problems, hazards, places, names } = context;
  return { script, problems, hazards, places, names };
}

function readSafely(context: ReadContext): Script {
  try {
    return readParsed(context, parse(context.source));
  } catch {
    // The parser resolves parts on access, so a depth beyond the stack can show anywhere in the tree.
    context.problems.push({ message: 'the line cannot be parsed', pos: 0 });
    return { node: { type: 'sequence', nodes: [] } };
  }
}

function readNested(outer: ReadContext, script: ParsedScript, span: { pos: number; end: number }): Script {
  if (script.source === undefined) return readParsed(outer, script);
  const origin = outer.origin ?? { pos: span.pos, end: span.end };
  return readParsed({ ...outer, source: script.source, origin }, script);
}

function readParsed(context: ReadContext, script: ParsedScript): Script {
  for (const { message, pos } of script.errors ?? []) context.problems.push({ message, pos: posOf(context, pos) });
  return { node: sequence(context, script.commands) };
}

function sequence(context: ReadContext, statements: readonly Statement[]): Node {
  const nodes: Node[] = [];
  for (const { command, background } of statements) {
    const node = readCommand(context, command);
    nodes.push(background === true ? { type: 'background', node } : node);
  }
  return nodes.length === 1 && nodes[0] !== undefined ? nodes[0] : { type: 'sequence', nodes };
}

function list(context: ReadContext, body: CompoundList): Node {
  return sequence(context, body.commands);
}

type AnyCommand = PipelineNode | AndOr | CompoundList;

function readCommand(context: ReadContext, node: AnyCommand): Node {
  switch (node.type) {
    case 'Command':
      return readSimple(context, node);
    case 'AndOr':
      return {
        type: 'and-or',
        nodes: node.commands.map((command) => readCommand(context, command)),
        operators: node.operators,
      };
    case 'Pipeline': {
      const nodes = node.commands.map((command) => readCommand(context, command));
      return { type: 'pipeline', timed: node.prefixes.some(({ type }) => type === 'Time'), nodes };
    }
    case 'CompoundList':
      return list(context, node);
    case 'Redirected': {
      const inner = readCommand(context, node.command);
      return { type: 'redirected', node: inner, redirects: node.redirects.map((one) => readRedirect(context, one)) };
    }
    default:
      return readCompound(context, node);
  }
}

type Compound = Exclude<AnyCommand, { type: 'Command' | 'AndOr' | 'Pipeline' | 'CompoundList' | 'Redirected' }>;

function readCompound(context: ReadContext, node: Compound): Node {
  switch (node.type) {
    case 'Subshell':
    case 'BraceGroup':
      return { type: 'group', subshell: node.type === 'Subshell', body: list(context, node.body) };
    case 'If':
      return readIf(context, node);
    case 'While':
      return loop(context, node, [list(context, node.clause), list(context, node.body)]);
    case 'For':
    case 'Select':
      return readFor(context, node);
    case 'ArithmeticFor':
      return readArithmeticFor(context, node);
    case 'Case':
      return readCase(context, node);
    case 'Function': {
      const body = readCommand(context, node.body);
      return { type: 'function', name: node.name.value, body, text: context.source.slice(node.pos, node.end) };
    }
    case 'Coproc':
      if (node.name !== undefined) setName(context, node.name.value, 'other', node);
      return { type: 'coproc', body: readCommand(context, node.body) };
    case 'TestCommand':
      return { type: 'expressions', inner: testScripts(context, node.expression) };
    case 'ArithmeticCommand':
      addPlace(context, node.body, node);
      return { type: 'expressions', inner: arithmeticScripts(context, node.expression) };
  }
}

function loop(context: ReadContext, node: { pos: number; end: number }, body: readonly Node[]): Node {
  return { type: 'loop', body, text: context.source.slice(node.pos, node.end) };
}

type If = Extract<Compound, { type: 'If' }>;

function readIf(context: ReadContext, node: If): Node {
  const branches: (readonly Node[])[] = [[list(context, node.clause), list(context, node.then)]];
  for (const branch of node.elif) branches.push([list(context, branch.clause), list(context, branch.then)]);
  if (node.else !== undefined) branches.push([list(context, node.else)]);
  return { type: 'choice', branches, complete: node.else !== undefined };
}

function readFor(context: ReadContext, node: Extract<Compound, { type: 'For' | 'Select' }>): Node {
  const words = readWords(context, node.wordlist ?? []);
  const integers = node.type === 'For' && node.wordlist !== undefined;
  const kind = integers && words.every(({ text }) => text !== null && isInteger(text)) ? 'integer' : 'other';
  setName(context, node.name.value, kind, node.name);
  const inner = words.flatMap((word) => word.inner);
  const head: readonly Node[] = inner.length > 0 ? [{ type: 'expressions', inner }] : [];
  return loop(context, node, [...head, list(context, node.body)]);
}

function readArithmeticFor(context: ReadContext, node: Extract<Compound, { type: 'ArithmeticFor' }>): Node {
  const header = context.source.slice(node.pos, node.body.pos);
  const text = header.slice(header.indexOf('((') + 2, header.lastIndexOf('))'));
  addPlace(context, text.replaceAll(';', ' , '), node);
  const inner = [node.initialize, node.test, node.update].flatMap((one) => arithmeticScripts(context, one));
  return loop(context, node, [{ type: 'expressions', inner }, list(context, node.body)]);
}

function readCase(context: ReadContext, node: Extract<Compound, { type: 'Case' }>): Node {
  const head: Node = { type: 'expressions', inner: innerScripts(context, node.word) };
  const branches = node.items.map((item): readonly Node[] => {
    const inner = item.pattern.flatMap((word) => innerScripts(context, word));
    const body = list(context, item.body);
    return inner.length > 0 ? [{ type: 'expressions', inner }, body] : [body];
  });
  return { type: 'sequence', nodes: [head, { type: 'choice', branches, complete: false }] };
}

const ARITHMETIC_TESTS = new Set(['-eq', '-ne', '-lt', '-le', '-gt', '-ge']);

function testScripts(context: ReadContext, node: TestExpression): readonly Script[] {
  switch (node.type) {
    case 'TestLogical':
      return node.operands.flatMap((operand) => testScripts(context, operand));
    case 'TestNot':
      return testScripts(context, node.operand);
    case 'TestGroup':
      return testScripts(context, node.expression);
    case 'TestUnary': {
      if (node.operator === '-v' || node.operator === '-R') checkTestedName(context, node.operand);
      return innerScripts(context, node.operand);
    }
    case 'TestBinary': {
      if (ARITHMETIC_TESTS.has(node.operator)) {
        addPlace(context, node.left.text, node.left);
        addPlace(context, node.right.text, node.right);
      }
      return [node.left, node.right].flatMap((word) => innerScripts(context, word));
    }
  }
}

function checkTestedName(context: ReadContext, word: ParserWord): void {
  const known = readWord(context, word).every(({ text }) => text !== null);
  if (!known || word.text.includes('[')) addHazard(context, 'test-variable', word);
}
