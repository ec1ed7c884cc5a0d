import { readFileSync } from 'node:fs';
import { formatFault } from '@warrant/core/documents';
import type { MemoryConfig } from '../config/profiles.ts';
import { fault } from '../errors.ts';
import { type ConfigOptions, parseConfig } from './profile-file.ts';

/** The configuration of a file. @throws MEMORY_INVALID_CONFIG with every fault and its line; also for a file that cannot be read */
export function loadConfig(path: string, options: ConfigOptions = {}): MemoryConfig {
  let text: Uint8Array;
  try {
    text = readFileSync(path);
  } catch (cause) {
    throw fault('MEMORY_INVALID_CONFIG', `the configuration cannot be read: ${path}`, { path }, cause);
  }
  const parsed = parseConfig({ file: path, text }, options);
  if (parsed.type === 'ok') return parsed.config;
  const faults = parsed.faults.map(formatFault);
  throw fault('MEMORY_INVALID_CONFIG', `the configuration is faulty:\n${faults.join('\n')}`, { path, faults });
}
