import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type DocumentFault, type DocumentReading, noteFault, readMap, readYaml } from '@warrant/core/documents';
import type { GraphFile } from './format.ts';

/** The first line of every document that maps tools: `format: warrant.tools/1`. */
export const TOOLS_FORMAT = 'warrant.tools/1';

/** What a call of a tool is about. */
export type MappedTool = {
  readonly concepts: readonly string[];
  /** How many things one call works on; null where that depends on the call. */
  readonly cardinality: 'single' | 'multiple' | null;
};
export type ToolMapping = {
  readonly name: string;
  readonly description: string | null;
  /** By the exact name of the tool. */
  readonly tools: ReadonlyMap<string, MappedTool>;
};
export type ParsedToolMapping =
  | { readonly type: 'mapping'; readonly mapping: ToolMapping }
  | { readonly type: 'invalid'; readonly faults: readonly DocumentFault[] };

/** The seeds that come with a mapping of tools. */
export const TOOL_SEED_NAMES = ['filesystem', 'git', 'http', 'cloud', 'kubernetes', 'email', 'payments'] as const;
export type ToolSeedName = (typeof TOOL_SEED_NAMES)[number];

/** What a tool that no mapping names stands for; no graph should ground it. */
const UNKNOWN: MappedTool = { concepts: ['unknown-command'], cardinality: null };

/** What a tool is about, from the first mapping that names it; `unknown-command`, which nothing grounds, if none does. */
export function mappedTool(mappings: readonly ToolMapping[], tool: string): MappedTool {
  for (const { tools } of mappings) {
    const found = tools.get(tool);
    if (found !== undefined) return found;
  }
  return UNKNOWN;
}

/**
 * The mapping of common tools to the concepts of a seed, as text.
 * @param options.directory where the seeds lie, for programs that bundle this package. @default the package's own
 */
export function loadToolSeed(name: ToolSeedName, options: { readonly directory?: string } = {}): GraphFile {
  const directory = options.directory ?? fileURLToPath(new URL('../../seeds', import.meta.url));
  const file = `${name}.tools.yaml`;
  return { file, text: readFileSync(`${directory}/${file}`, 'utf8') };
}

/** Reads a `warrant.tools/1` document (YAML or JSON); every fault comes with its line. */
export function parseToolMapping(file: GraphFile): ParsedToolMapping {
  const read = readYaml(file);
  if (read.type === 'faulty') return { type: 'invalid', faults: read.faults };
  const reading: DocumentReading = { document: read.document, faults: [] };
  const root = readMap(reading, read.document.value, [], ['format', 'name', 'description', 'tools']);
  const { format, name, description = null } = root;
  if (format !== TOOLS_FORMAT) noteFault(reading, ['format'], 'wrong-format', 'another format', TOOLS_FORMAT);
  if (typeof name !== 'string' || name === '') noteFault(reading, ['name'], 'wrong-name', 'a mapping has a name');
  if (description !== null && typeof description !== 'string')
    noteFault(reading, ['description'], 'wrong-type', 'a description is a text');
  const tools = Object.entries(readMap(reading, root['tools'] ?? {}, ['tools'], null)).map(
    ([tool, value]) => [tool, readTool(reading, tool, value)] as const,
  );
  if (reading.faults.length > 0) return { type: 'invalid', faults: reading.faults };
  const mapping = { name: name as string, description: description as string | null, tools: new Map(tools) };
  return { type: 'mapping', mapping };
}

function readTool(reading: DocumentReading, tool: string, value: unknown): MappedTool {
  const path = ['tools', tool];
  const { concepts, cardinality = null } = readMap(reading, value, path, ['concepts', 'cardinality']);
  const isList = Array.isArray(concepts) && concepts.length > 0 && concepts.every(isName);
  if (!isList) noteFault(reading, [...path, 'concepts'], 'wrong-concepts', 'not a list of names', 'at least one name');
  if (cardinality !== null && cardinality !== 'single' && cardinality !== 'multiple')
    noteFault(reading, [...path, 'cardinality'], 'wrong-cardinality', 'not a cardinality', 'single or multiple');
  return { concepts: isList ? concepts : [], cardinality: cardinality as MappedTool['cardinality'] };
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
