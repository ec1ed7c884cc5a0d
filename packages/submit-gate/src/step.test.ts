import { describe, expect, it } from 'vitest';
import type { GateConfig } from './config-types.ts';
import { createGate } from './gate.ts';
import { knows, lookedAtName } from './memory.ts';
import { addNamedSignals, addSignals, lookAt, note, qualify, rememberAnswer, rememberShown } from './step.ts';
import { runningCall, stateOf, stepOf } from './testing.ts';
import type { GateState, RunningCall } from './types.ts';

const gate = createGate();
const KNOWN = 7_000_000_000_000;

describe('what an answer counted for', () => {
  it('is noted for the last eight', () => {
    const draft = stateOf(gate, {});
    for (let index = 0; index < 9; index += 1)
      note(draft, runningCall({ id: `${index}` }), { tier: 'none', cause: 'empty', evidence: 'empty' });
    expect(draft.considered.map((entry) => entry.callId).join('')).toBe('12345678');
    expect(draft.considered[0]).toStrictEqual({
      callId: '1',
      tool: 'look',
      evidence: 'empty',
      tier: 'none',
      cause: 'empty',
    });
  });

  it('ends the turn as a failure or a success, unless it was neither', () => {
    const trailing = [true, false].map((trailingError) =>
      [true, false, undefined].map((failed) => {
        const draft = stateOf(gate, { trailingError });
        note(draft, runningCall(), {
          tier: 'none',
          cause: 'error',
          evidence: 'error',
          ...(failed === undefined ? {} : { failed }),
        });
        return draft.trailingError;
      }),
    );
    expect(trailing).toEqual([
      [true, false, true],
      [true, false, false],
    ]);
  });

  it.each<[number, number]>([
    [0, 2],
    [3, 5],
    [4, 6],
    [5, 6],
    [6, 6],
  ])('gives back budget up to the cap: %i to %i', (budget, after) => {
    const draft = stateOf(gate, { budget, halted: true });
    qualify(draft, stepOf(gate, {}), 'observed');
    expect([draft.budget, draft.halted, draft.grounded, draft.verified, draft.lastVerification]).toEqual([
      after,
      false,
      true,
      false,
      null,
    ]);
    expect(draft.evidence).toEqual([{ callId: 'look', tier: 'observed', seq: 11 }]);
    qualify(draft, stepOf(gate, {}), 'verified');
    expect([draft.verified, draft.lastVerification]).toEqual([true, 11]);
  });

  it('is kept as evidence, the last 48', () => {
    const draft = stateOf(gate, {});
    for (let index = 0; index < 50; index += 1) qualify(draft, stepOf(gate, { id: `${index}` }), 'observed');
    expect([draft.evidence.length, draft.evidence[0]?.callId]).toEqual([48, '2']);
  });
});

describe('signals', () => {
  const named = (signals: readonly string[] | undefined, outcome: 'ok' | 'error'): readonly string[] => {
    const draft = stateOf(gate, { signals: { old: { from: 1 } } });
    addNamedSignals(draft, stepOf(gate, {}, {}, { outcome, ...(signals === undefined ? {} : { signals }) }));
    return Object.keys(draft.signals);
  };

  it('that the shell names count when the call succeeded', () => {
    expect([named(['s', 't'], 'ok'), named(['s'], 'error'), named([], 'ok'), named(undefined, 'ok')]).toEqual([
      ['old', 's', 't'],
      ['old'],
      ['old'],
      ['old'],
    ]);
  });

  const given = (
    names: readonly string[],
    config: GateConfig = {},
    before: GateState['signals'] = {},
  ): GateState['signals'] => {
    const own = createGate(config);
    const draft = stateOf(own, { signals: before });
    addSignals(draft, stepOf(own, {}), names);
    return draft.signals;
  };
  const numbered = (count: number, letter: string): readonly string[] =>
    Array.from({ length: count }, (_, index) => `${letter}${index}`);

  it('are named by up to 64 characters, and hold for what their tool covers', () => {
    expect(given(['x'.repeat(65), 'y'.repeat(64)])).toStrictEqual({
      ['x'.repeat(64)]: { from: 10 },
      ['y'.repeat(64)]: { from: 10 },
    });
    expect(given(['s'], { tools: { look: { covers: ['src'] } } })).toStrictEqual({ s: { from: 10, covers: ['src'] } });
  });

  it('are up to 32 at once and in all', () => {
    expect(Object.keys(given(numbered(40, 's')))).toEqual(numbered(32, 's'));
    const before = Object.fromEntries(numbered(20, 'a').map((name) => [name, { from: 1 }]));
    expect(Object.keys(given(numbered(20, 'b'), {}, before))).toEqual([
      ...numbered(20, 'a').slice(8),
      ...numbered(20, 'b'),
    ]);
  });
});

