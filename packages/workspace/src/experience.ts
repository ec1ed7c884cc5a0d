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

/** Streams in which guards record how acts ended: those of programs, and those of clients with hooks. */
const STREAMS = ['guard', 'claude'] as const;

/**
 * What the workspace has lived through, by concept and level: checks from its trace files, acts from its journal. For
 * people and models to look at; no verdict reads it. Half-life and weights are those of `warrant.yaml` unless given.
 */
export async function readExperiences(
  workspace: Pick<Workspace, 'paths' | 'journal' | 'clock' | 'config'>,
  settings: Partial<ExperienceSettings> & { readonly streams?: readonly string[] } = {},
): Promise<Experiences> {
  const { streams = STREAMS, ...rest } = settings;
  const records: ExperienceRecord[] = [];
  for await (const trace of readTraces(workspace.paths.traces)) records.push(recordOfTrace(trace));
  for (const stream of streams) {
    const read = createGuardReader();
    for await (const entry of workspace.journal.read(stream)) records.push(...read(entry));
  }
  return foldExperience(records, { at: isoTime(workspace.clock), ...workspace.config.experience, ...rest });
}
