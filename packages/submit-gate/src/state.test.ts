import { isWarrantError } from '@warrant/core';
import { describe, expect, it } from 'vitest';
import { createGate } from './gate.ts';
import { appended, collapse, initialState, isCovered, isFresh, nextTurn, progressOf, resumed } from './state.ts';
import { obligation, runningCall, stateOf } from './testing.ts';
import type { GateState, RunningCall } from './types.ts';

const gate = createGate();
const FIRST: GateState = {
  version: 3,
  config: gate.config.digest,
  turn: 1,
  budget: 6,
  halted: false,
  rejections: 0,
  grounded: false,
  verified: false,
  absent: false,
  trailingError: false,
  seq: 0,
  lastMutation: null,
  lastVerification: null,
  running: [],
  open: [],
  beyond: 0,
  met: { count: 0, last: null },
  reportedUnverified: 0,
  changed: [],
  things: [],
  past: { changed: null, seen: null, unseen: false },
  unknownChange: null,
  signals: {},
  failing: [],
  evidence: [],
  considered: [],
  novelty: [],
  recent: [],
  codes: [],
  codesFull: false,
};
/** A state after much has happened. */
const LATE: GateState = {
  ...FIRST,
  budget: 2,
  halted: true,
  rejections: 3,
  grounded: true,
  verified: true,
  absent: true,
  trailingError: true,
  seq: 20,
  lastMutation: 8,
  lastVerification: 12,
  running: [runningCall()],
  open: [obligation()],
  beyond: 2,
  met: { count: 4, last: { id: 'x', by: 'y' } },
  reportedUnverified: 1,
  changed: ['a'],
  things: [{ name: 'a', changed: 8 }],
  past: { changed: 1, seen: null, unseen: true },
  unknownChange: 3,
  signals: { s: { from: 9 } },
  failing: ['t'],
  evidence: [{ callId: 'x', tier: 'observed', seq: 9 }],
  considered: [{ callId: 'x', tool: 't', evidence: 'positive', tier: 'observed', cause: 'ok' }],
  novelty: [7],
  recent: [8],
  codes: ['abcde'],
  codesFull: true,
};

describe('a state', () => {
  it('is empty at first', () => {
    expect(initialState(gate.config)).toStrictEqual(FIRST);
  });

  it('forgets in a new turn what was seen, not what is open, changed or known', () => {
    expect(nextTurn(gate.config, LATE)).toStrictEqual({
      ...LATE,
      turn: 2,
      budget: 6,
      halted: false,
      grounded: false,
      verified: false,
      absent: false,
      trailingError: false,
      evidence: [],
      considered: [],
      novelty: [],
      recent: [],
    });
    const session = createGate({ settings: { noveltySpan: 'session' } });
    expect(nextTurn(session.config, LATE)).toMatchObject({ novelty: LATE.novelty, recent: LATE.recent });
  });
});

describe('a state from elsewhere', () => {
  const failure = (state: unknown): unknown => {
    try {
      return resumed(gate.config, state) === state ? null : 'another';
    } catch (error) {
      return isWarrantError(error) ? { code: error.code, data: error.data } : error;
    }
  };
  const invalid = (data: object): object => ({ code: 'SUBMIT_GATE_STATE_INVALID', data });

  it('is taken as it is where this config made it', () => {
    expect([FIRST, LATE].map(failure)).toEqual([null, null]);
  });

  it.each([undefined, null, 'state', 5, [], {}, { ...FIRST, version: 1 }])('%j is none', (state) => {
    expect(failure(state)).toEqual(invalid({}));
  });

  it.each(Object.keys(FIRST).filter((member) => member !== 'version'))('needs its %s, of its kind', (member) => {
    const { [member as keyof GateState]: own, ...rest } = LATE;
    const others = [undefined, true, 'x', 5, [], {}].filter(
      (other) => typeof other !== typeof own || Array.isArray(other) !== Array.isArray(own),
    );
    expect(failure(rest)).toEqual(invalid({ member }));
    for (const other of others) expect(failure({ ...LATE, [member]: other })).toEqual(invalid({ member }));
  });

  it('is refused where another config made it', () => {
    const other = createGate({ cap: 9 }).config.digest;
    expect(failure({ ...LATE, config: other })).toEqual({
      code: 'SUBMIT_GATE_CONFIG_CHANGED',
      data: { made: other, now: gate.config.digest },
    });
  });
});

