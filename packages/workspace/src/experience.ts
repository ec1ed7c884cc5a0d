import { isoTime } from '@warrant/core';
import {
  createGuardReader,
  type ExperienceRecord,
  type ExperienceSettings,
  type Experiences,
  foldExperience,
  recordOfTrace,
} from '@warrant/grounding/experience';
import { readTraces } from '@warrant/grounding/files';
import type { Workspace } from './open.ts';

/**
 * What the workspace has lived through, by concept and level: checks from its trace files, acts from its journal. For
 * people and models to look at; no verdict reads it.
 */
export async function readExperiences(
  workspace: Pick<Workspace, 'paths' | 'journal' | 'clock'>,
  settings: Partial<ExperienceSettings> & { readonly stream?: string } = {},
): Promise<Experiences> {
  const { stream = 'guard', ...rest } = settings;
  const records: ExperienceRecord[] = [];
  for await (const trace of readTraces(workspace.paths.traces)) records.push(recordOfTrace(trace));
  const read = createGuardReader();
  for await (const entry of workspace.journal.read(stream)) records.push(...read(entry));
  return foldExperience(records, { at: isoTime(workspace.clock), ...rest });
}
