import { type ASTNode, Environment } from '@marcbachmann/cel-js';
import { WarrantError } from '../error.ts';
import type { Json } from '../json.ts';
import { isWithin } from '../paths.ts';
import { type CelPath, checkNesting, pathsOf, readsOf, walk } from './ast.ts';
import { admitData } from './data.ts';
import { celError, compileError, evaluationError, limitError } from './errors.ts';
import { installHooks, type Meter } from './hooks.ts';
import { type CelLimits, DEFAULT_CEL_LIMITS } from './limits.ts';
import { registerMixedNumbers } from './numbers.ts';
import { createRegexMatcher, type RegexMatcher } from './regex.ts';
import { toJson } from './result.ts';

export type CelType = 'dyn' | 'map' | 'list' | 'string' | 'bool' | 'double';
/** A synchronous function; integers of CEL arrive as bigint, numbers of JSON as number. */
// biome-ignore lint/suspicious/noExplicitAny: a function's parameters follow its signature, which is text.
export type CelFunction = (...parameters: any[]) => unknown;

export type CelEnvironmentOptions = {
  /** Names that expressions may read, with their types. A name not listed is a CEL_TYPE error when compiling. */
  readonly variables: { readonly [name: string]: CelType };
  readonly limits?: Partial<CelLimits>;
  /** By signature: `{ 'isWeekend(string): bool': (day: string) => … }`. */
  readonly functions?: { readonly [signature: string]: CelFunction };
  /** Called before each body of a comprehension; may throw to stop the evaluation. */
  readonly onIteration?: () => void;
};

export type CelVariables = { readonly [name: string]: unknown };
export interface CelExpression {
  readonly source: string;
  /** What the checker knows of the result: `bool`, `dyn`, `list`, … */
  readonly type: string;
  /** Variables that are read, sorted. */
  readonly variables: readonly string[];
  /** The longest static paths that are read, sorted: `call.arguments.path`. */
  readonly reads: readonly string[];
  /** The longest paths that are written out, with indexes and optional forms as members: `['call', 'arguments', 'path']`. */
  paths(): readonly CelPath[];
  /** @throws CEL_EVALUATION, CEL_LIMIT, CEL_DATA, CEL_RESULT */
  evaluate(variables: CelVariables): Json;
}
export interface CelCondition extends Omit<CelExpression, 'evaluate'> {
  /** @throws CEL_EVALUATION (also for a result that is not a boolean), CEL_LIMIT, CEL_DATA */
  evaluate(variables: CelVariables): boolean;
}
export interface CelEnvironment {
  /** @throws CEL_PARSE, CEL_TYPE, CEL_LIMIT */
  compile(source: string): CelExpression;
  /** An expression whose result is true or false. @throws CEL_PARSE, CEL_TYPE (also when it can never be a boolean), CEL_LIMIT */
  compileCondition(source: string): CelCondition;
}

const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/;
const RESERVED = new Set(['cel', 'google', 'true', 'false', 'null', 'in', '__proto__', 'constructor', 'prototype']);

/** Expressions over declared variables: one environment per use, nothing shared between uses. */
export function createCelEnvironment(options: CelEnvironmentOptions): CelEnvironment {
  const limits = { ...DEFAULT_CEL_LIMITS, ...options.limits };
  const regex = createRegexMatcher(limits);
  const environment = createLibraryEnvironment(options, limits, regex);
  const names = new Set(Object.keys(options.variables));
  const context = { environment, limits, regex, names, options };
  const compile = (source: string): Compiled => compileSource(source, context);
  probeHooks(context);
  return {
    compile: (source) => {
      const { run, ...facts } = compile(source);
      return { ...facts, evaluate: (variables) => toJson(run(variables)) };
    },
    compileCondition: (source) => {
      const { run, ...facts } = compile(source);
      if (facts.type !== 'bool' && facts.type !== 'dyn') {
        throw celError('CEL_TYPE', 'a condition has to be true or false', { start: 0, end: source.length });
      }
      return { ...facts, evaluate: (variables) => toBoolean(run(variables), source) };
    },
  };
}

function toBoolean(value: unknown, source: string): boolean {
  if (typeof value === 'boolean') return value;
  throw celError('CEL_EVALUATION', 'not_a_boolean', { start: 0, end: source.length });
}

function createLibraryEnvironment(options: CelEnvironmentOptions, limits: CelLimits, regex: RegexMatcher): Environment {
  const environment = new Environment({
    homogeneousAggregateLiterals: false,
    unlistedVariablesAreDyn: false,
    limits: {
      maxAstNodes: limits.nodes,
      maxDepth: limits.depth,
      maxListElements: limits.elements,
      maxMapEntries: limits.elements,
      maxCallArguments: 32,
    },
  });
  registerMixedNumbers(environment);
  const register = (signature: string, apply: CelFunction): void => {
    environment.registerFunction(signature, synchronous(apply), { async: false });
  };
  register('within(string, string): bool', isWithin);
  register('matches(string, string): bool', (text: string, pattern: string) => regex.test(text, pattern));
  for (const [name, type] of Object.entries(options.variables)) {
    if (!IDENTIFIER.test(name) || RESERVED.has(name)) throw invalidOption(`the variable name ${JSON.stringify(name)}`);
    environment.registerVariable(name, type);
  }
  for (const [signature, apply] of Object.entries(options.functions ?? {})) {
    if (apply.constructor.name === 'AsyncFunction') throw invalidOption(`the asynchronous function ${signature}`);
    register(signature, apply);
  }
  return environment;
}

