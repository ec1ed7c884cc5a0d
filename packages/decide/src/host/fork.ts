import { type Journal, type Json, WarrantError } from '@warrant/core';
import type { Fact, Input } from '../input.ts';
import type { AgentMachine } from '../machine/machine.ts';
import type { AgentState } from '../state.ts';
import { type Changes, changesBetween } from './intents.ts';
import { catchUp, datesOf, emptyMemory } from './memory.ts';
import { streamOf, withinRun } from './names.ts';
import { forkedEntry } from './record.ts';
import { isInput } from './record-form.ts';

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
  /** What a host would have done and stopped on the way, step by step; here nothing of it is done. */
  readonly effects: Changes;
};

/**
 * Tries alternatives from one position in a sandbox: nothing is recorded, asked or called. Each list of inputs is
 * applied to the state there. Answers name their offers as deciders see them or without the actor.
 *
 * @throws DECIDE_POSITION, DECIDE_INPUT for what is no input
 */
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
    const steps: Changes[] = [];
    for (const [index, input] of inputs.entries()) {
      const before = state;
      const applied = machine.apply(before, inRun(input, actor), position + 1 + index);
      state = applied.state;
      facts.push(...applied.facts);
      steps.push(changesBetween(before, state));
    }
    return { inputs, state, facts, effects: allOf(steps) };
  });
}

function inRun(input: Input, actor: string): Input {
  if (!isInput(input as unknown as Json)) throw new WarrantError('DECIDE_INPUT', 'an alternative is a list of inputs');
  if (input.type !== 'decision' && input.type !== 'refusal') return input;
  const correlation = withinRun(input.data.correlation, [actor]);
  return { ...input, data: { ...input.data, correlation } } as Input;
}

function allOf(steps: readonly Changes[]): Changes {
  return {
    calls: steps.flatMap(({ calls }) => calls),
    asks: steps.flatMap(({ asks }) => asks),
    waits: steps.flatMap(({ waits }) => waits),
    goneCalls: steps.flatMap(({ goneCalls }) => goneCalls),
    goneAsks: steps.flatMap(({ goneAsks }) => goneAsks),
  };
}
