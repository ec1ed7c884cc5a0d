import type { CallClassifier, CallEffects, Json, ToolCall } from '@warrant/core';
import { type AnalyzeOptions, analyzeCommand } from './analyze.ts';
import { toCallEffects } from './effects.ts';
import { resolvePath } from './paths.ts';
import type { Analysis } from './types.ts';

export type ShellCallOptions = Omit<AnalyzeOptions, 'directory'> & {
  /** Arguments that may hold the command line; the first one present counts. @default ['command', 'cmd', 'script'] */
  readonly commandArguments?: readonly string[];
  /** Arguments that may hold the working directory. @default ['cwd', 'workdir', 'directory'] */
  readonly directoryArguments?: readonly string[];
};

const COMMANDS = ['command', 'cmd', 'script'];
const DIRECTORIES = ['cwd', 'workdir', 'directory'];
/** Effects of a call of which nothing is known. */
export const UNKNOWN_EFFECTS: CallEffects = {
  class: 'unknown',
  reads: [],
  writes: [],
  deletes: [],
  unknownTargets: ['reads', 'writes', 'deletes'],
  network: 'unknown',
};

/** A classifier for calls of a shell tool. A call without a command line as text is `unknown`. */
export function createShellClassifier(options: ShellCallOptions = {}): CallClassifier {
  return (call) => {
    const analysis = analyzeCall(call, options);
    return analysis === null ? UNKNOWN_EFFECTS : toCallEffects(analysis);
  };
}

/** The analysis of a shell tool's call; null where the call holds no command line as text. */
export function analyzeCall(
  call: Pick<ToolCall, 'arguments' | 'directory'>,
  options: ShellCallOptions = {},
): Analysis | null {
  const { commandArguments = COMMANDS, directoryArguments = DIRECTORIES, ...rest } = options;
  const command = firstOf(call.arguments, commandArguments);
  if (typeof command !== 'string') return null;
  const directory = directoryOf(firstOf(call.arguments, directoryArguments), call.directory, options.home);
  return analyzeCommand(command, directory === undefined ? rest : { ...rest, directory });
}

function firstOf(values: ToolCall['arguments'], names: readonly string[]): Json | undefined {
  const name = names.find((one) => Object.hasOwn(values, one));
  return name === undefined ? undefined : values[name];
}

function directoryOf(given: Json | undefined, base: string | undefined, home: string | undefined): string | undefined {
  if (given === undefined || given === null) return base;
  if (typeof given !== 'string') return undefined;
  return resolvePath(given, 'yes', base === undefined ? null : [base], home)[0];
}