describe('lists with a limit', () => {
  it('lose the oldest', () => {
    expect(appended([], 1, 2)).toEqual([1]);
    expect(appended([1], 2, 2)).toEqual([1, 2]);
    expect(appended([1, 2], 3, 2)).toEqual([2, 3]);
    expect(appended([1, 2, 3, 4], 5, 2)).toEqual([4, 5]);
  });

  it('of open changes count what they lose, by number and by size', () => {
    const left = (limits: object, ...sizes: readonly number[]): unknown => {
      const draft = stateOf(gate, {
        open: sizes.map((size, index) => obligation({ id: `${index}`, size })),
        beyond: 1,
      });
      collapse(createGate({ limits }).config, draft);
      return [draft.open.map((item) => item.id).join(''), draft.beyond];
    };
    expect(left({ open: 2 }, 1, 1)).toEqual(['01', 1]);
    expect(left({ open: 2 }, 1, 1, 1, 1)).toEqual(['23', 3]);
    expect(left({ openSize: 30 }, 10, 20)).toEqual(['01', 1]);
    expect(left({ openSize: 29 }, 10, 20)).toEqual(['1', 2]);
    expect(left({ openSize: 29 }, 10, 20, 15, 14)).toEqual(['23', 3]);
    expect(left({ openSize: 9 }, 10)).toEqual(['', 2]);
  });
});

describe('a signal', () => {
  const fresh = (running: readonly Partial<RunningCall>[], covers?: readonly string[], name = 's'): boolean =>
    isFresh(
      stateOf(gate, {
        signals: { s: covers === undefined ? { from: 1 } : { from: 1, covers } },
        running: running.map(runningCall),
      }),
      name,
    );

  it('is fresh where it was given', () => {
    expect([fresh([]), fresh([], [], 't'), fresh([], [], 'constructor')]).toEqual([true, false, false]);
  });

  it.each<[string, Partial<RunningCall>, boolean]>([
    ['a look', { kind: 'read', targets: ['src/a'] }, true],
    ['a check', { kind: 'check', targets: [] }, true],
    ['a neutral call', { kind: 'neutral', targets: null }, true],
    ['a write of what it covers', { kind: 'write', targets: ['src/a'] }, false],
    ['a write elsewhere', { kind: 'write', targets: ['docs/a'] }, true],
    ['a run', { kind: 'run', targets: null }, false],
  ])('beside %s', (_, call, expected) => {
    expect([fresh([call], ['src']), fresh([runningCall(), call], ['src'])]).toEqual([expected, expected]);
  });

  it.each<[readonly string[] | undefined, readonly string[] | null, boolean]>([
    [undefined, ['a'], true],
    [['src'], null, true],
    [['src'], ['src'], true],
    [['src'], ['src/a'], true],
    [['src/'], ['src/a'], true],
    [['src'], ['srca'], false],
    [['/src'], ['/src/a'], true],
    [['/src'], ['/srca'], false],
    [['src'], ['docs/a', 'src/a'], true],
    [['docs', 'src'], ['src/a'], true],
    [['src'], ['docs/a'], false],
    [['src'], [], false],
    [[], ['src/a'], false],
  ])('over %j is touched by a change of %j: %s', (covers, targets, expected) => {
    expect(isCovered(covers, targets)).toBe(expected);
  });
});

describe('progress', () => {
  it('is the state in numbers', () => {
    const { config } = createGate({ goals: ['s', 't'], cap: 9, refill: 3 });
    expect(progressOf(config, LATE)).toStrictEqual({
      budget: 2,
      cap: 9,
      refill: 3,
      budgetHeadroom: 7,
      turn: 1,
      grounded: true,
      verified: true,
      rejections: 3,
      halted: true,
      sinceMutation: 12,
      sinceVerification: 8,
      observations: 1,
      open: 3,
      met: 4,
      reportedUnverified: 1,
      unmetSignals: ['t'],
    });
    expect(progressOf(config, FIRST)).toMatchObject({ sinceMutation: null, sinceVerification: null });
  });
});
