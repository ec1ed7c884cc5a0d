import { resolve } from 'node:path';
import type { CommandCall } from '../cli/command.ts';
import { createProgress } from '../cli/progress.ts';
import { type KnowledgeOptions, loadKnowledge } from './knowledge.ts';
import { readTranscript, type Transcript } from './read-transcripts.ts';
import { type ReplayReport, replayTranscripts } from './report.ts';

/** The transcripts that a command line names. */
export async function readNamedTranscripts({ words, terminal }: CommandCall): Promise<readonly Transcript[]> {
  const transcripts: Transcript[] = [];
  for (const word of words) transcripts.push(await readTranscript(resolve(terminal.directory, word)));
  return transcripts;
}

/** What would have become of them; how far it is shows on a terminal. */
export async function reportOf(
  call: CommandCall,
  transcripts: readonly Transcript[],
  options: KnowledgeOptions,
): Promise<ReplayReport> {
  const knowledge = await loadKnowledge(call.terminal.directory, options);
  const progress = createProgress(call.terminal);
  try {
    return await replayTranscripts(transcripts, knowledge, (calls) => progress.show(`${calls} calls judged`));
  } finally {
    progress.done();
    await knowledge.close();
  }
}
