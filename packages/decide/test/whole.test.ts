import { digest, type JsonObject, type Recorded } from '@warrant/core';
import { createMemoryJournal } from '@warrant/journal';
import { describe, expect, test } from 'vitest';
import { changesBetween, intentsOf } from '../src/host/intents.ts';
import { entryOf, forkedEntry, takeoverEntry } from '../src/host/record.ts';
import {
  type AgentDefinition,
  createAgentMachine,
  type InputRecord,
  readRecords,
  type StartData,
} from '../src/index.ts';
import { collect } from './collect.ts';
import { AT, definitionOf, GRANT } from './support.ts';

const A = 'urn:agent:1';
const STREAM = `agents/${A}`;
const regions = (count: number) =>
  Array.from(
    { length: count },
    (_, index) => `      r${index}: { extensions: [{ local: decide, attribute: d }], on: { go${index}: {} } }\n`,
  ).join('');
const menu = Array.from({ length: 90 }, (_, index) => `${`choice${index}_`.padEnd(60, 'x')}: {}`).join(', ');
const WIDE = definitionOf(
  `states:\n  idle: { on: { open: all, ask: menu } }\n  menu: { extensions: [{ local: decide, attribute: d }], on: { shut: idle, ${menu} } }\n  all:\n    type: parallel\n    on: { shut: idle }\n    states:\n${regions(40)}`,
);
const lease = { host: 'one', until: '2026-01-01T00:01:00.000Z' };

/** A journal of a run, with the whole record of each of its inputs. */
async function runOf(definition: AgentDefinition, ...names: readonly string[]) {
  const machine = createAgentMachine(definition);
  const start: StartData = { program: machine.program, input: {}, grant: GRANT, tools: [], maxAsks: null };
  const journal = createMemoryJournal();
  const whole: InputRecord[] = [];
  let { empty: state } = machine;
  const inputs = names.map((name) =>
    name === 'start'
      ? ({ type: 'start', at: AT, data: start } as const)
      : ({ type: 'event', at: AT, data: { name, data: null } } as const),
  );
  for (const input of inputs) {
    const position = ((await journal.head(STREAM))?.position ?? 0) + 1;
    const applied = machine.apply(state, input, position);
    const intents = intentsOf(state, applied.state, changesBetween(state, applied.state), { lease });
    const record: InputRecord = { type: 'input', input, host: 'one', intents, facts: applied.facts };
    whole.push(record);
    await journal.append(STREAM, [entryOf(record, `m${position}`, position - 1)], { expected: 'any' });
    // What hosts write down beside inputs is no input.
    const taken = takeoverEntry({ type: 'takeover', effect: '9.9', ...lease }, position);
    await journal.append(STREAM, [taken, forkedEntry({ type: 'forked', timers: [] }, position + 1)], {
      expected: 'any',
    });
    state = applied.state;
  }
  return { journal, machine, whole };
}
const inputsIn = (all: readonly { readonly record: { readonly type: string } }[]) =>
  all.map(({ record }) => record).filter(({ type }) => type === 'input') as unknown as readonly InputRecord[];

describe('records of a run', () => {
  test('are whole with the machine of its chart, wherever something is left out', async () => {
    const { journal, machine, whole } = await runOf(WIDE, 'start', 'open', 'shut', 'ask');
    const bare = inputsIn(await collect(readRecords(journal, A)));
    expect(bare.map(({ rest }) => rest !== undefined)).toEqual([false, true, false, true]);
    // Of the last one only facts are left out: its leases are its own.
    expect(bare.at(-1)?.rest).toMatchObject({ intents: 0, until: null });
    expect(inputsIn(await collect(readRecords(journal, A, { machine })))).toEqual(whole);
  });

  test('are whole from the first one on', async () => {
    const loud = definitionOf(`states: { menu: { extensions: [{ local: decide, attribute: d }], on: { ${menu} } } }`);
    const only = await runOf(loud, 'start');
    expect(inputsIn(await collect(readRecords(only.journal, A)))[0]?.rest).toBeDefined();
    expect(inputsIn(await collect(readRecords(only.journal, A, { machine: only.machine })))).toEqual(only.whole);
  });

  test('are read to a position, or all of them', async () => {
    const { journal, machine } = await runOf(WIDE, 'start', 'open');
    const positions = async (to?: number) =>
      (await collect(readRecords(journal, A, to === undefined ? {} : { to, machine }))).map(
        ({ entry }) => entry.position,
      );
    expect(await positions()).toEqual([1, 2, 3, 4, 5]);
    expect(await positions(4)).toEqual([1, 2, 3, 4]);
  });

  test('are not those of another chart', async () => {
    const { journal } = await runOf(WIDE, 'start');
    const other = createAgentMachine(definitionOf('states: { a: {} }'));
    await expect(collect(readRecords(journal, A, { machine: other }))).rejects.toMatchObject({
      code: 'DECIDE_UNKNOWN_CHART',
    });
    expect(await collect(readRecords(journal, A))).toHaveLength(3);
  });

  test('keep what they say where replay comes to something else', async () => {
    const { journal, machine, whole } = await runOf(WIDE, 'start', 'open');
    const entries: Recorded[] = [...(await collect(journal.read(STREAM)))];
    const at = entries.findIndex(({ type }) => type === 'agent.event');
    const entry = entries[at] as Recorded;
    const data = entry.data as { readonly rest: JsonObject };
    const rest = { ...data.rest, digest: digest('something else') };
    entries[at] = { ...entry, data: { ...data, rest } } as Recorded;
    const altered = {
      read: () =>
        (async function* () {
          yield* entries;
        })(),
    };
    const [, second] = inputsIn(await collect(readRecords(altered, A, { machine })));
    expect(second?.rest).toEqual(rest);
    expect(second?.facts.length).toBeLessThan(whole[1]?.facts.length ?? 0);
  });
});
