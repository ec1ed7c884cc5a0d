import { type AgentIntent, digest, type Journal, type Recorded, WarrantError } from '@warrant/core';
import type { AgentMachine, Applied } from '../machine/machine.ts';
import type { AgentState } from '../state.ts';
import { changesBetween, intentsOf } from './intents.ts';
import { streamOf } from './names.ts';
import { type AgentRecord, type InputRecord, recordOf } from './record.ts';

/** What a step asked for, with what its entry left out. */
export function wholeIntents(record: InputRecord, before: AgentState, after: AgentState): readonly AgentIntent[] {
  const { rest, host, intents } = record;
  if (rest === undefined || rest.intents === 0) return intents;
  return intentsOf(before, after, changesBetween(before, after), { lease: { host, until: rest.until ?? '' } });
}

/** With what its entry left out, if replay came to the same; otherwise as it stands. */
function wholeRecord(record: InputRecord, before: AgentState, { state, facts }: Applied): InputRecord {
  const { rest, ...whole } = record;
  if (rest === undefined || digest(facts) !== rest.digest) return record;
  return { ...whole, facts, intents: wholeIntents(record, before, state) };
}

/** The entries of a run in order. With the machine of its chart, what entries leave out to stay small is found again by replay. @throws DECIDE_JOURNAL_DAMAGED, DECIDE_UNKNOWN_CHART for a machine of another chart */
export async function* readRecords(
  journal: Pick<Journal, 'read'>,
  actor: string,
  { to, machine }: { readonly to?: number | undefined; readonly machine?: AgentMachine | undefined } = {},
): AsyncGenerator<{ readonly entry: Recorded; readonly record: AgentRecord }> {
  let state: AgentState | undefined;
  for await (const entry of journal.read(streamOf(actor), to === undefined ? {} : { to })) {
    const record = recordOf(entry);
    if (record.type !== 'input' || machine === undefined) {
      yield { entry, record };
      continue;
    }
    checkStart(record, actor, machine);
    // Most runs are told by their entries alone; only then is nothing computed.
    if (record.rest !== undefined) state ??= await stateBefore(journal, actor, { machine, position: entry.position });
    if (state === undefined) {
      yield { entry, record };
      continue;
    }
    const applied = machine.apply(state, record.input, entry.position);
    yield { entry, record: wholeRecord(record, state, applied) };
    state = applied.state;
  }
}

function checkStart({ input }: InputRecord, actor: string, { program }: AgentMachine): void {
  if (input.type === 'start' && input.data.program !== program)
    throw new WarrantError('DECIDE_UNKNOWN_CHART', `${actor} was started with another chart`, { data: { actor } });
}

async function stateBefore(
  journal: Pick<Journal, 'read'>,
  actor: string,
  { machine, position }: { readonly machine: AgentMachine; readonly position: number },
): Promise<AgentState> {
  let state = machine.empty;
  for await (const entry of journal.read(streamOf(actor), { to: position - 1 })) {
    const record = recordOf(entry);
    if (record.type === 'input') state = machine.apply(state, record.input, entry.position).state;
  }
  return state;
}
