import { readFile } from 'node:fs/promises';
import { canonicalJson, digestBytes, type Json, WarrantError } from '@warrant/core';
import { writeFileAtomic } from '@warrant/core/files';
import type { WorkspacePaths } from '../paths.ts';
import type { WorkspaceConfig } from './schema.ts';

/** Raised when what the settings mean changes, so that older readings are not taken for current ones. */
const READING = 4;

/**
 * Reads and checks `warrant.yaml`. The checked reading is kept beside it under the file's digest: a start that finds
 * the file unchanged loads neither the YAML parser nor the schema library.
 * @throws WORKSPACE_CONFIG_MISSING; WORKSPACE_CONFIG_INVALID with every fault and its place.
 */
export async function readConfig(paths: Pick<WorkspacePaths, 'config' | 'configReading'>): Promise<WorkspaceConfig> {
  const bytes = await readBytes(paths.config);
  const digest = digestBytes(bytes);
  const kept = await keptReading(paths.configReading, digest);
  if (kept !== undefined) return kept;
  const { parseConfig } = await import('./parse-config.ts');
  const config = parseConfig(paths.config, bytes);
  await keep(paths.configReading, { reading: READING, digest, config });
  return config;
}

async function keptReading(file: string, digest: string): Promise<WorkspaceConfig | undefined> {
  try {
    const kept = JSON.parse(await readFile(file, 'utf8')) as {
      reading?: number;
      digest?: string;
      config?: WorkspaceConfig;
    };
    return kept.reading === READING && kept.digest === digest ? kept.config : undefined;
  } catch {
    return undefined;
  }
}

/** Best effort: a folder that cannot be written still has its settings. */
async function keep(file: string, reading: { readonly [key: string]: unknown }): Promise<void> {
  await writeFileAtomic(file, canonicalJson(reading as unknown as Json)).catch(() => undefined);
}

async function readBytes(file: string): Promise<Uint8Array> {
  try {
    return await readFile(file);
  } catch (cause) {
    throw new WarrantError('WORKSPACE_CONFIG_MISSING', `${file} cannot be read`, { data: { file }, cause });
  }
}
