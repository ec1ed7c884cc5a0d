import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  type Tool,
} from '@modelcontextprotocol/sdk/types.js';
import { isWarrantError, type JsonObject } from '@warrant/core';
import { createReviewMethods, type MethodResult, type ReviewGate, type ReviewMethod } from '@warrant/review-policy';

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
  const methods = createReviewMethods(gate, options);
  const byName = new Map(methods.map((method) => [method.name, method]));
  const server = new Server(
    { name: 'warrant', version: options.version ?? '0.0.0' },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: methods.map(toTool) }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const method = byName.get(params.name.replace(/^kb[._]/, ''));
    if (method === undefined) throw new McpError(ErrorCode.InvalidParams, 'there is no such tool');
    return toCallResult(await call(method, (params.arguments ?? {}) as JsonObject));
  });
  return server;
}

function toTool({ name, description, parameters, readOnly }: ReviewMethod): Tool {
  return {
    name,
    description,
    inputSchema: parameters as Tool['inputSchema'],
    annotations: { readOnlyHint: readOnly, destructiveHint: name === 'propose_delete', openWorldHint: false },
  };
}

async function call(method: ReviewMethod, parameters: JsonObject): Promise<MethodResult> {
  try {
    return await method.call(parameters);
  } catch (error) {
    // What failed inside is for the log of the host, not for agents; the code tells whether to try again.
    const code = isWarrantError(error) ? error.code : 'INTERNAL';
    return { type: 'error', error: { code: 'internal_error', message: code } };
  }
}

function toCallResult(result: MethodResult): CallToolResult {
  const value = result.type === 'ok' ? (result.result as JsonObject) : { error: { ...result.error } };
  return {
    content: [{ type: 'text', text: JSON.stringify(value) }],
    structuredContent: value as Record<string, unknown>,
    ...(result.type === 'error' && { isError: true }),
  };
}
