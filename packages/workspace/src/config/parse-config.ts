import { WarrantError } from '@warrant/core';
import { formatFault, parseDocument } from '@warrant/core/documents';
import { type WorkspaceConfig, workspaceSchema } from './schema.ts';

/**
 * The settings that a `warrant.yaml` gives, with defaults filled in.
 * @throws WORKSPACE_CONFIG_INVALID with every fault and its place.
 */
export function parseConfig(file: string, bytes: Uint8Array): WorkspaceConfig {
  const parsed = parseDocument({ file, text: bytes }, workspaceSchema);
  if (parsed.type === 'ok') return parsed.value;
  const lines = parsed.faults.map(formatFault);
  throw new WarrantError('WORKSPACE_CONFIG_INVALID', lines.join('\n'), {
    data: { faults: parsed.faults.map((fault) => ({ ...fault })) },
  });
}
