import { canonicalJson, type JsonObject, WarrantError } from '@warrant/core';
import type { AgentKit, AgentTool } from '../kit.ts';
import type { Schemas } from '../machine/program.ts';

/** What checks arguments and results for a kit. @throws DECIDE_OPTIONS where a tool says what they are like and nobody can check it */
export function schemasOf({ agents, tools = [] }: AgentKit): Schemas | undefined {
  const schemas = agents.find((agent) => agent.schemas !== undefined)?.schemas;
  const typed = schemas === undefined ? tools.find(isTyped) : undefined;
  if (typed === undefined) return schemas;
  throw new WarrantError(
    'DECIDE_OPTIONS',
    `the tool ${typed.iri} says what its arguments and results are like, and no agent has 'schemas' to check them`,
    { data: { tool: typed.iri } },
  );
}

const ANYTHING: ReadonlySet<string> = new Set(['{}', '{"type":"object"}']);

function isTyped({ arguments: given, result }: AgentTool): boolean {
  const says = (schema: JsonObject) => !ANYTHING.has(canonicalJson(schema));
  return says(given) || says(result);
}