describe('a look', () => {
  type Look = ReturnType<typeof lookAt>;
  const look = (config: GateConfig, state: Partial<GateState>, call: Partial<RunningCall> = {}, facts = {}): Look => {
    const own = createGate(config);
    return lookAt(stateOf(own, state), stepOf(own, call, { novelty: KNOWN, ...facts }));
  };

  it('is new once', () => {
    expect(look({}, {})).toMatchObject({ novel: true, mark: KNOWN });
    expect(look({}, { novelty: [KNOWN] })).toMatchObject({ novel: false, mark: KNOWN });
    expect(look({}, { recent: [KNOWN] })).toMatchObject({ novel: false, mark: KNOWN });
    expect(look({}, { novelty: [1, KNOWN, 2], recent: [3] }).novel).toBe(false);
    expect(look({}, { novelty: [1, 2], recent: [3] }).novel).toBe(true);
  });

  it('is new again once it was forgotten', () => {
    const config = { limits: { novelty: 3 } };
    expect(look(config, { novelty: [KNOWN, 1], recent: [2] }).novel).toBe(false);
    expect(look(config, { novelty: [KNOWN, 1], recent: [2, 3] }).novel).toBe(true);
    expect(look(config, { novelty: [0, KNOWN, 1], recent: [2] }).novel).toBe(false);
    expect(look(config, { novelty: [0, 1, 2], recent: [KNOWN, 3, 4] }).novel).toBe(false);
  });

  it('of an exempt tool, or one of which nothing is kept, is always new and not remembered', () => {
    const exempt = { novel: true, mark: 0 };
    expect(look({ noveltyExempt: ['look'] }, { novelty: [KNOWN] })).toMatchObject(exempt);
    expect(look({ noveltyExempt: ['other'] }, { novelty: [KNOWN] }).novel).toBe(false);
    expect(look({}, { novelty: [KNOWN] }, {}, { novelty: 0 })).toMatchObject(exempt);
    expect(look({}, { lastMutation: 8 }, { after: 5 }, { novelty: 0 })).toMatchObject(exempt);
  });

  it('is new again after a change before it', () => {
    const changed = look({}, { novelty: [KNOWN], lastMutation: 8 }, { after: 5 });
    expect(changed.novel).toBe(true);
    expect(look({}, { novelty: [changed.mark], lastMutation: 9 }, { after: 5 }).novel).toBe(false);
    expect(look({}, { novelty: [changed.mark], lastMutation: 9 }, { after: 6 }).novel).toBe(true);
    expect(look({}, { novelty: [changed.mark], lastMutation: 5 }).novel).toBe(true);
    expect(look({}, { novelty: [changed.mark] }, { beside: [4, 5] }).novel).toBe(false);
    expect(look({}, { novelty: [changed.mark] }, { beside: [4] }).novel).toBe(true);
  });

  it('is new again after the last change, where that counts', () => {
    const config: GateConfig = { settings: { obligations: 'last-mutation' } };
    expect(look(config, { novelty: [KNOWN], lastMutation: 8 }, { after: 5 }).mark).toBe(
      look({}, {}, { after: 8 }).mark,
    );
    expect(look(config, { novelty: [KNOWN] }, { after: 5 }).novel).toBe(false);
  });

  it.each<[string, GateConfig, Partial<RunningCall>, object, boolean]>([
    ['anything, without a surface', {}, {}, {}, true],
    [
      'nothing, without a surface, where the setting says so',
      { settings: { emptySurface: 'nothing' } },
      {},
      { mentions: ['a'] },
      false,
    ],
    ['what is not on the surface', { surface: ['s'] }, {}, { shows: ['a'], mentions: ['a'] }, false],
    ['what its arguments name', { surface: ['s'] }, { meets: true }, {}, true],
    ['what it shows', { surface: ['r', 's'] }, {}, { shows: ['a', 's'] }, true],
    ['what it mentions', { surface: ['r', 's'] }, {}, { mentions: ['a', 's'] }, true],
    ['no token', { surface: ['s'], settings: { identifiers: 'tokens' } }, {}, {}, false],
    ['any token', { surface: ['s'], settings: { identifiers: 'tokens' } }, {}, { mentions: ['a'] }, true],
  ])('is relevant that is of %s: %#', (_, config, call, facts, relevant) => {
    expect(look(config, {}, call, facts).relevant).toBe(relevant);
  });

  it.each([1, 2, 3, 7, 8, 9, 20])('is remembered, the oldest forgotten beyond a limit of %i', (limit) => {
    const own = createGate({ limits: { novelty: limit } });
    const draft = stateOf(own, {});
    const marks = Array.from({ length: 60 }, (_, index) => index + 1);
    for (const [index, mark] of marks.entries()) {
      rememberAnswer(draft, stepOf(own, {}), { novel: true, relevant: true, mark });
      const known = marks.filter((novelty) => !lookAt(draft, stepOf(own, {}, { novelty })).novel);
      expect(known).toEqual(marks.slice(Math.max(0, index + 1 - limit), index + 1));
    }
    expect(draft.novelty.length).toBeLessThanOrEqual(limit);
    expect(draft.recent.length).toBeLessThanOrEqual(Math.min(8, limit));
  });

  it('is kept beside the others until eight have come', () => {
    const own = createGate();
    const draft = stateOf(own, {});
    const sizes = Array.from({ length: 18 }, (_, index) => {
      rememberAnswer(draft, stepOf(own, {}), { novel: true, relevant: true, mark: index + 1 });
      return `${draft.novelty.length}+${draft.recent.length}`;
    });
    expect(sizes.filter((_, index) => [0, 7, 8, 15, 16].includes(index))).toEqual(['0+1', '0+8', '8+1', '8+8', '16+1']);
  });

  it('is remembered only where it is new and something of it is kept', () => {
    const own = createGate();
    const draft = stateOf(own, {});
    rememberAnswer(draft, stepOf(own, {}), { novel: false, relevant: true, mark: 5 });
    rememberAnswer(draft, stepOf(own, {}), { novel: true, relevant: true, mark: 0 });
    expect([draft.novelty, draft.recent]).toEqual([[], []]);
  });

  it('leaves the answers of an earlier state as they were', () => {
    const own = createGate();
    const draft = stateOf(own, {});
    const seen: (readonly number[])[] = [];
    for (let mark = 1; mark <= 20; mark += 1) {
      rememberAnswer(draft, stepOf(own, {}), { novel: true, relevant: true, mark });
      seen.push(draft.recent, [...draft.recent], draft.novelty, [...draft.novelty]);
    }
    for (let at = 0; at < seen.length; at += 2) expect(seen[at]).toEqual(seen[at + 1]);
  });
});

