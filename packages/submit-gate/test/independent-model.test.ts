import { describe, expect, it } from 'vitest';
import { createGate, type GateConfig } from '../src/index.ts';

/*
 * Written from the README, the guide and the shared types by someone who had not read the gate's code. What the first
 * reading got wrong, because the pages were silent: a completion needs a look at something changed in the same turn and
 * not just any look; a new turn fills the budget; an answer counts as new again after each change that ended and after
 * an accepted `unverified`, which also takes back what the turn had verified; a change that is reported as unverified
 * while it still runs is open again once it ends. The pages now say so. That a change overtakes what was seen before it was
 * added when the gate learned it.
 */
const EVENTS = ['start a', 'end a', 'write b', 'read a', 'read b', 'fail a', 'turn', 'complete', 'unverified'] as const;
const CLAIMS = ['completion', 'assertion', 'negative', 'unverified', 'none'] as const;
type Event = (typeof EVENTS)[number];
type Change = { readonly item: string; readonly id: number; readonly ended: boolean };
type World = {
  readonly budget: number;
  /** Of this turn: a look that counted, an error, a look at something changed, and items whose answer is no news. */
  readonly turn: {
    readonly looked: boolean;
    readonly failed: boolean;
    readonly verified: boolean;
    readonly known: string;
    /** Items that were looked at and have not changed since. */
    readonly fresh: string;
  };
  /** Changes that nobody has looked at since they ended, items ever changed, calls that still run. */
  readonly open: readonly Change[];
  readonly changed: string;
  readonly running: readonly number[];
  /** Items that calls which still run are changing. */
  readonly busy: string;
};
const NEW_TURN = { looked: false, failed: false, verified: false, known: '', fresh: '' };

const accepted = ({ budget, turn, open, busy }: World, claim: (typeof CLAIMS)[number]): boolean => {
  if (claim === 'unverified' || claim === 'none') return true;
  if (claim === 'completion') return budget > 0 && turn.verified && open.length === 0;
  if (claim === 'negative') return budget > 0 && (turn.looked || turn.failed);
  return budget > 0 && [...turn.fresh].some((item) => !busy.includes(item));
};

const ended = (world: World, item: string, id: number): World => {
  const open = [...world.open.filter((change) => change.id !== id), { item, id, ended: true }];
  return {
    ...world,
    open,
    changed: world.changed + item,
    turn: { ...world.turn, known: '', fresh: world.turn.fresh.replaceAll(item, '') },
  };
};

const read = (world: World, item: string, cap: number, refill: number): World => {
  const { turn } = world;
  const open = world.open.filter((change) => !change.ended || change.item !== item);
  if (open.length === world.open.length && turn.known.includes(item)) return world;
  const verified = turn.verified || world.changed.includes(item);
  const next = { ...turn, looked: true, verified, known: turn.known + item, fresh: turn.fresh + item };
  return { ...world, open, turn: next, budget: Math.min(cap, world.budget + refill) };
};

const next = (world: World, event: Event, id: number, cap: number, refill: number): World => {
  const [verb, item = ''] = event.split(' ');
  const { turn, open, running } = world;
  if (verb === 'start')
    return {
      ...world,
      running: [...running, id],
      busy: world.busy + item,
      open: [...open, { item, id, ended: false }],
    };
  if (verb === 'end')
    return { ...ended(world, item, running[0] ?? 0), running: running.slice(1), busy: world.busy.slice(1) };
  if (verb === 'write') return ended(world, item, id);
  if (verb === 'read') return read(world, item, cap, refill);
  if (verb === 'fail') return { ...world, turn: { ...turn, failed: true } };
  if (verb === 'turn') return { ...world, budget: cap, turn: NEW_TURN };
  if (verb === 'complete')
    return accepted(world, 'completion') ? world : { ...world, budget: Math.max(0, world.budget - 1) };
  return open.length === 0 ? world : { ...world, open: [], turn: { ...turn, verified: false, known: '' } };
};

function check(
  config: GateConfig,
  cap: number,
  refill: number,
  length: number,
): { readonly compared: number; readonly faults: string[] } {
  const gate = createGate(config);
  const faults: string[] = [];
  let compared = 0;
  type State = typeof gate.initial;
  const begin = (state: State, seq: number, id: string, tool: string, item: string): State => {
    const call = { id, tool, arguments: { path: item } };
    return gate.start(state, { call, startSeq: seq, effects: gate.effectsOf(call) });
  };
  const end = (state: State, seq: number, callId: string, outcome: 'ok' | 'error', result: string): State =>
    gate.observe(state, { callId, endSeq: seq, outcome, result });
  const step = (state: State, event: Event, seq: number, running: readonly number[]): State => {
    const item = event.slice(-1);
    const id = `c${seq}`;
    if (event === 'turn') return gate.beginTurn(state);
    if (event === 'complete') return gate.submit(state, { type: 'completion' }).state;
    if (event === 'unverified') return gate.submit(state, { type: 'unverified' }).state;
    if (event === 'start a') return begin(state, seq, id, 'write', item);
    if (event === 'end a') return end(state, seq, `c${running[0]}`, 'ok', 'stored');
    const began = begin(state, seq, id, event === 'write b' ? 'write' : 'read', item);
    if (event === 'fail a') return end(began, seq + 1, id, 'error', 'the disk is gone');
    return end(began, seq + 1, id, 'ok', event === 'write b' ? 'stored' : `the text of ${item}`);
  };
  const visit = (path: readonly string[], state: State, world: World): void => {
    for (const claim of CLAIMS) {
      const asked = claim === 'negative' ? ({ type: 'assertion', stance: 'negative' } as const) : { type: claim };
      const verdict = gate.submit(state, asked).verdict.type;
      compared += 1;
      const expected = accepted(world, claim) ? 'accepted' : 'refused';
      if (verdict !== expected) faults.push(`${path.join(', ')}: ${claim} is ${verdict}, not ${expected}`);
    }
    if (path.length === length) return;
    for (const event of EVENTS) {
      if (event === 'end a' && world.running.length === 0) continue;
      const seq = path.length * 2 + 1;
      visit([...path, event], step(state, event, seq, world.running), next(world, event, seq, cap, refill));
    }
  };
  visit([], gate.initial, { budget: cap, turn: NEW_TURN, open: [], changed: '', running: [], busy: '' });
  return { compared, faults };
}

describe('the gate against a specification by someone who had not read it', () => {
  const tools: GateConfig['tools'] = {
    read: { kind: 'read', targets: ['/path'] },
    write: { kind: 'write', targets: ['/path'] },
  };
  const length = process.env['WARRANT_SOAK'] ? 7 : 5;

  it.each([
    { cap: 6, refill: 2 },
    { cap: 2, refill: 1 },
  ])('agrees on every claim after every sequence with a budget of $cap', { timeout: 3_600_000 }, ({ cap, refill }) => {
    const { compared, faults } = check({ tools, cap, refill }, cap, refill, length);
    expect(faults.sort((left, right) => left.length - right.length).slice(0, 20)).toEqual([]);
    expect(compared).toBeGreaterThan(EVENTS.length ** (length - 1));
  });
});
