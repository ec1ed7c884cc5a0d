import type { Digest, Json } from '@warrant/core';
import type { CommandRule, ResolvedConfig, ToolContract } from './config-types.ts';

type Tools = { readonly [tool: string]: ToolContract };

/**
 * A config as JSON, which its digest is taken of: functions by their names, and what the preset brings by its digest,
 * since taken apart it would be most of the work at the start of a hook.
 */
export function describeConfig(
  config: Omit<ResolvedConfig, 'digest' | 'commands'>,
  own: { readonly tools: Tools; readonly commands: readonly CommandRule[] },
  preset: Digest | null,
): Json {
  return asJson({
    ...config,
    ...describeRules(own.tools, own.commands),
    preset,
    classifier: config.classifier?.name ?? null,
    mappers: Object.keys(config.mappers).sort(),
    normalizers: namesOf(config.normalizers),
    extractors: namesOf(config.extractors),
  });
}

/** Contracts of tools and rules for commands as JSON. */
export function describeRules(tools: Tools, commands: readonly CommandRule[]): { readonly [name: string]: Json } {
  return asJson({
    tools: Object.fromEntries(Object.entries(tools).map(([tool, contract]) => [tool, named(contract)])),
    commands: commands.map(named),
  });
}

function named<T extends { readonly ownAnswer?: { readonly name: string } }>(rule: T): object {
  return { ...rule, ownAnswer: rule.ownAnswer?.name };
}

function namesOf(table: { readonly [key: string]: { readonly name: string } }): object {
  return Object.fromEntries(Object.entries(table).map(([key, item]) => [key, item.name]));
}

function asJson(value: object): { readonly [name: string]: Json } {
  return JSON.parse(JSON.stringify(value)) as { readonly [name: string]: Json };
}
