import { posix } from 'node:path';
import { type CallEffects, clipText, type JsonObject } from '@warrant/core';
import {
  type Analysis,
  type AnalyzeOptions,
  analyzeCommand,
  type ConceptMapping,
  cardinalityFor,
  conceptsFor,
  toCallEffects,
  UNKNOWN_COMMAND,
  UNKNOWN_EFFECTS,
} from '@warrant/shell';
import { textsAt } from './pointers.ts';
import { findRule, matchesTool, type ToolEffect, type ToolRule } from './tool-rule.ts';
import { DEFAULT_TOOLS } from './tool-table.ts';

/** How calls are read. */
export type ReadingOptions = {
  /** Rules of one's own; they go before those that come with the package. */
  readonly tools?: readonly ToolRule[];
  /** Tools that only look, whatever a rule says. */
  readonly readOnlyTools?: readonly string[];
  /** Tools that change something, whatever a rule says. */
  readonly mutatingTools?: readonly string[];
  /** What is known about command lines. */
  readonly shell?: Omit<AnalyzeOptions, 'directory'>;
  /** @default the mapping of `@warrant/shell` */
  readonly mapping?: ConceptMapping;
};

/** What a call is about and what it may do. */
export type CallReading = {
  readonly effect: ToolEffect;
  readonly concepts: readonly string[];
  readonly cardinality: 'single' | 'multiple' | null;
  readonly effects: CallEffects;
  /** The command line taken apart, where there is one. */
  readonly analysis: Analysis | null;
  readonly rule: ToolRule | null;
};

const LONGEST_NAME = 200;

/** Reads a call by its tool's rule; what no rule knows is a concept under its own name, and a change. */
export function readCall(
  call: { readonly tool: string; readonly arguments: JsonObject; readonly directory?: string },
  options: ReadingOptions = {},
): CallReading {
  const rule = findRule(options.tools ?? [], call.tool) ?? findRule(DEFAULT_TOOLS, call.tool) ?? null;
  const effect = effectOf(call.tool, rule, options);
  if (rule?.effect === 'shell') return readShell(call, { rule, effect }, options);
  const targets = (rule?.targets ?? [])
    .flatMap((pointer) => textsAt(call.arguments, pointer))
    .map((path) => resolved(path, call.directory));
  return {
    effect,
    concepts: rule?.concepts ?? [conceptOfTool(call.tool)],
    cardinality: targets.length === 1 ? 'single' : targets.length > 1 ? 'multiple' : null,
    effects: effectsOf(effect, [...new Set(targets)]),
    analysis: null,
    rule,
  };
}

function effectOf(tool: string, rule: ToolRule | null, options: ReadingOptions): ToolEffect {
  if (options.mutatingTools?.some((pattern) => matchesTool(pattern, tool)) === true) return 'write';
  if (options.readOnlyTools?.some((pattern) => matchesTool(pattern, tool)) === true) return 'read';
  return rule?.effect ?? 'write';
}

/** Names come from servers: what a graph could not hold is left out of the concept. */
export function conceptOfTool(tool: string): string {
  const name = clipText(tool.replace(/[\p{Cc}\p{Cf}\s]+/gu, '_'), LONGEST_NAME);
  return name === '' ? 'unnamed-tool' : name;
}

function resolved(path: string, directory: string | undefined): string {
  if (path.includes('://') || directory === undefined || !directory.startsWith('/')) return path;
  return posix.resolve(directory, path);
}

function effectsOf(effect: ToolEffect, targets: readonly string[]): CallEffects {
  const none = { reads: [], writes: [], deletes: [] };
  const network = 'unknown' as const;
  if (effect === 'internal') return { ...none, class: 'read', unknownTargets: [], network: 'no' };
  if (effect === 'read') return { ...none, reads: targets, class: 'read', unknownTargets: [], network };
  const unknownTargets = targets.length > 0 ? [] : [effect === 'delete' ? ('deletes' as const) : ('writes' as const)];
  return effect === 'delete'
    ? { ...none, deletes: targets, class: 'write', unknownTargets, network }
    : { ...none, writes: targets, class: 'write', unknownTargets, network };
}

function readShell(
  call: { readonly arguments: JsonObject; readonly directory?: string },
  { rule, effect }: { readonly rule: ToolRule; readonly effect: ToolEffect },
  options: ReadingOptions,
): CallReading {
  const own = rule.concepts ?? [];
  const line = call.arguments['command'];
  if (typeof line !== 'string') {
    return {
      effect,
      concepts: [...own, UNKNOWN_COMMAND],
      cardinality: null,
      effects: UNKNOWN_EFFECTS,
      analysis: null,
      rule,
    };
  }
  const directory = call.directory?.startsWith('/') === true ? { directory: call.directory } : {};
  const analysis = analyzeCommand(line, { ...options.shell, ...directory });
  return {
    effect,
    concepts: [...new Set([...own, ...conceptsFor(analysis, options.mapping)])],
    cardinality: cardinalityFor(analysis),
    effects: toCallEffects(analysis),
    analysis,
    rule,
  };
}
