import { readFile } from 'node:fs/promises';
import { WarrantError } from '@warrant/core';
import { formatFault, parseDocument } from '@warrant/core/documents';
import { type WorkspaceConfig, workspaceSchema } from './schema.ts';

/**
 * Reads and checks `warrant.yaml`.
 * @throws WORKSPACE_CONFIG_MISSING where there is none.
 * @throws WORKSPACE_CONFIG_INVALID with every fault and its place.
 */
export async function readConfig(file: string): Promise<WorkspaceConfig> {
  const parsed = parseDocument({ file, text: await readBytes(file) }, workspaceSchema);
  if (parsed.type === 'ok') return parsed.value;
  const lines = parsed.faults.map(formatFault);
  throw new WarrantError('WORKSPACE_CONFIG_INVALID', lines.join('\n'), {
    data: { faults: parsed.faults.map((fault) => ({ ...fault })) },
  });
}

async function readBytes(file: string): Promise<Uint8Array> {
  try {
    return await readFile(file);
  } catch (cause) {
    throw new WarrantError('WORKSPACE_CONFIG_MISSING', `${file} cannot be read`, { data: { file }, cause });
  }
}

/** The text of a new `warrant.yaml`: what people change first, with the rest at its defaults. */
export function initialConfig(options: { readonly enforce: boolean; readonly policies: readonly string[] }): string {
  return [
    '# Settings of this Warrant workspace; every key and its default: warrant.schema.json of @warrant/workspace.',
    'version: warrant.workspace/1',
    '',
    '# Who acts here, and who answers questions on this command line.',
    'agent: agent',
    'person: person',
    '',
    '# false: nothing is refused; what would have been is recorded, and `warrant graph draft` turns it into a graph to edit.',
    `enforce: ${options.enforce}`,
    '',
    'policy:',
    '  # Files of policies, relative to this folder.',
    `  files: [${options.policies.join(', ')}]`,
    '',
  ].join('\n');
}
