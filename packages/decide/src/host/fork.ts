import { type Journal, WarrantError } from '@warrant/core';
import type { Fact, Input } from '../input.ts';
import type { AgentMachine } from '../machine/machine.ts';
import type { AgentState } from '../state.ts';
import { type Changes, changesBetween } from './intents.ts';
import { catchUp, datesOf, emptyMemory } from './memory.ts';
import { streamOf } from './names.ts';
import { forkedEntry } from './record.ts';

export type Forked =
  | { readonly type: 'forked' | 'exists' }
  | { readonly type: 'no-such-position'; readonly head: number };

/** Goes on from a position under another name. The first run stays as it is; nobody is asked and nothing is called for what it already holds. */
export async function forkAgent(
  journal: Journal,
  {
    actor,
    position,
    target,
    machine,
  }: { readonly actor: string; readonly position: number; readonly target: string; readonly machine: AgentMachine },
): Promise<Forked> {
  const forked = await journal.fork(streamOf(actor), position, streamOf(target));
  if (forked.type === 'no-such-position') return forked;
  if (forked.type === 'exists' && !(await isBareFork(journal, actor, position, target))) return forked;
  const memory = emptyMemory(target, machine);
  await catchUp(memory, journal);
  const timers = datesOf(memory);
  if (timers.length === 0) return forked;
  const entry = forkedEntry({ type: 'forked', timers }, memory.head);
  await journal.append(streamOf(target), [entry], { expected: memory.head });
  return { type: 'forked' };
}

/** Whether whoever began this fork did not come to write down its timers: nothing stands there but what was inherited. */
async function isBareFork(journal: Journal, actor: string, position: number, target: string): Promise<boolean> {
  const head = await journal.head(streamOf(target));
  if (head?.position !== position || actor === target) return false;
  for await (const { stream, digest } of journal.read(streamOf(actor), { from: position, to: position }))
    return digest === head.digest && stream !== streamOf(target);
  return false;
}

/** The state right after a position, from the journal alone. @throws DECIDE_POSITION */
export async function stateAt(
  journal: Pick<Journal, 'read'>,
  machine: AgentMachine,
  actor: string,
  position?: number,
): Promise<AgentState> {
  const memory = emptyMemory(actor, machine);
  await catchUp(memory, journal, position);
  if (position !== undefined && memory.head !== position)
    throw new WarrantError('DECIDE_POSITION', `the run of ${actor} ends at ${memory.head}`, {
      data: { head: memory.head, position },
    });
  return memory.state;
}

export type Alternative = {
  readonly inputs: readonly Input[];
  readonly state: AgentState;
  readonly facts: readonly Fact[];
  /** What a host would do now; here nothing of it is done. */
  readonly effects: Changes;
};

/** Tries alternatives from one position in a sandbox: nothing is recorded, asked or called. Each list of inputs is applied to the state there. */
export async function explore(
  journal: Pick<Journal, 'read'>,
  machine: AgentMachine,
  actor: string,
  position: number,
  alternatives: readonly (readonly Input[])[],
): Promise<readonly Alternative[]> {
  const from = await stateAt(journal, machine, actor, position);
  return alternatives.map((inputs) => {
    let state = from;
    const facts: Fact[] = [];
    for (const [index, input] of inputs.entries()) {
      const applied = machine.apply(state, input, position + 1 + index);
      state = applied.state;
      facts.push(...applied.facts);
    }
    return { inputs, state, facts, effects: changesBetween(from, state) };
  });
}
