import {
  type Digest,
  digest,
  digestBytes,
  type Json,
  type JsonObject,
  type ToolOutcome,
  toWellFormed,
  WarrantError,
} from '@warrant/core';
import { isJson } from './host/calls.ts';
import { isAbsoluteIri } from './iri.ts';
import type { AgentTool } from './kit.ts';

/** What this package needs of an MCP client; the official ones have it. */
export type McpClientLike = {
  listTools(
    params?: { readonly cursor?: string },
    options?: { readonly signal?: AbortSignal },
  ): Promise<{ readonly tools: readonly McpToolDefinition[]; readonly nextCursor?: string | undefined }>;
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
  /** Definitions that are not as they were approved, or never were, or share their name with another one: no tool is made of them. */
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
  const { _meta, ...said } = plain(definition);
  // Text with halves of characters has no canonical form, and must not keep other tools from being listed.
  return isJson(said)
    ? digest({ description: '', outputSchema: null, ...(said as JsonObject) })
    : digestBytes(JSON.stringify(said));
}

function plain(definition: McpToolDefinition): JsonObject {
  return JSON.parse(JSON.stringify(definition)) as JsonObject;
}

/**
 * Makes tools of what an MCP server offers, as far as each definition has exactly the digest that was approved for it.
 * The definition is looked at again before each call: one that changed meanwhile is refused and not called.
 *
 * @throws DECIDE_TOOL for a prefix that does not begin an absolute IRI
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
  for (const [name, definitions] of byName(await listAll(client))) {
    const iri = `${options.prefix}${encodeURIComponent(toWellFormed(name))}`;
    if (!isAbsoluteIri(iri))
      throw new WarrantError('DECIDE_TOOL', 'a tool is named by an absolute IRI', { data: { iri } });
    const approved = Object.hasOwn(options.approved, name) ? (options.approved[name] as Digest) : null;
    const repeatable = options.repeatable?.includes(name) === true;
    // Of two definitions under one name nobody could tell which a call would reach.
    for (const [actual, definition] of definitions)
      if (actual === approved && definitions.size === 1)
        tools.push(toolOf(client, definition, { iri, actual, repeatable }));
      else refused.push({ name, iri, digest: actual, approved, definition: plain(definition) });
  }
  return { tools, refused };
}

type Definitions = ReadonlyMap<Digest, McpToolDefinition>;

/** What is listed twice alike is there once. */
function byName(definitions: readonly McpToolDefinition[]): ReadonlyMap<string, Definitions> {
  const names = new Map<string, Map<Digest, McpToolDefinition>>();
  for (const definition of definitions) {
    const same = names.get(definition.name) ?? new Map<Digest, McpToolDefinition>();
    names.set(definition.name, same.set(mcpDefinitionDigest(definition), definition));
  }
  return names;
}

async function listAll(client: McpClientLike, signal?: AbortSignal): Promise<readonly McpToolDefinition[]> {
  const all: McpToolDefinition[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const listed = await client.listTools(cursor === undefined ? {} : { cursor }, signal && { signal });
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
      const found = [
        ...(byName(await listAll(client, signal))
          .get(name)
          ?.keys() ?? []),
      ];
      const other = found.find((one) => one !== actual);
      if (other !== undefined || found.length === 0)
        return { type: 'refused', reasons: [changed(name, actual, other ?? null)] };
      const called: unknown = await client.callTool({ name, arguments: args }, undefined, { signal });
      const { isError, structuredContent, content, toolResult } = (called ?? {}) as JsonObject;
      if (isError === true) return { type: 'failed', message: textOf(content ?? null) };
      // Servers of the first version of the protocol give nothing but `toolResult`.
      const result = structuredContent ?? content ?? toolResult;
      if (result === undefined) return { type: 'failed', message: 'the server gave no result' };
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
