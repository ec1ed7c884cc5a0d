import type { CallEffects } from '@warrant/core';
import { createGate, type GateState, type SubmitGate } from '@warrant/submit-gate';
import { type Benchmark, median, type Result } from './benchmark.ts';
import { cpuMs } from './processor.ts';
import { type GroundingGatePeer, startGroundingGate } from './submit-gate-peer.ts';

const READ: CallEffects = { class: 'read', reads: [], writes: [], deletes: [], unknownTargets: [], network: 'no' };
/** What the reference managed on the machine that its notes were written on, in operations a second. */
const REFERENCE = { fresh: 45_600, repeated: 70_200, log: 44, prose: 43, accepted: 2_100_000, refused: 5_000_000 };
const SIZE = 100_000;
const ROUNDS = 61;

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

function looks(gate: SubmitGate, text: (index: number) => string): (index: number) => void {
  let state = gate.initial;
  let seq = 0;
  return (index) => {
    seq += 2;
    state = look(gate, state, seq, text(index));
  };
}

type Work = {
  readonly name: string;
  readonly peer: keyof typeof REFERENCE;
  readonly ours: (index: number) => void;
  readonly warm: number;
  readonly count: number;
  readonly peerCount: number;
  /** As a multiple of the reference, or in operations a second. */
  readonly goal: { readonly times: number } | { readonly rate: number };
};

/** Operations a CPU second of both, the middle of short rounds in turn: what else the machine does then counts for neither. */
async function measured(work: Work, peer: GroundingGatePeer | null): Promise<Result> {
  const ours: number[] = [];
  const theirs: number[] = [];
  const ratios: number[] = [];
  let index = 0;
  // Compiled code comes to rest only after that many.
  for (; index < work.warm; index += 1) work.ours(index);
  for (let round = 0; round <= ROUNDS; round += 1) {
    const start = cpuMs();
    for (let left = work.count; left > 0; left -= 1, index += 1) work.ours(index);
    const used = cpuMs() - start;
    const seconds = peer === null ? null : await peer.seconds(work.peer, work.peerCount);
    // The first round warms up.
    if (round === 0) continue;
    const rate = (work.count * 1000) / used;
    ours.push(rate);
    if (seconds === null) continue;
    theirs.push(work.peerCount / seconds);
    ratios.push((rate * seconds) / work.peerCount);
  }
  const rate = median(ours);
  const reference = peer === null ? REFERENCE[work.peer] : median(theirs);
  // Round by round: the machine's speed changes from one to the next.
  const ratio = peer === null ? rate / reference : median(ratios);
  const { goal } = work;
  return {
    name: work.name,
    unit: 'per CPU second',
    ours: rate,
    against: peer === null ? "the reference's figure in its notes" : 'the reference in the same run',
    theirs: reference,
    ratio,
    goal: 'times' in goal ? `at least ${goal.times}x` : `at least ${goal.rate} per s`,
    reached: 'times' in goal ? ratio >= goal.times : rate >= goal.rate,
  };
}

function observing(): readonly Work[] {
  const gate = createGate({ surface: ['app.cfg'] });
  const logs = Array.from({ length: 64 }, (_, seed) => logText(seed));
  const prose = Array.from({ length: 64 }, (_, seed) => proseText(seed));
  const small = { warm: 200_000, count: 5_000, peerCount: 1_250, goal: { times: 5 } };
  const large = { warm: 400, count: 40, peerCount: 3, goal: { times: 20 } };
  return [
    {
      name: 'start and observe, short and new',
      peer: 'fresh',
      ours: looks(gate, (index) => `app.cfg: timeout=${index}`),
      ...small,
    },
    {
      name: 'start and observe, short and repeated',
      peer: 'repeated',
      ours: looks(gate, () => 'app.cfg: timeout=30'),
      ...small,
    },
    {
      name: 'start and observe, log of 100 KB',
      peer: 'log',
      ours: looks(gate, (index) => logs[index % 64] as string),
      ...large,
    },
    {
      name: 'start and observe, prose of 100 KB',
      peer: 'prose',
      ours: looks(gate, (index) => prose[index % 64] as string),
      ...large,
    },
  ];
}

function submitting(): readonly Work[] {
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
  const many = { warm: 300_000, count: 30_000, peerCount: 3_000, goal: { rate: 500_000 } };
  return [
    { name: 'submit, accepted', peer: 'accepted', ours: () => void gate.submit(seen, claim), ...many },
    {
      name: 'submit, refused with reasons and moves',
      peer: 'refused',
      ours: () => void gate.submit(changed, claim),
      ...many,
    },
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

/**
 * Steps of the submit gate against the reference: in one run with it where a Python that has grounding-gate 0.4.1 is named in
 * WARRANT_GROUNDING_GATE_PYTHON or is the machine's own, else against the figures it was measured with elsewhere.
 */
export const benchmark: Benchmark = {
  name: 'submit-gate',
  run: async () => {
    const peer = await startGroundingGate();
    try {
      const results: Result[] = [];
      for (const work of [...observing(), ...submitting()]) results.push(await measured(work, peer));
      return [...results, stateSize()];
    } finally {
      peer?.stop();
    }
  },
};
