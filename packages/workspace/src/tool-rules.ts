import { resolve } from 'node:path';
import { WarrantError } from '@warrant/core';
import type { GraphFile } from '@warrant/graph/documents';
import type { WorkspaceConfig } from './config/schema.ts';
import type { WorkspacePaths } from './paths.ts';
import { readNamed } from './read-named.ts';

/** What a tool means: a rule as adapters take it. */
export type WorkspaceToolRule = WorkspaceConfig['claude']['tools'][number];

/**
 * What the settings say of tools: rules of one's own first, then the mappings of whole servers, whose tools clients name
 * `mcp__<server>__<tool>`.
 * @param options.seeds where seeds lie, for programs that bundle them. @default those of `@warrant/graph`
 * @throws WORKSPACE_TOOLS_INVALID with every fault of a mapping; WORKSPACE_IO where it cannot be read
 */
export async function toolRules(
  paths: Pick<WorkspacePaths, 'folder'>,
  { claude }: Pick<WorkspaceConfig, 'claude'>,
  options: { readonly seeds?: string } = {},
): Promise<readonly WorkspaceToolRule[]> {
  if (claude.mappings.length === 0) return claude.tools;
  const { loadToolSeed, parseToolMapping } = await import('@warrant/graph/documents');
  const { formatFault } = await import('@warrant/core/documents');
  const seeds = options.seeds === undefined ? {} : { directory: options.seeds };
  const rules: WorkspaceToolRule[] = [...claude.tools];
  for (const mapping of claude.mappings) {
    const file = 'seed' in mapping ? loadToolSeed(mapping.seed, seeds) : await readMapping(paths, mapping.file);
    const parsed = parseToolMapping(file);
    if (parsed.type === 'invalid')
      throw new WarrantError('WORKSPACE_TOOLS_INVALID', parsed.faults.map(formatFault).join('\n'), {
        data: { file: file.file, faults: parsed.faults },
      });
    for (const [tool, { concepts }] of parsed.mapping.tools)
      rules.push({ match: `mcp__${mapping.server}__${tool}`, concepts: [...concepts] });
  }
  return rules;
}

async function readMapping({ folder }: Pick<WorkspacePaths, 'folder'>, name: string): Promise<GraphFile> {
  const bytes = await readNamed(resolve(folder, name));
  return { file: name, text: bytes.toString('utf8') };
}
