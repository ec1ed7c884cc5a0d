import type { CallEffects, JsonObject, ToolCall } from '@warrant/core';
import { type CommandReading, readCommand } from './commands.ts';
import type { CommandRule, ResolvedConfig, ToolContract } from './config-types.ts';
import { argumentIdentifiers, canonicalIdentifier, identifiersAt, type Naming, valuesAt } from './identifiers.ts';
import type { CallKind } from './types.ts';

const NO_CONTRACT: ToolContract = {};
const UNKNOWN: CallEffects = {
  class: 'unknown',
  reads: [],
  writes: [],
  deletes: [],
  unknownTargets: ['writes'],
  network: 'unknown',
};

/** What a call is to the gate. */
export type CallReading = {
  readonly kind: CallKind;
  /** What it looks at or changes; null where it cannot be known. */
  readonly targets: readonly string[] | null;
  readonly gone: readonly string[];
  readonly lists: boolean;
  readonly rule?: string;
  readonly signals?: readonly string[];
  readonly exact?: boolean;
  readonly changes?: boolean;
  readonly keeps?: boolean;
};

export function contractOf(
  config: ResolvedConfig,
  call: { readonly tool: string; readonly variant?: string },
): ToolContract {
  if (!Object.hasOwn(config.tools, call.tool)) return NO_CONTRACT;
  const contract = config.tools[call.tool] as ToolContract;
  return call.variant === undefined ? contract : (contract.byArgument?.cases[call.variant] ?? contract);
}

/** The contract of a call by its arguments, and the value that chose it. */
export function contractOfCall(
  config: ResolvedConfig,
  call: ToolCall,
): { readonly contract: ToolContract; readonly variant?: string } {
  const contract = contractOf(config, { tool: call.tool });
  if (contract.byArgument === undefined) return { contract };
  const value = valuesAt(call.arguments, contract.byArgument.pointer)[0];
  const variant = String(value);
  const chosen = Object.hasOwn(contract.byArgument.cases, variant) ? contract.byArgument.cases[variant] : undefined;
  return value === undefined || chosen === undefined ? { contract } : { contract: chosen, variant };
}

export function namingOf(config: ResolvedConfig, call: { readonly directory?: string } = {}): Naming {
  const { root, caseSensitive } = config;
  return call.directory === undefined ? { root, caseSensitive } : { root, caseSensitive, directory: call.directory };
}

/** What a call does by contract, command table and classifier, for the shell that starts it. */
export function effectsOf(config: ResolvedConfig, call: ToolCall): CallEffects {
  const { contract } = contractOfCall(config, call);
  if (config.classifier !== null && (contract.kind === undefined || contract.kind === 'shell'))
    return config.classifier.classify(call);
  const targets = identifiersAt(call.arguments, contract.targets ?? [], namingOf(config, call));
  if (contract.kind === 'read') return { ...UNKNOWN, class: 'read', reads: targets, unknownTargets: [] };
  if (contract.kind === 'write') {
    const lists = contract.deletes === true ? { deletes: targets } : { writes: targets };
    return { ...UNKNOWN, class: 'write', ...lists, unknownTargets: targets.length > 0 ? [] : ['writes'] };
  }
  if (contract.kind === 'check' || contract.kind === 'neutral')
    return { ...UNKNOWN, class: 'read', unknownTargets: [] };
  return UNKNOWN;
}

/** Reads a call by its contract: effects that say `write` outweigh a contract that says less. */
export function readCall(
  config: ResolvedConfig,
  call: ToolCall,
  contract: ToolContract,
  effects: CallEffects,
): CallReading {
  const naming = namingOf(config, call);
  const named = shellReading(config, call, contract, effects, naming);
  if (named !== null) return named;
  const kind = kindOf(contract, effects);
  if (kind === 'neutral' || kind === 'run') return { kind, targets: null, gone: [], lists: false };
  if (kind === 'check') return { kind, targets: [], gone: [], lists: false, exact: true };
  const declared = contract.targets === undefined ? null : identifiersAt(call.arguments, contract.targets, naming);
  const known = { contract, declared, naming };
  return kind === 'read'
    ? { kind, targets: readTargets(config, call, effects, known), gone: [], lists: contract.lists === true }
    : writeReading(config, call, effects, known);
}