describe('what was shown', () => {
  const shown = (config: GateConfig, state: Partial<GateState> = {}, call: Partial<RunningCall> = {}): string => {
    const own = createGate(config);
    const draft = stateOf(own, state);
    const event = { result: 'order 4711' };
    rememberShown(draft, stepOf(own, { targets: ['a', 'b'], ...call }, { shows: ['c'] }, event));
    const names = ['a', 'b', 'c', '4711', lookedAtName('a'), lookedAtName('b'), lookedAtName('c')];
    return names.map((name) => (knows(draft, name) ? 'x' : '-')).join('');
  };

  it('is known: targets, what the answer shows and its codes', () => {
    expect(shown({})).toBe('xxxx---');
    expect(shown({}, {}, { targets: null })).toBe('--xx---');
  });

  it('is not where codes are ignored, or no more fit', () => {
    expect(shown({ settings: { unseenCodes: 'ignore' } })).toBe('-------');
    expect(shown({}, { codesFull: true })).toBe('-------');
  });

  it('by name is kept apart where claims are held against what was changed', () => {
    expect(shown({ settings: { namedChanges: 'refuse' } })).toBe('xxxxxx-');
    expect(shown({ settings: { namedChanges: 'refuse' } }, {}, { kind: 'write' })).toBe('xxxx---');
  });

  it('of nothing leaves the memory as it was', () => {
    const draft = stateOf(gate, {});
    rememberShown(draft, stepOf(gate, { targets: null }));
    expect(draft.codes).toEqual([]);
  });
});
