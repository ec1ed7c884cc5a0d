import type { Json } from '@warrant/core';
import fc from 'fast-check';
import type { Input } from '../src/index.ts';
import { timersOf } from '../src/index.ts';
import type { AgentState } from '../src/state.ts';

const EVENTS = ['go', 'stop', 'pay', 'deep.down'] as const;
const HEARD = [...EVENTS, 'hop'] as const;
const CONDITIONS = [undefined, 'ctx.x == 0', 'ctx.x < 2', 'ctx.x > 5', 'ev.data.n > 1', 'ctx.nothing.there'] as const;
const PAYLOADS: readonly Json[] = [null, { n: 1 }, { n: 2 }, { n: 'x' }, [], 'text'];
const START = Date.parse('2026-01-01T00:00:00.000Z');
const COUNT = { assign: { location: 'x', expr: 'ctx.x < 3 ? ctx.x + 1 : 0' } };

type StateText = Readonly<Record<string, unknown>>;

/** Decide states with all that may be said of them, beside states that decide nothing. */
const extensions = fc.option(
  fc.record({
    candidates: fc.option(fc.subarray([...HEARD, 'deep.*'], { minLength: 1 })),
    deadline: fc.option(fc.constantFrom('5s', '2m')),
    fallback: fc.option(fc.constant('f')),
    maxDecisions: fc.option(fc.integer({ min: 1, max: 3 })),
  }),
  { freq: 4 },
);

function saidOf(said: Readonly<Record<string, unknown>> | null): StateText {
  if (said === null) return {};
  const given = Object.entries({ decide: 'd', ...said }).filter(([, value]) => value !== null);
  return {
    extensions: given.map(([local, value]) => ({
      local,
      attribute: Array.isArray(value) ? value.join(' ') : String(value),
    })),
  };
}

const transition = (targets: readonly string[]) =>
  fc
    .record({
      event: fc.constantFrom(
        ...EVENTS,
        'deep.*',
        'error.decide.invalid',
        'vt.decide.refused',
        'vt.decide.none',
        'vt.agent.budget-exhausted',
        'error.decide.timeout',
      ),
      cond: fc.constantFrom(...CONDITIONS),
      target: fc.option(fc.constantFrom(...targets), { freq: 4 }),
      counts: fc.boolean(),
    })
    .map(({ event, cond, target, counts }) => ({
      event,
      ...(cond === undefined ? {} : { cond }),
      ...(target === null ? {} : { target }),
      // What neither moves nor sets anything would be no transition at all.
      ...(counts || target === null ? { do: [COUNT] } : {}),
    }));

const leaf = (targets: readonly string[]) =>
  fc
    .record({ said: extensions, transitions: fc.array(transition(targets), { minLength: 1, maxLength: 4 }) })
    .map(({ said, transitions }): StateText => ({ ...saidOf(said), transitions }));

/** Two states, one that has two more inside, and an end; in half of the charts two regions side by side as well. */
export const agentChart: fc.Arbitrary<string> = fc
  .record({
    a: leaf(['a', 'b', 'c1', 'c2', 'p', 'end']),
    b: leaf(['a', 'b', 'c', 'p', 'end']),
    c: leaf(['a', 'b', 'c']),
    c1: leaf(['c1', 'c2', 'a']),
    c2: leaf(['c1', 'c2', 'b']),
    p: leaf(['a', 'b', 'p']),
    l1: leaf(['l1', 'l2', 'a']),
    l2: leaf(['l1', 'l2']),
    r1: leaf(['r1', 'r2', 'b']),
    r2: leaf(['r1', 'r2']),
  })
  .map(({ a, b, c, c1, c2, p, l1, l2, r1, r2 }) => {
    const { extensions: _, ...plain } = p;
    // Every state can be come to, or the chart would be refused.
    const hop = (state: StateText, target: string): StateText => ({
      ...state,
      transitions: [...(state['transitions'] as readonly unknown[]), { event: 'hop', target }],
    });
    return JSON.stringify({
      format: 'warrant.chart/1',
      data: { x: 0 },
      states: {
        a: hop(a, 'b'),
        b: hop(b, 'c'),
        c: { ...hop(c, 'p'), states: { c1: hop(c1, 'c2'), c2 } },
        p: {
          ...hop(plain, 'end'),
          type: 'parallel',
          states: { l: { states: { l1: hop(l1, 'l2'), l2 } }, r: { states: { r1: hop(r1, 'r2'), r2 } } },
        },
        end: { type: 'final' },
      },
    });
  });

/** What may come next, told without knowing the run: which of the ids, which event, which payload. */
export type Move = {
  readonly kind: 'event' | 'answer' | 'refusal' | 'timer' | 'again';
  readonly which: number;
  readonly event: string;
  readonly payload: Json;
  readonly late: boolean;
};
export const move: fc.Arbitrary<Move> = fc.record({
  kind: fc.constantFrom('event', 'answer', 'answer', 'answer', 'refusal', 'timer', 'again'),
  which: fc.nat(5),
  event: fc.constantFrom(...HEARD, 'hop', 'deep.under', 'bogus', 'done.state.c'),
  payload: fc.constantFrom(...PAYLOADS),
  late: fc.boolean(),
});

/** The input that a move is in a state; an answer names an open offer, one of the past, or one that never was. */
export function inputOf(state: AgentState, past: readonly Input[], { kind, which, event, payload, late }: Move): Input {
  const at = new Date(START + state.position * 1000).toISOString();
  const earlier = past.flatMap((one) =>
    one.type === 'decision' || one.type === 'refusal' ? [one.data.correlation] : [],
  );
  const ids = [...state.slots.map(({ correlation }) => correlation).filter((id) => id !== ''), ...earlier, '99.0', 'x'];
  const correlation = ids[which % ids.length] as string;
  const timers = timersOf(state);
  const timer = timers[which % Math.max(1, timers.length)];
  if (kind === 'again' && past.length > 1) return { ...(past[1 + (which % (past.length - 1))] as Input), at };
  if (kind === 'refusal') return { type: 'refusal', at, data: { correlation, reason: 'no' } };
  if (kind === 'timer' && timer !== undefined)
    return { type: 'timer', at: late && timer.due > at ? timer.due : at, data: { timer: timer.timer } };
  if (kind === 'answer') return { type: 'decision', at, data: { correlation, event, payload } };
  return { type: 'event', at, data: { name: event, data: payload } };
}
