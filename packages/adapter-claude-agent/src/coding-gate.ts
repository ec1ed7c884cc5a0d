import type { CallEffects, ToolCall } from '@warrant/core';
import type { GateConfig, ToolContract } from '@warrant/submit-gate';
import { type ReadingOptions, readCall } from './read-call.ts';
import type { ToolRule } from './tool-rule.ts';
import { DEFAULT_TOOLS } from './tool-table.ts';

const NEUTRAL: ToolContract = { kind: 'neutral' };

/**
 * The gate's config for Claude Code: the `coding` preset, with tools that touch nothing outside the client neutral, and
 * every call classed by the same rules that ground it.
 */
export function codingGate(options: ReadingOptions = {}, more: GateConfig = {}): GateConfig {
  return {
    preset: 'coding',
    classifier: { name: 'claude-agent', classify: (call) => classify(call, options) },
    ...more,
    tools: { ...neutralTools(options.tools ?? []), ...neutralTools(DEFAULT_TOOLS), ...more.tools },
  };
}

function classify(call: ToolCall, options: ReadingOptions): CallEffects {
  return readCall(call, options).effects;
}

function neutralTools(rules: readonly ToolRule[]): { readonly [tool: string]: ToolContract } {
  const internal = rules.filter(({ effect, match }) => effect === 'internal' && !match.includes('*'));
  return Object.fromEntries(internal.map(({ match }) => [match, NEUTRAL]));
}
