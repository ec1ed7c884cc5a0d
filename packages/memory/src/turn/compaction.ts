import type { JsonObject, Label, MemoryRecord } from '@warrant/core';
import type { Actor } from '../actor.ts';
import { fault } from '../errors.ts';
import { listCurrent } from '../read.ts';
import type { Setup } from '../setup.ts';
import { valueText } from '../words.ts';
import { writeAll } from '../write.ts';
import type { WriteResult } from '../write-step.ts';
import { withoutRecalled } from './echo.ts';
import { labelField, labelOfSession } from './finalize.ts';
import { sessionPrefix } from './session-key.ts';

export type CompactionSummary = {
  readonly session: string;
  readonly summary: string;
  /** Of what else the summary was made from. @default [] */
  readonly labels?: readonly Label[];
};

const CUT = 2000;
/** Records that a checkpoint names. */
const MOST = 200;

/**
 * Keeps what a session holds in working memory before its conversation is compacted: the agent's working records of the
 * session, in one episodic record that names them as its sources. The same again is a confirmation.
 */
export async function checkpoint(setup: Setup, actor: Actor, session: string): Promise<WriteResult> {
  checkSession(session);
  const working = (await listCurrent(setup, actor, 'memory/working/'))
    .filter((record) => record.session === session && record.agent === actor.key)
    .slice(0, MOST);
  const held = working.map((record): JsonObject => ({ key: record.key, text: valueText(record.value).slice(0, CUT) }));
  return writeOne(setup, actor, {
    key: `${sessionPrefix(session)}checkpoint`,
    value: { type: 'checkpoint', held },
    session,
    sources: working.map(({ id }: MemoryRecord) => id),
    ...labelField(await labelOfSession(setup, session), []),
  });
}

/** Keeps the summary that takes the place of a conversation. It has the least trust of what the conversation was given. */
export async function writeCompactionSummary(
  setup: Setup,
  actor: Actor,
  compacted: CompactionSummary,
): Promise<WriteResult> {
  const { session, summary, labels = [] } = compacted;
  checkSession(session);
  const text = typeof summary === 'string' ? withoutRecalled(summary) : '';
  if (text === '') throw fault('MEMORY_INVALID_ARGUMENT', 'a summary says something of its own', { field: 'summary' });
  return writeOne(setup, actor, {
    key: `${sessionPrefix(session)}compaction-summary`,
    value: { type: 'compaction-summary', text },
    session,
    ...labelField(await labelOfSession(setup, session), labels),
  });
}

async function writeOne(
  setup: Setup,
  actor: Actor,
  write: Parameters<typeof writeAll>[2][number],
): Promise<WriteResult> {
  const [written] = await writeAll(setup, actor, [write]);
  return (written as { readonly result: WriteResult }).result;
}

function checkSession(session: string): void {
  if (typeof session !== 'string' || session === '')
    throw fault('MEMORY_INVALID_ARGUMENT', 'a session has an id', { field: 'session' });
}
