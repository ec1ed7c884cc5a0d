import { isWarrantError, type Journal, type Recorded, type TimerIndex } from '@warrant/core';
import { actorOf, LEASE } from './names.ts';
import { type AgentRecord, recordOf } from './record.ts';

type Change = { readonly actor: string; readonly timer: string; readonly due: string | null };
const BATCH = 500;

/** Brings the index up to what the journal holds: timers of all agents, and the ends of leases as timers beside them. */
export async function followJournal(
  journal: Pick<Journal, 'readAll'>,
  index: TimerIndex,
  onDamaged: (actor: string, error: unknown) => void,
): Promise<void> {
  const after = await index.cursor();
  let changes: Change[] = [];
  let last: string | undefined;
  for await (const entry of journal.readAll(after === undefined ? {} : { after })) {
    changes.push(...changesOf(entry, onDamaged));
    last = entry.cursor;
    if (changes.length < BATCH) continue;
    await index.note(last, changes);
    changes = [];
  }
  if (last !== undefined) await index.note(last, changes);
}

function changesOf(entry: Recorded, onDamaged: (actor: string, error: unknown) => void): readonly Change[] {
  const actor = actorOf(entry.stream);
  if (actor === undefined) return [];
  try {
    return timerChanges(recordOf(entry)).map(([timer, due]) => ({ actor, timer, due }));
  } catch (error) {
    if (!isWarrantError(error, 'DECIDE_JOURNAL_DAMAGED')) throw error;
    // One stream that is no agent's keeps nobody else's timers from being known.
    onDamaged(actor, error);
    return [];
  }
}

/** What an entry sets and ends. */
function timerChanges(record: AgentRecord): readonly (readonly [timer: string, due: string | null])[] {
  if (record.type === 'takeover') return [[LEASE + record.effect, record.until]];
  if (record.type === 'forked') return record.timers.map(({ timer, due }) => [timer, due] as const);
  const closed = record.facts.flatMap((fact) => {
    if (fact.type === 'closed') return [LEASE + fact.correlation];
    return fact.type === 'cancelled' ? [LEASE + fact.effect] : [];
  });
  const ended = [...endedBy(record.input), ...closed].map((timer) => [timer, null] as const);
  const set = record.intents.map((intent) => {
    if (intent.type === 'call') return [LEASE + intent.effect, intent.until] as const;
    return [intent.timer, intent.type === 'timer' ? intent.due : null] as const;
  });
  return [...ended, ...set];
}

function endedBy(input: Extract<AgentRecord, { type: 'input' }>['input']): readonly string[] {
  switch (input.type) {
    case 'timer':
      return [input.data.timer];
    case 'decision':
    case 'refusal':
      return [LEASE + input.data.correlation];
    case 'llm.result':
    case 'llm.error':
    case 'tool.result':
    case 'reply':
      return [LEASE + input.data.effect];
    default:
      return [];
  }
}
