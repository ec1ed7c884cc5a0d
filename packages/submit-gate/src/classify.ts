import type { CallEffects, JsonObject, ToolCall } from '@warrant/core';
import { readCommand } from './commands.ts';
import { argumentIdentifiers, canonicalIdentifier, identifiersAt, type Naming } from './identifiers.ts';
import type { CallKind, ResolvedConfig, ToolContract } from './types.ts';

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
  readonly signal?: string;
  readonly exact?: boolean;
};

export function contractOf(config: ResolvedConfig, tool: string): ToolContract {
  return Object.hasOwn(config.tools, tool) ? (config.tools[tool] as ToolContract) : NO_CONTRACT;
}

export function namingOf(config: ResolvedConfig, call: { readonly directory?: string }): Naming {
  const { root, caseSensitive } = config;
  return call.directory === undefined ? { root, caseSensitive } : { root, caseSensitive, directory: call.directory };
}

/** What a call does by contract, command table and classifier, for the shell that starts it. */
export function effectsOf(config: ResolvedConfig, call: ToolCall): CallEffects {
  const contract = contractOf(config, call.tool);
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

/** Reads a call: effects that say `write` outweigh a contract that says less. */
export function readCall(config: ResolvedConfig, call: ToolCall, effects: CallEffects): CallReading {
  const contract = contractOf(config, call.tool);
  const naming = namingOf(config, call);
  const named =
    contract.kind === 'shell' || contract.kind === undefined
      ? shellReading(config, call, contract, effects, naming)
      : null;
  if (named !== null) return named;
  const kind = kindOf(contract, effects);
  if (kind === 'neutral' || kind === 'run') return { kind, targets: null, gone: [], lists: false };
  if (kind === 'check') return { kind, targets: [], gone: [], lists: false, exact: true };
  const declared = contract.targets === undefined ? null : identifiersAt(call.arguments, contract.targets, naming);
  return kind === 'read'
    ? { kind, targets: readTargets(config, call, effects, declared, naming), gone: [], lists: contract.lists === true }
    : writeReading(config, call, effects, { declared, naming, deletes: contract.deletes === true });
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

function readTargets(
  config: ResolvedConfig,
  call: ToolCall,
  effects: CallEffects,
  declared: readonly string[] | null,
  naming: Naming,
): readonly string[] {
  const folder = effects.unknownTargets.includes('reads') ? ['.'] : [];
  const known = paths(effects.reads, config, naming);
  if (known.length === 0 && declared === null && contractOf(config, call.tool).kind !== 'shell') {
    const named = argumentIdentifiers(call.arguments, naming);
    return folder.length === 0 ? named : [...new Set([...named, ...folder])];
  }
  return [...new Set([...known, ...(declared ?? []), ...folder])];
}

function writeReading(
  config: ResolvedConfig,
  call: ToolCall,
  effects: CallEffects,
  more: { readonly declared: readonly string[] | null; readonly naming: Naming; readonly deletes: boolean },
): CallReading {
  const { declared, naming } = more;
  const gone = [...paths(effects.deletes, config, naming), ...(more.deletes ? (declared ?? []) : [])];
  const written = [...paths(effects.writes, config, naming), ...(more.deletes ? [] : (declared ?? []))];
  const shell = contractOf(config, call.tool).kind === 'shell';
  const known = [...new Set([...written, ...gone])];
  if (known.length === 0 && declared === null && !shell && config.settings.identifiers === 'typed') {
    known.push(...argumentIdentifiers(call.arguments, naming));
  }
  const unnamed =
    effects.class === 'write' &&
    effects.unknownTargets.some((what) => what !== 'reads') &&
    written.length + gone.length > 0;
  const opaque = shell && (effects.class === 'unknown' || effects.unknownTargets.some((what) => what !== 'reads'));
  return {
    kind: 'write',
    targets: known.length === 0 || opaque || (unnamed && shell) ? null : known,
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
  const { rule } = command;
  if (command.kind === 'check') {
    return {
      kind: 'check',
      targets: [],
      gone: [],
      lists: false,
      exact: command.exact,
      ...(rule?.signal === undefined ? {} : { signal: rule.signal }),
    };
  }
  if (command.kind === 'script')
    return effects.class === 'read'
      ? null
      : { kind: 'run', targets: null, gone: [], lists: false, exact: command.exact };
  if (command.kind === 'write') {
    const own = rule?.ownAnswer === undefined ? {} : { rule: rule.ownAnswer.name };
    return rule === null ? null : { kind: 'write', targets: null, gone: [], lists: false, ...own };
  }
  if (effects.class === 'write' && config.classifier !== null) return null;
  const shows = rule?.shows;
  const operands = shows === 'nothing' ? [] : command.operands.slice(rule?.skip ?? 0);
  const names = operands.map((name) => canonicalIdentifier(name, naming)).filter((name) => name !== null);
  const below = names.length === 0 && (shows === 'below' || shows === 'names') ? ['.'] : [];
  return { kind: 'read', targets: [...names, ...below], gone: [], lists: shows === 'names' };
}

function commandLine(args: JsonObject, member: string): string | null {
  const value = args[member] ?? args['$text'];
  if (typeof value === 'string') return value;
  return Array.isArray(value) && value.every((word) => typeof word === 'string' && /^[\w./=:@%+,-]+$/.test(word))
    ? value.join(' ')
    : null;
}
