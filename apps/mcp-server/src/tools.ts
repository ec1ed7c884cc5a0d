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

export type ToolResult = { readonly type: 'ok' | 'error'; readonly value: JsonObject };
/** A tool as it is offered, and what a call of it does. */
export type WireTool = {
  readonly name: string;
  readonly description: string;
  /** JSON Schema. */
  readonly parameters: JsonObject;
  readonly readOnly: boolean;
  readonly destructive: boolean;
  readonly call: (given: JsonObject) => Promise<ToolResult>;
};
/** Tools that belong together, with what clients are told about them. */
export type ToolSet = { readonly instructions: string; readonly tools: readonly WireTool[] };

/** An MCP server that offers several sets of tools. Connect it to any transport. */
export function createToolServer(sets: readonly ToolSet[], options: { readonly version?: string } = {}): Server {
  const tools = sets.flatMap((set) => set.tools);
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const server = new Server(
    { name: 'warrant', version: options.version ?? '0.0.0' },
    { capabilities: { tools: {} }, instructions: sets.map(({ instructions }) => instructions).join('\n') },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: tools.map(toTool) }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const tool = byName.get(params.name) ?? byName.get(params.name.replace(/^kb[._]/, ''));
    if (tool === undefined) throw new McpError(ErrorCode.InvalidParams, 'there is no such tool');
    return toCallResult(await call(tool, (params.arguments ?? {}) as JsonObject));
  });
  return server;
}

function toTool({ name, description, parameters, readOnly, destructive }: WireTool): Tool {
  return {
    name,
    description,
    inputSchema: parameters as Tool['inputSchema'],
    annotations: { readOnlyHint: readOnly, destructiveHint: destructive, openWorldHint: false },
  };
}

async function call(tool: WireTool, given: JsonObject): Promise<ToolResult> {
  try {
    return await tool.call(given);
  } catch (error) {
    // What failed inside is for the log of the host, not for agents; the code tells whether to try again.
    const code = isWarrantError(error) ? error.code : 'INTERNAL';
    return { type: 'error', value: { error: { code: 'internal_error', message: code } } };
  }
}

function toCallResult({ type, value }: ToolResult): CallToolResult {
  return {
    content: [{ type: 'text', text: JSON.stringify(value) }],
    structuredContent: value as Record<string, unknown>,
    ...(type === 'error' && { isError: true }),
  };
}
