import { readFileSync } from 'node:fs';
import { canonicalJson, type Json, WarrantError } from '@warrant/core';
import { writeFileAtomic } from '@warrant/core/files';
import type { WorkspacePaths } from '../paths.ts';
import type { WorkspaceConfig } from './schema.ts';

/** Raised when what the settings mean changes, so that older readings are not taken for current ones. */
const READING = 6;

/**
 * Reads and checks `warrant.yaml`. The checked reading is kept beside it with the file's own text: a start that
 * finds the file unchanged loads neither the YAML parser nor the schema library, and computes no digest.
 * @throws WORKSPACE_CONFIG_MISSING; WORKSPACE_CONFIG_INVALID with every fault and its place.
 */
export async function readConfig(paths: Pick<WorkspacePaths, 'config' | 'configReading'>): Promise<WorkspaceConfig> {
  const bytes = readBytes(paths.config);
  const text = bytes.toString('base64');
  const kept = keptReading(paths.configReading, text);
  if (kept !== undefined) return kept;
  const { parseConfig } = await import('./parse-config.ts');
  const config = parseConfig(paths.config, bytes);
  await keep(paths.configReading, { reading: READING, text, config });
  return config;
}

function keptReading(file: string, text: string): WorkspaceConfig | undefined {
  try {
    const kept = JSON.parse(readFileSync(file, 'utf8')) as {
      reading?: number;
      text?: string;
      config?: WorkspaceConfig;
    };
    return kept.reading === READING && kept.text === text ? kept.config : undefined;
  } catch {
    return undefined;
  }
}

/** Best effort: a folder that cannot be written still has its settings. */
async function keep(file: string, reading: { readonly [key: string]: unknown }): Promise<void> {
  await writeFileAtomic(file, canonicalJson(reading as unknown as Json)).catch(() => undefined);
}

function readBytes(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (cause) {
    throw new WarrantError('WORKSPACE_CONFIG_MISSING', `${file} cannot be read`, { data: { file }, cause });
  }
}
