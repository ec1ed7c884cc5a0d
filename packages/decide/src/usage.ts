import type { JsonObject, Usage } from '@warrant/core';
import type { UsageTotals } from './state.ts';

/** The totals after one more call. */
export function addUsage(totals: UsageTotals, usage: Usage | undefined): UsageTotals {
  if (usage === undefined) return { ...totals, calls: totals.calls + 1 };
  const { promptTokens, completionTokens, cost = 0 } = usage;
  return {
    prompt_tokens: totals.prompt_tokens + promptTokens,
    completion_tokens: totals.completion_tokens + completionTokens,
    total_tokens: totals.total_tokens + promptTokens + completionTokens,
    calls: totals.calls + 1,
    cost: totals.cost + cost,
  };
}

/** Several usages as one; undefined for none. */
export function sumUsage(all: readonly Usage[]): Usage | undefined {
  if (all.length === 0) return undefined;
  const costs = all.flatMap(({ cost }) => (cost === undefined ? [] : [cost]));
  return {
    promptTokens: all.reduce((sum, one) => sum + one.promptTokens, 0),
    completionTokens: all.reduce((sum, one) => sum + one.completionTokens, 0),
    ...(costs.length === 0 ? {} : { cost: costs.reduce((sum, cost) => sum + cost, 0) }),
  };
}

/** What charts read of it, as `vt_usage`. */
export function usageVariables(totals: UsageTotals): JsonObject {
  return { vt_usage: totals };
}

/** Whether the counts are what a provider can have counted. */
export function isUsage(value: unknown): value is Usage {
  if (typeof value !== 'object' || value === null) return false;
  const { promptTokens, completionTokens, cost, ...rest } = value as Record<string, unknown>;
  const isCount = (count: unknown) => Number.isSafeInteger(count) && (count as number) >= 0;
  const isCost = cost === undefined || (Number.isFinite(cost) && (cost as number) >= 0);
  return isCount(promptTokens) && isCount(completionTokens) && isCost && Object.keys(rest).length === 0;
}
