import type { CallEffects } from '@warrant/core';
import { createGate, type GateState, type SubmitGate } from '@warrant/submit-gate';
import { type Benchmark, median, type Result } from './benchmark.ts';

const READ: CallEffects = { class: 'read', reads: [], writes: [], deletes: [], unknownTargets: [], network: 'no' };
/** What the reference managed on the machine that its notes were written on, in operations a second. */
const REFERENCE = { fresh: 45_600, repeated: 70_200, log: 44, prose: 43, accepted: 2_100_000, refused: 5_000_000 };
const SIZE = 100_000;

function logText(seed: number): string {
  let out = '';
  for (let line = 0; out.length < SIZE; line += 1) {
    out += `2024-05-01T10:${String(line % 60).padStart(2, '0')}:15.123Z worker-${(line * 7 + seed) % 97} GET /orders/${line * 31 + seed} 200 in ${line % 900} ms\n`;
  }
  return out.slice(0, SIZE);
}

const WORDS =
  'the gate looks at what an agent has seen before it lets the agent say that something is done and a claim without a look is refused'.split(
    ' ',
  );

function proseText(seed: number): string {
  let out = '';
  for (let index = seed; out.length < SIZE; index += 1)
    out += `${WORDS[(index * 7919) % WORDS.length]}${index % 17 === 0 ? '. ' : ' '}`;
  return out.slice(0, SIZE);
}

/** A call that begins and ends; returns the state after it. */
function look(gate: SubmitGate, state: GateState, seq: number, result: string): GateState {
  const call = { id: `c${seq}`, tool: 'read', arguments: { path: 'app.cfg' } };
  const begun = gate.start(state, { call, startSeq: seq, effects: READ });
  return gate.observe(begun, { callId: call.id, endSeq: seq + 1, outcome: 'ok', result });
}

/** Operations a second: the middle of five rounds of `count`. */
function rate(count: number, work: (index: number) => void): number {
  const rounds: number[] = [];
  for (let round = 0; round < 6; round += 1) {
    const start = performance.now();
    for (let index = 0; index < count; index += 1) work(round * count + index);
    if (round > 0) rounds.push((count * 1000) / (performance.now() - start));
  }
  return median(rounds);
}

function looks(gate: SubmitGate, count: number, text: (index: number) => string): number {
  let state = gate.initial;
  let seq = 0;
  return rate(count, (index) => {
    seq += 2;
    state = look(gate, state, seq, text(index));
  });
}

function line(name: string, ours: number, theirs: number, goal: number, ratioGoal: boolean): Result {
  const ratio = ours / theirs;
  const reached = ratioGoal ? ratio >= goal : ours >= goal;
  return {
    name,
    unit: 'per s',
    ours,
    against: "the reference's figure in its notes",
    theirs,
    ratio,
    goal: ratioGoal ? `at least ${goal}x` : `at least ${goal} per s`,
    reached,
  };
}

function observing(): readonly Result[] {
  const gate = createGate({ surface: ['app.cfg'] });
  const logs = Array.from({ length: 64 }, (_, seed) => logText(seed));
  const prose = Array.from({ length: 64 }, (_, seed) => proseText(seed));
  return [
    line(
      'start and observe, short and new',
      looks(gate, 20_000, (index) => `app.cfg: timeout=${index}`),
      REFERENCE.fresh,
      5,
      true,
    ),
    line(
      'start and observe, short and repeated',
      looks(gate, 20_000, () => 'app.cfg: timeout=30'),
      REFERENCE.repeated,
      5,
      true,
    ),
    line(
      'start and observe, log of 100 KB',
      looks(gate, 200, (index) => logs[index % 64] as string),
      REFERENCE.log,
      20,
      true,
    ),
    line(
      'start and observe, prose of 100 KB',
      looks(gate, 200, (index) => prose[index % 64] as string),
      REFERENCE.prose,
      20,
      true,
    ),
  ];
}

function submitting(): readonly Result[] {
  const gate = createGate();
  const write: CallEffects = { ...READ, class: 'write', writes: ['app.cfg'] };
  const call = { id: 'w', tool: 'write', arguments: { path: 'app.cfg' } };
  const changed = gate.observe(gate.start(gate.initial, { call, startSeq: 1, effects: write }), {
    callId: 'w',
    endSeq: 2,
    outcome: 'ok',
    result: 'ok',
  });
  const seen = look(gate, changed, 3, 'timeout=30');
  const claim = { type: 'completion' };
  if (gate.submit(seen, claim).verdict.type !== 'accepted' || gate.submit(changed, claim).verdict.type !== 'refused')
    throw new Error('the benchmark judges the wrong states');
  return [
    line(
      'submit, accepted',
      rate(200_000, () => void gate.submit(seen, claim)),
      REFERENCE.accepted,
      500_000,
      false,
    ),
    line(
      'submit, refused with reasons and moves',
      rate(200_000, () => void gate.submit(changed, claim)),
      REFERENCE.refused,
      500_000,
      false,
    ),
  ];
}

function stateSize(): Result {
  const gate = createGate();
  let state = gate.initial;
  for (let index = 0; index < 10_000; index += 1) {
    const path = `src/part-${index}/file-${index}.ts`;
    const effects: CallEffects =
      index % 2 === 0 ? { ...READ, class: 'write', writes: [path] } : { ...READ, reads: [path] };
    const call = { id: `call-${index}`, tool: 'tool', arguments: { path } };
    state = gate.start(state, { call, startSeq: 2 * index, effects });
    if (index % 7 !== 0)
      state = gate.observe(state, {
        callId: call.id,
        endSeq: 2 * index + 1,
        outcome: 'ok',
        result: `line ${index * 17} of ${path}`,
      });
  }
  const bytes = Buffer.byteLength(JSON.stringify(state));
  return {
    name: 'state after 10,000 calls',
    unit: 'bytes',
    ours: bytes,
    against: 'the limit',
    theirs: 65_536,
    ratio: 65_536 / bytes,
    goal: 'under 64 KB',
    reached: bytes < 65_536,
  };
}

/** Steps of the submit gate against the figures that the reference was measured with. */
export const benchmark: Benchmark = {
  name: 'submit-gate',
  run: async () => [...observing(), ...submitting(), stateSize()],
};