function kindOf(contract: ToolContract, effects: CallEffects): CallKind {
  if (contract.kind === undefined || contract.kind === 'shell') return effects.class === 'read' ? 'read' : 'write';
  if (contract.kind === 'read' && effects.class === 'write') return 'write';
  return contract.kind;
}

function paths(list: readonly string[], config: ResolvedConfig, naming: Naming): readonly string[] {
  if (config.settings.identifiers === 'tokens' || list.length === 0) return list;
  return list.map((path) => canonicalIdentifier(path, naming)).filter((name) => name !== null);
}

type Known = {
  readonly contract: ToolContract;
  readonly declared: readonly string[] | null;
  readonly naming: Naming;
};

function readTargets(
  config: ResolvedConfig,
  call: ToolCall,
  effects: CallEffects,
  { contract, declared, naming }: Known,
): readonly string[] {
  const known = paths(effects.reads, config, naming);
  const isUnnamed = known.length === 0 && declared === null && contract.kind !== 'shell';
  const named = isUnnamed ? argumentIdentifiers(call.arguments, naming) : [...known, ...(declared ?? [])];
  if (effects.unknownTargets.includes('reads')) return [...new Set([...named, '.'])];
  return isUnnamed ? named : [...new Set(named)];
}

function writeReading(
  config: ResolvedConfig,
  call: ToolCall,
  effects: CallEffects,
  { contract, declared, naming }: Known,
): CallReading {
  const deletes = contract.deletes === true;
  const gone = [...paths(effects.deletes, config, naming), ...(deletes ? (declared ?? []) : [])];
  const written = [...paths(effects.writes, config, naming), ...(deletes ? [] : (declared ?? []))];
  const shell = contract.kind === 'shell';
  const known = [...new Set([...written, ...gone])];
  if (known.length === 0 && declared === null && !shell && config.settings.identifiers === 'typed') {
    known.push(...argumentIdentifiers(call.arguments, naming));
  }
  const opaque = shell && (effects.class === 'unknown' || effects.unknownTargets.some((what) => what !== 'reads'));
  return {
    kind: 'write',
    targets: known.length === 0 || opaque ? null : known,
    gone: [...new Set(gone)],
    lists: false,
  };
}

function shellReading(
  config: ResolvedConfig,
  call: ToolCall,
  contract: ToolContract,
  effects: CallEffects,
  naming: Naming,
): CallReading | null {
  if (config.commands.length === 0 || contract.kind !== 'shell') return null;
  const line = commandLine(call.arguments, contract.command ?? 'command');
  const command = line === null ? null : readCommand(line, config.commands);
  if (command === null) return null;
  if (call.arguments['run_in_background'] === true) return inBackground(command);
  const { signals, exact } = command;
  switch (command.kind) {
    case 'check':
      return { kind: 'check', targets: [], gone: [], lists: false, exact, signals };
    case 'script':
      if (effects.class === 'read') return null;
      return { kind: 'run', targets: null, gone: [], lists: false, exact, signals, changes: command.changes };
    case 'write': {
      const { ownAnswer, keeps } = command.rule as CommandRule;
      const own = ownAnswer === undefined ? {} : { rule: ownAnswer.name };
      return { kind: 'write', targets: null, gone: [], lists: false, keeps: keeps === true, ...own };
    }
    case 'read': {
      if (effects.class === 'write' && config.classifier !== null) return null;
      const names = command.targets.map((name) => canonicalIdentifier(name, naming)).filter((name) => name !== null);
      return { kind: 'read', targets: names, gone: [], lists: command.lists };
    }
    default:
      return command.kind satisfies never;
  }
}

/** What goes on running says nothing yet: a look or a check changes nothing, anything else may at any time. */
function inBackground(command: CommandReading): CallReading | null {
  const quiet = command.kind === 'read' || command.kind === 'check';
  return quiet ? { kind: 'neutral', targets: null, gone: [], lists: false } : null;
}

function commandLine(args: JsonObject, member: string): string | null {
  const value = args[member] ?? args['$text'];
  if (typeof value === 'string') return value;
  return Array.isArray(value) && value.every((word) => typeof word === 'string' && /^[\w./=:@%+,-]+$/.test(word))
    ? value.join(' ')
    : null;
}
