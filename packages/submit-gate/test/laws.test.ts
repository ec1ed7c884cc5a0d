import type { CallEffects } from '@warrant/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createGate, type GateConfig, type GateState, type RecordedObservation } from '../src/index.ts';

const SOAK = process.env['WARRANT_SOAK'] !== undefined;
const QUIET: CallEffects = { class: 'read', reads: [], writes: [], deletes: [], unknownTargets: [], network: 'no' };
const PATHS = ['a', 'a/b', 'app.cfg', 'app.cfg2', './a', 'x y'];
const RESULTS = [
  '',
  'timeout=5',
  'timeout=30',
  'Error: no',
  'No results',
  '{"id":"a"}',
  'a b app.cfg',
  ' Tests  3 passed (3)',
  ' Tests  1 failed (3)',
  '\ud800 odd',
];

type Op =
  | {
      readonly type: 'call';
      readonly writes: boolean | null;
      readonly tool: string;
      readonly path: string;
      readonly result: string;
      readonly outcome: RecordedObservation['outcome'];
      readonly expects: boolean;
      readonly overlap: boolean;
    }
  | { readonly type: 'turn' | 'reason' }
  | { readonly type: 'submit'; readonly claim: string };

const op: fc.Arbitrary<Op> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant('call' as const),
      writes: fc.constantFrom(true, false, false, null),
      tool: fc.constantFrom('tool', 'test', 'own'),
      path: fc.constantFrom(...PATHS),
      result: fc.constantFrom(...RESULTS),
      outcome: fc.constantFrom('ok' as const, 'ok' as const, 'ok' as const, 'error' as const, 'not-run' as const),
      expects: fc.boolean(),
      overlap: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constantFrom('turn' as const, 'reason' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('submit' as const),
      claim: fc.constantFrom('completion', 'assertion', 'unverified', 'none', 'other'),
    }),
  },
);
const own = { name: 'own', check: (): { readonly type: 'holds' } => ({ type: 'holds' }) };
const config: fc.Arbitrary<GateConfig> = fc.record({
  preset: fc.constantFrom('default' as const, 'skipper' as const, 'diverger' as const, 'coding' as const),
  profile: fc.constantFrom('default' as const, 'default' as const, 'default' as const, 'reference' as const),
  goals: fc.constantFrom<string[]>([], [], ['tests_passed']),
  surface: fc.constantFrom<string[]>([], [], ['a', 'app.cfg']),
  tools: fc.constant({
    test: { kind: 'check' as const, signals: ['vitest'] },
    own: { targets: ['/path'], ownAnswer: own },
  }),
});

type CallOp = Extract<Op, { readonly type: 'call' }>;
type World = { readonly state: GateState; readonly seq: number; readonly last: string };
type Gate = ReturnType<typeof createGate>;

function begin(gate: Gate, world: World, item: CallOp): World {
  const id = `c${world.seq}`;
  const effects: CallEffects =
    item.writes === null
      ? { ...QUIET, class: 'unknown', unknownTargets: ['writes'] }
      : item.writes
        ? { ...QUIET, class: 'write', writes: [item.path] }
        : { ...QUIET, reads: [item.path] };
  const expects = item.expects && item.writes === true ? { expects: 'timeout=30' } : {};
  return {
    state: gate.start(world.state, {
      call: { id, tool: item.tool, arguments: { path: item.path } },
      startSeq: world.seq,
      effects,
      ...expects,
    }),
    seq: world.seq + 1,
    last: id,
  };
}

function end(gate: Gate, world: World, id: string, item: CallOp): World {
  return {
    ...world,
    state: gate.observe(world.state, { callId: id, endSeq: world.seq, outcome: item.outcome, result: item.result }),
    seq: world.seq + 1,
  };
}

function play(
  gate: Gate,
  ops: readonly Op[],
  each: (before: World, op: Op, after: World) => void = () => undefined,
): World {
  let world: World = { state: gate.initial, seq: 1, last: '' };
  let waiting: { readonly id: string; readonly item: CallOp } | null = null;
  for (const item of ops) {
    const before = world;
    if (item.type === 'turn') world = { ...world, state: gate.beginTurn(world.state) };
    else if (item.type === 'reason') world = { ...world, state: gate.reason(world.state) };
    else if (item.type === 'submit') world = { ...world, state: gate.submit(world.state, { type: item.claim }).state };
    else if (item.type === 'call') {
      world = begin(gate, world, item);
      const id = world.last;
      // A call that overlaps ends after the next one has begun.
      if (waiting !== null) {
        world = end(gate, world, waiting.id, waiting.item);
        waiting = null;
      }
      if (item.overlap) waiting = { id, item };
      else world = end(gate, world, id, item);
    }
    each(before, item, world);
  }
  return world;
}