function invalidOption(what: string): WarrantError<'CEL_ENVIRONMENT'> {
  return new WarrantError('CEL_ENVIRONMENT', `an environment for expressions cannot have ${what}`);
}

function synchronous(apply: CelFunction): CelFunction {
  return (...parameters) => {
    const value: unknown = apply(...parameters);
    if (!(value instanceof Promise)) return value;
    value.catch(() => undefined);
    throw celError('CEL_EVALUATION', 'asynchronous_function');
  };
}

type Compiled = Omit<CelExpression, 'evaluate'> & { readonly run: (variables: CelVariables) => unknown };
type CompileContext = {
  readonly environment: Environment;
  readonly limits: CelLimits;
  readonly regex: RegexMatcher;
  readonly names: ReadonlySet<string>;
  readonly options: CelEnvironmentOptions;
};

function compileSource(source: string, context: CompileContext): Compiled {
  const { environment, limits, regex } = context;
  if (source.length > limits.sourceLength) throw limitError('sourceLength', limits.sourceLength);
  try {
    const program = environment.parse(source);
    checkNesting(program.ast, limits);
    const checked = program.check();
    if (!checked.valid) throw checked.error;
    checkPatterns(program.ast, regex);
    const reads = readsOf(program.ast).filter((path) => context.names.has(rootOf(path)));
    const paths = (): readonly CelPath[] => pathsOf(program.ast).filter(([root = '']) => context.names.has(root));
    const variables = [...new Set(reads.map(rootOf))];
    const meter = installHooks(program.ast, { limits, regex, onIteration: context.options.onIteration });
    const run = createRun(program as (data: unknown) => unknown, variables, meter, limits);
    return { source, type: checked.type ?? 'dyn', variables, reads, paths, run };
  } catch (error) {
    throw compileError(error, limits);
  }
}

function rootOf(path: string): string {
  const dot = path.indexOf('.');
  return dot < 0 ? path : path.slice(0, dot);
}

function createRun(
  program: (data: unknown) => unknown,
  variables: readonly string[],
  meter: Meter,
  limits: CelLimits,
): (data: CelVariables) => unknown {
  return (data) => {
    try {
      const admitted = admit(data, variables, limits);
      meter.start();
      const value = program(admitted);
      meter.finish();
      return value;
    } catch (error) {
      throw evaluationError(error, limits);
    }
  };
}

/** The variables as they came when they can be read as they are; a map otherwise. */
function admit(data: CelVariables, variables: readonly string[], limits: CelLimits): unknown {
  let changed: Map<string, unknown> | undefined;
  for (const name of variables) {
    if (!Object.hasOwn(data, name)) throw celError('CEL_EVALUATION', `missing_variable ${name}`);
    const value = data[name];
    const admitted = admitData(value, limits);
    if (admitted !== value) changed ??= new Map();
    changed?.set(name, admitted);
  }
  if (changed === undefined) return data;
  for (const name of variables) if (!changed.has(name)) changed.set(name, data[name]);
  return changed;
}

function patternOf(node: ASTNode): ASTNode | undefined {
  if (node.op === 'rcall' && node.args[0] === 'matches') return node.args[2][0];
  return node.op === 'call' && node.args[0] === 'matches' ? node.args[1][1] : undefined;
}

/** A pattern written in the source is found wanting when it is compiled, not when it is first needed. */
function checkPatterns(root: ASTNode, regex: RegexMatcher): void {
  walk(root, (node) => {
    const pattern = patternOf(node);
    if (pattern?.op !== 'value' || typeof pattern.args !== 'string') return;
    try {
      regex.test('', pattern.args);
    } catch (error) {
      if ((error as WarrantError).code === 'CEL_LIMIT') throw error;
      throw celError('CEL_PARSE', 'invalid_regular_expression', pattern.range);
    }
  });
}

/**
 * The hooks rely on how the library evaluates its nodes. Should another version of it do otherwise, nothing is evaluated
 * without limits: every environment proves its hooks before it is handed out.
 */
function probeHooks(context: CompileContext): void {
  let iterations = 0;
  const onIteration = (): void => {
    iterations += 1;
  };
  const options = { ...context.options, onIteration };
  // RE2 knows no lookahead: this pattern is accepted only by the built-in expressions.
  const probe = compileSource('[true, true].all(x, "a".matches(["(?=a)a"][0]))', { ...context, options });
  const reason = reasonOf(() => probe.run({}));
  if (reason === 'invalid_regular_expression' && iterations === 2) return;
  throw invalidOption('this version of the expression library: it cannot be held to limits');
}

function reasonOf(work: () => unknown): unknown {
  try {
    work();
    return undefined;
  } catch (error) {
    return (error as WarrantError).data['reason'];
  }
}
