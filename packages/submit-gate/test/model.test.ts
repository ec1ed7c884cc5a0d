import type { CallEffects } from '@warrant/core';
import { describe, expect, it } from 'vitest';
import { createGate, type GateState } from '../src/index.ts';
import { type Event, type Model, next, start } from './model.ts';

const gate = createGate({ cap: 3, refill: 1 });
const QUIET: CallEffects = { class: 'read', reads: [], writes: [], deletes: [], unknownTargets: [], network: 'no' };
type Real = {
  readonly state: GateState;
  readonly seq: number;
  readonly read: string | null;
  readonly write: string | null;
};

function begin(real: Real, id: string, item: string, writes: boolean): Real {
  const effects: CallEffects = writes ? { ...QUIET, class: 'write', writes: [item] } : { ...QUIET, reads: [item] };
  const call = { id, tool: writes ? 'put' : 'get', arguments: { path: item } };
  return { ...real, seq: real.seq + 1, state: gate.start(real.state, { call, startSeq: real.seq, effects }) };
}

function end(real: Real, callId: string, outcome: 'ok' | 'error', result: string): Real {
  return { ...real, seq: real.seq + 1, state: gate.observe(real.state, { callId, endSeq: real.seq, outcome, result }) };
}

function apply(real: Real, event: Event): readonly [Real, boolean | null] {
  const id = `c${real.seq}`;
  switch (event.type) {
    case 'write':
    case 'failed-write':
      return [end(begin(real, id, event.item, true), id, event.type === 'write' ? 'ok' : 'error', 'done'), null];
    case 'begin-write':
      return [{ ...begin(real, id, event.item, true), write: id }, null];
    case 'end-write':
      return [{ ...end(real, real.write as string, 'ok', 'done'), write: null }, null];
    case 'read':
      return [end(begin(real, id, event.item, false), id, 'ok', 'same'), null];
    case 'empty-read':
      return [end(begin(real, id, event.item, false), id, 'ok', ''), null];
    case 'begin-read':
      return [{ ...begin(real, id, 'a', false), read: id }, null];
    case 'end-read':
      return [{ ...end(real, real.read as string, 'ok', 'same'), read: null }, null];
    case 'reason':
      return [{ ...real, state: gate.reason(real.state) }, null];
    case 'turn':
      return [{ ...real, state: gate.beginTurn(real.state) }, null];
    default: {
      const { state, verdict } = gate.submit(real.state, { type: event.type });
      return [{ ...real, state }, verdict.type === 'accepted'];
    }
  }
}

function possible(real: Real, event: Event): boolean {
  if (event.type === 'begin-read') return real.read === null;
  if (event.type === 'end-read') return real.read !== null;
  if (event.type === 'begin-write') return real.write === null;
  // A change that was reported while it ran is told apart by the package's own tests.
  if (event.type === 'end-write') return real.write !== null && real.state.open.some((item) => item.id === real.write);
  return true;
}

const NARROW: readonly Event[] = [
  { type: 'write', item: 'a' },
  { type: 'write', item: 'b' },
  { type: 'read', item: 'a' },
  { type: 'completion' },
  { type: 'unverified' },
];
const MIDDLE: readonly Event[] = [...NARROW, { type: 'read', item: 'b' }, { type: 'turn' }];
const WIDE: readonly Event[] = [
  ...MIDDLE,
  { type: 'begin-write', item: 'a' },
  { type: 'end-write' },
  { type: 'begin-read' },
  { type: 'end-read' },
  { type: 'failed-write', item: 'a' },
  { type: 'empty-read', item: 'a' },
  { type: 'assertion' },
  { type: 'reason' },
];

/** Every sequence up to `depth`; after each, model and gate must agree about the budget and all three claims. */
function explore(alphabet: readonly Event[], depth: number): number {
  let count = 0;
  const visit = (real: Real, model: Model, path: readonly Event[]): void => {
    count += 1;
    if (real.state.budget !== model.budget)
      expect.fail(`budget ${real.state.budget}, not ${model.budget}, after ${JSON.stringify(path)}`);
    for (const type of ['completion', 'assertion', 'unverified'] as const) {
      const got = gate.submit(real.state, { type }).verdict.type === 'accepted';
      if (got !== next(model, { type })[1]) expect.fail(`${type}: ${got} after ${JSON.stringify(path)}`);
    }
    if (path.length === depth) return;
    for (const event of alphabet) {
      if (!possible(real, event)) continue;
      const [nextReal, got] = apply(real, event);
      const [nextModel, wanted] = next(model, event);
      if (got !== wanted) expect.fail(`${event.type}: ${got} after ${JSON.stringify(path)}`);
      visit(nextReal, nextModel, [...path, event]);
    }
  };
  visit({ state: gate.initial, seq: 1, read: null, write: null }, start, []);
  return count;
}

describe('every sequence of events', () => {
  const soak = process.env['WARRANT_SOAK'] !== undefined;

  it('up to seven of a narrow alphabet is judged as the model judges it', () => {
    expect(explore(NARROW, 7)).toBe((5 ** 8 - 1) / 4);
  }, 300_000);

  it(`up to ${soak ? 7 : 4} with turns and a second look is judged as the model judges it`, () => {
    expect(explore(MIDDLE, soak ? 7 : 4)).toBe((7 ** (soak ? 8 : 5) - 1) / 6);
  }, 900_000);

  it(`up to ${soak ? 5 : 3} of a wide alphabet is judged as the model judges it`, () => {
    expect(explore(WIDE, soak ? 5 : 3)).toBeGreaterThan(soak ? 200_000 : 1_500);
  }, 900_000);
});