const accepts = (gate: Gate, state: GateState, type: string): boolean =>
  gate.submit(state, { type }).verdict.type === 'accepted';
const check = (law: (gate: Gate, ops: readonly Op[]) => void, configs = config): void =>
  fc.assert(
    fc.property(configs, fc.array(op, { maxLength: 30 }), (given, ops) => law(createGate(given), ops)),
    { numRuns: SOAK ? 20_000 : 400 },
  );

describe('laws', () => {
  it('budget stays between 0 and the cap, and unverified is accepted, in every state', () => {
    check((gate, ops) => {
      play(gate, ops, (_before, _op, { state }) => {
        expect(state.budget).toBeGreaterThanOrEqual(0);
        expect(state.budget).toBeLessThanOrEqual(gate.config.cap);
        expect(accepts(gate, state, 'unverified')).toBe(true);
        expect(accepts(gate, state, 'other')).toBe(false);
      });
    });
  });

  it('a round trip through JSON at every step changes nothing', () => {
    check((gate, ops) => {
      const plain = play(gate, ops);
      const through = {
        ...gate,
        start: (s: GateState, e: Parameters<Gate['start']>[1]) =>
          gate.start(JSON.parse(JSON.stringify(s)) as GateState, e),
        observe: (s: GateState, e: RecordedObservation) => gate.observe(JSON.parse(JSON.stringify(s)) as GateState, e),
      };
      expect(JSON.stringify(play(through, ops).state)).toBe(JSON.stringify(plain.state));
    });
  });

  it('a change never meets its own obligation unless its contract says so', () => {
    check((gate, ops) => {
      play(gate, ops, (before, item, after) => {
        if (
          item.type !== 'call' ||
          item.writes !== true ||
          item.overlap ||
          item.outcome === 'not-run' ||
          item.tool !== 'tool'
        )
          return;
        if (gate.config.settings.obligations !== 'per-mutation') return;
        expect(
          after.state.open.some((open) => open.id === after.last) || after.state.beyond > before.state.beyond,
        ).toBe(true);
        expect(accepts(gate, after.state, 'completion')).toBe(false);
      });
    });
  });

  it('an accepted completion stays acceptable, and more looks never turn acceptance into refusal', () => {
    check((gate, ops) => {
      let accepted = false;
      let assertable = false;
      play(gate, ops, (before, item, after) => {
        const reads =
          item.type === 'call' &&
          item.writes === false &&
          item.tool === 'tool' &&
          before.state.running.length === 0 &&
          after.state.running.length === 0;
        const quiet = reads || item.type === 'submit';
        const contradicted = after.state.considered.at(-1)?.evidence === 'contradicting';
        const spent = after.state.budget === 0;
        const ended = item.type === 'submit' && item.claim === 'unverified' && before.state.open.length > 0;
        if (quiet && !contradicted && !spent && !ended) {
          if (accepted) expect(accepts(gate, after.state, 'completion')).toBe(true);
          if (assertable && !gate.config.strict) expect(accepts(gate, after.state, 'assertion')).toBe(true);
        }
        accepted = accepts(gate, after.state, 'completion');
        assertable = accepts(gate, after.state, 'assertion');
      });
    });
  });

  it('an obligation that is open when a turn begins is open after it', () => {
    check((gate, ops) => {
      play(gate, ops, (before, item, after) => {
        if (item.type === 'turn') expect(after.state.open).toEqual(before.state.open);
      });
    });
  });

  it('a completion is accepted only with nothing open', () => {
    check((gate, ops) => {
      play(gate, ops, (_before, _op, { state }) => {
        if (gate.config.settings.obligations === 'per-mutation' && accepts(gate, state, 'completion'))
          expect([state.open.length, state.beyond]).toEqual([0, 0]);
      });
    });
  });
});
