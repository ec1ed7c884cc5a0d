import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { JsonObject } from '@warrant/core';
import { createReviewMethods, type ReviewGate } from '@warrant/review-policy';
import { createToolServer, type ToolSet } from './tools.ts';

export type ReviewServerOptions = {
  /** Who proposes over this connection; no request can say otherwise. */
  readonly actor: string;
  /** The time that proposals carry, as ISO-8601 text. */
  readonly now: () => string;
  /** What clients are told about this server. @default 0.0.0 */
  readonly version?: string;
};

const INSTRUCTIONS =
  'Changes are proposed, never written. The review policy lands a proposal, lets it wait for a person or refuses it: ' +
  'ask policy_check first. An error with code policy_blocked names the rule and the reason; the same proposal will be refused again.';

/** An MCP server whose tools are the calls of a review gate. Connect it to any transport. */
export function createReviewServer(gate: ReviewGate, options: ReviewServerOptions): Server {
  return createToolServer([reviewTools(gate, options)], options);
}

/** The calls of a review gate as tools. */
export function reviewTools(gate: ReviewGate, options: Omit<ReviewServerOptions, 'version'>): ToolSet {
  const tools = createReviewMethods(gate, options).map((method) => ({
    ...method,
    parameters: method.parameters as JsonObject,
    destructive: method.name === 'propose_delete',
    call: async (given: JsonObject) => {
      const result = await method.call(given);
      return result.type === 'ok'
        ? { type: 'ok' as const, value: result.result as JsonObject }
        : { type: 'error' as const, value: { error: { ...result.error } } };
    },
  }));
  return { instructions: INSTRUCTIONS, tools };
}
