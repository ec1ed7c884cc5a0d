import { type Digest, digest, type Json, type JsonObject, type ToolOutcome } from '@warrant/core';
import type { AgentTool } from './kit.ts';

/** What this package needs of an MCP client; the official ones have it. */
export type McpClientLike = {
  listTools(params?: {
    readonly cursor?: string;
  }): Promise<{ readonly tools: readonly McpToolDefinition[]; readonly nextCursor?: string | undefined }>;
  callTool(
    params: { readonly name: string; readonly arguments: Record<string, unknown> },
    schema?: undefined,
    options?: { readonly signal?: AbortSignal },
  ): Promise<unknown>;
};
export type McpToolDefinition = {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema: unknown;
  readonly outputSchema?: unknown;
};

export type McpTools = {
  readonly tools: readonly AgentTool[];
  /** Definitions that are not as they were approved, or never were: no tool is made of them. */
  readonly refused: readonly RefusedTool[];
};
export type RefusedTool = {
  readonly name: string;
  readonly iri: string;
  readonly digest: Digest;
  readonly approved: Digest | null;
  readonly definition: JsonObject;
};

const MAX_PAGES = 100;

/** The digest that an approval names: all that a server says of the tool counts, but for `_meta`; the order of keys does not. */
export function mcpDefinitionDigest(definition: McpToolDefinition): Digest {
  const { _meta, ...said } = JSON.parse(JSON.stringify(definition)) as JsonObject;
  return digest({ description: '', outputSchema: null, ...said });
}

/**
 * Makes tools of what an MCP server offers, as far as each definition has exactly the digest that was approved for it.
 * The definition is looked at again before each call: one that changed meanwhile is refused and not called.
 */
export async function mcpTools(
  client: McpClientLike,
  options: {
    /** Put before each name: `urn:mcp:mail:` makes `urn:mcp:mail:send`. */
    readonly prefix: string;
    readonly approved: Readonly<Record<string, Digest>>;
    readonly repeatable?: readonly string[];
  },
): Promise<McpTools> {
  const tools: AgentTool[] = [];
  const refused: RefusedTool[] = [];
  for (const definition of await listAll(client)) {
    const actual = mcpDefinitionDigest(definition);
    const approved = Object.hasOwn(options.approved, definition.name)
      ? (options.approved[definition.name] as Digest)
      : null;
    const iri = `${options.prefix}${encodeURIComponent(definition.name)}`;
    if (actual === approved)
      tools.push(
        toolOf(client, definition, { iri, actual, repeatable: options.repeatable?.includes(definition.name) === true }),
      );
    else
      refused.push({
        name: definition.name,
        iri,
        digest: actual,
        approved,
        definition: JSON.parse(JSON.stringify(definition)) as JsonObject,
      });
  }
  return { tools, refused };
}

async function listAll(client: McpClientLike): Promise<readonly McpToolDefinition[]> {
  const all: McpToolDefinition[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const listed = await client.listTools(cursor === undefined ? {} : { cursor });
    all.push(...listed.tools);
    cursor = listed.nextCursor;
    if (cursor === undefined) return all;
  }
  return all;
}

function toolOf(
  client: McpClientLike,
  definition: McpToolDefinition,
  { iri, actual, repeatable }: { readonly iri: string; readonly actual: Digest; readonly repeatable: boolean },
): AgentTool {
  const { name, description, inputSchema, outputSchema = {} } = definition;
  return {
    iri,
    ...(description === undefined ? {} : { description }),
    arguments: JSON.parse(JSON.stringify(inputSchema)) as JsonObject,
    result: JSON.parse(JSON.stringify(outputSchema)) as JsonObject,
    digest: actual,
    repeatable,
    call: async (args, { signal }): Promise<ToolOutcome> => {
      const now = (await listAll(client)).find((one) => one.name === name);
      const found = now === undefined ? null : mcpDefinitionDigest(now);
      if (found !== actual) return { type: 'refused', reasons: [changed(name, actual, found)] };
      const called = (await client.callTool({ name, arguments: args }, undefined, { signal })) as JsonObject;
      const { isError, structuredContent, content = null } = called;
      if (isError === true) return { type: 'failed', message: textOf(content) };
      const result = structuredContent ?? content;
      return {
        type: 'ok',
        result: JSON.parse(JSON.stringify(result)) as Json,
        label: { trust: 'tool', sources: [iri] },
      };
    },
  };
}

function changed(tool: string, approved: Digest, actual: Digest | null) {
  const message = `the definition of '${tool}' is not the one that was approved`;
  return { code: 'decide.tool-changed', message, data: { tool, approved, actual }, remedy: { approve: actual } };
}

function textOf(content: Json): string {
  const parts = Array.isArray(content) ? (content as readonly JsonObject[]) : [];
  return (
    parts
      .map((part) => (typeof part['text'] === 'string' ? part['text'] : ''))
      .join(' ')
      .slice(0, 500) || 'the tool reported an error'
  );
}
