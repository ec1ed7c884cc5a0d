import { isWarrantError } from '@warrant/core';
import { describe, expect, it } from 'vitest';
import { createGate } from './gate.ts';
import { observed } from './observe.ts';
import { obligation, runningCall, stateOf, stepOf } from './testing.ts';
import type { Considered, GateState, ObservationFacts, RecordedObservation, RunningCall, SubmitGate } from './types.ts';

type Answer = {
  readonly gate?: SubmitGate;
  readonly state?: Partial<GateState>;
  readonly call?: Partial<RunningCall>;
  readonly facts?: Partial<ObservationFacts>;
  readonly event?: Partial<RecordedObservation>;
};

const plain = createGate();
const reference = createGate({ settings: { obligations: 'last-mutation', surfaceGrowth: 'never' } });

/** The state after a call that began at 10 and ended at 11 with these facts. */
function answered(answer: Answer): GateState {
  const gate = answer.gate ?? plain;
  const step = stepOf(gate, answer.call ?? {}, answer.facts, answer.event);
  const members = { seq: 10, trailingError: true, ...answer.state };
  const running = [...(members.running ?? []), step.call];
  const facts = { ...step.facts, codes: '' };
  return observed(gate.config, stateOf(gate, { ...members, running }), { ...step.event, facts });
}

/** What the answer counted for: tier, cause and class, and whether it ends the turn as a failure. */
function counted(answer: Answer): string {
  const next = answered(answer);
  const last = next.considered.at(-1) as Considered;
  return `${last.tier} ${last.cause} ${last.evidence}${next.trailingError ? ' failed' : ''}`;
}

const write = (members: Partial<RunningCall> = {}): RunningCall =>
  runningCall({ id: 'other', kind: 'write', ...members });
const check = (members: Partial<RunningCall> = {}): Partial<RunningCall> => ({
  kind: 'check',
  exact: true,
  ...members,
});

describe('the end of a call', () => {
  const codeOf = (endSeq: number): unknown => {
    try {
      answered({ event: { endSeq } });
      return null;
    } catch (error) {
      return isWarrantError(error) ? error.code : error;
    }
  };

  it('does not come before its start', () => {
    expect([9, 10, 11, 10.5, Number.NaN, 2 ** 53].map(codeOf)).toEqual([
      'SUBMIT_GATE_SEQUENCE',
      null,
      null,
      'SUBMIT_GATE_SEQUENCE',
      'SUBMIT_GATE_SEQUENCE',
      'SUBMIT_GATE_SEQUENCE',
    ]);
  });

  it('takes it off the list of those that run and moves the count forward, never back', () => {
    const next = answered({ state: { running: [write()], seq: 20 } });
    expect([next.running.map((call) => call.id), next.seq]).toEqual([['other'], 20]);
    expect(answered({ event: { endSeq: 30 } })).toMatchObject({ running: [], seq: 30 });
  });

  it('of one that never began changes nothing', () => {
    const state = stateOf(plain, { running: [runningCall()] });
    expect(observed(plain.config, state, { callId: 'other', endSeq: 1, outcome: 'ok', result: '' })).toBe(state);
  });

  it('of one that a guard refused leaves nothing open, nor known', () => {
    const open = [obligation({ id: 'look' }), obligation()];
    const next = answered({ call: { kind: 'write' }, state: { open }, event: { outcome: 'not-run' } });
    expect([next.open.map((item) => item.id), next.lastMutation, next.trailingError]).toEqual([['change'], null, true]);
    expect(next.considered).toEqual([
      { callId: 'look', tool: 'look', evidence: 'not-run', tier: 'none', cause: 'not-run' },
    ]);
  });
});

describe('a neutral call', () => {
  const call = { kind: 'neutral', targets: null } as const;

  it('is no look, whatever it answers', () => {
    expect(counted({ call })).toBe('none neutral positive');
    expect(counted({ call, facts: { evidence: 'empty' } })).toBe('none neutral empty');
    expect(counted({ call, facts: { evidence: 'error' } })).toBe('none neutral error failed');
    expect(counted({ call, facts: { evidence: 'error' }, state: { trailingError: false } })).toMatch(/failed$/);
    expect(answered({ call }).grounded).toBe(false);
  });

  it('may give signals that the shell names', () => {
    expect(answered({ call, event: { signals: ['s'] } }).signals).toEqual({ s: { from: 10 } });
    expect(answered({ call, event: { signals: ['s'], outcome: 'error' } }).signals).toEqual({});
    expect(answered({ event: { signals: ['s'] } }).signals).toEqual({ s: { from: 10 } });
  });
});

describe('a look', () => {
  const known = { novelty: 7 };
  const mark = { novelty: [7] };
  const surface = createGate({ surface: ['s'] });
  const meets = { meets: true };
  const open = { open: [obligation()], lastMutation: 5 };
  const at = (...targets: string[]): Partial<RunningCall> => ({ targets });
  const gone = { open: [obligation({ gone: ['a'] })], lastMutation: 5 };

  it.each<[string, Answer, string]>([
    ['that is new and relevant is observed', {}, 'observed ok positive'],
    ['that is known counts for nothing', { facts: known, state: mark }, 'none not-novel positive'],
    ['that is of nothing asked for counts for nothing', { gate: surface }, 'none not-relevant positive'],
    ['that meets a change is verified', { call: at('a'), state: open }, 'verified ok positive'],
    [
      'that meets one is verified though it is known',
      { call: at('a'), state: { ...open, ...mark }, facts: known },
      'verified ok positive',
    ],
    [
      'that meets one is verified though it is not on the surface',
      { gate: surface, call: at('a'), state: open },
      'verified ok positive',
    ],
    ['that contradicts one counts for nothing', { call: at('a'), state: gone }, 'none contradicting contradicting'],
    ['that failed counts for nothing', { facts: { evidence: 'error' } }, 'none error error failed'],
    [
      'that failed counts for nothing, after success',
      { facts: { evidence: 'error' }, state: { trailingError: false } },
      'none error error failed',
    ],
    ['that found nothing counts for nothing', { facts: { evidence: 'empty' } }, 'none empty empty'],
    [
      'that failed where something should be gone is verified',
      { call: at('a'), state: gone, facts: { evidence: 'error' } },
      'verified ok error',
    ],
    [
      'that found nothing there is verified',
      { call: at('a'), state: gone, facts: { evidence: 'empty' } },
      'verified ok empty',
    ],
  ])('%s', (_, answer, expected) => {
    expect(counted(answer)).toBe(expected);
  });

  it.each<[string, Answer, boolean]>([
    ['a success', {}, false],
    ['an error', { facts: { evidence: 'error' } }, true],
    ['an empty answer', { facts: { evidence: 'empty' } }, true],
    ['an error about something else', { gate: surface, facts: { evidence: 'error' } }, false],
    ['an error on the surface', { gate: surface, call: meets, facts: { evidence: 'error' } }, true],
    [
      'an error where every answer counts',
      { gate: createGate({ settings: { evidence: 'any' } }), facts: { evidence: 'error' } },
      false,
    ],
    ['what should be gone and is not', { call: at('a'), state: gone }, true],
    ['what is gone', { call: at('a'), state: gone, facts: { evidence: 'error' } }, true],
    [
      'what is gone, off the surface',
      { gate: surface, call: at('a'), state: gone, facts: { evidence: 'error' } },
      true,
    ],
  ])('%s supports that something is absent or failed: %s', (_, answer, absent) => {
    expect(answered(answer).absent).toBe(absent);
  });

  it.each<[string, Answer, string]>([
    [
      'at something changed is verified',
      { call: at('a'), state: { changed: ['a'], lastMutation: 5 } },
      'verified ok positive',
    ],
    [
      'at a changed thing off the surface as well',
      { gate: surface, call: at('b', 'a'), state: { changed: ['a'], lastMutation: 5 } },
      'verified ok positive',
    ],
    [
      'whose answer names it',
      {
        gate: surface,
        call: { targets: null },
        facts: { mentions: ['b', 'a'] },
        state: { changed: ['a'], lastMutation: 5 },
      },
      'verified ok positive',
    ],
    [
      'whose answer shows it',
      {
        gate: surface,
        call: { targets: null },
        facts: { shows: ['b', 'a'] },
        state: { changed: ['a'], lastMutation: 5 },
      },
      'verified ok positive',
    ],
    ['with nothing changed is not', { gate: surface, call: at('a') }, 'none not-relevant positive'],
    [
      'at something else is not',
      { gate: surface, call: at('b'), state: { changed: ['a'], lastMutation: 5 } },
      'none not-relevant positive',
    ],
    [
      'at one that changed after it began is only observed',
      {
        gate: surface,
        call: at('a'),
        state: { changed: ['a'], lastMutation: 10, things: [{ name: 'a', changed: 10 }] },
      },
      'observed ok positive',
    ],
    [
      'at one that only something else changed after is verified',
      { call: at('a'), state: { changed: ['a'], lastMutation: 10, things: [{ name: 'a', changed: 5 }] } },
      'verified ok positive',
    ],
    [
      'that is on the surface, after a change, is verified',
      { gate: surface, call: meets, state: { lastMutation: 9 } },
      'verified ok positive',
    ],
    [
      'that is on the surface, begun as it ended, is observed',
      { gate: surface, call: meets, state: { lastMutation: 10 } },
      'observed ok positive',
    ],
    ['that is on the surface, without a change, is observed', { gate: surface, call: meets }, 'observed ok positive'],
    ['after a change, without a surface, is observed', { state: { lastMutation: 9 } }, 'observed ok positive'],
  ])('%s', (_, answer, expected) => {
    expect(counted(answer)).toBe(expected);
  });

  it.each<[string, Answer, string]>([
    ['after it is verified', { state: { lastMutation: 9 } }, 'verified ok positive'],
    ['begun as it ended is observed', { state: { lastMutation: 10 } }, 'observed ok positive'],
    ['without one is observed', {}, 'observed ok positive'],
    [
      'at what else was changed is no different',
      { call: at('a'), state: { changed: ['a'], things: [{ name: 'a', changed: 3 }], lastMutation: 10 } },
      'observed ok positive',
    ],
    ['meets no change alone', { call: at('a'), state: { ...open, lastMutation: 10 } }, 'observed ok positive'],
  ])('where the last change counts, %s', (_, answer, expected) => {
    expect(counted({ gate: reference, ...answer })).toBe(expected);
  });

  it('where the last change counts, keeps no names', () => {
    expect(answered({ gate: reference, call: at('a') }).things).toEqual([]);
  });

  it('keeps the names of what it was of, and of what is known and shown', () => {
    const things = [{ name: 'b' }];
    const facts = { shows: ['b', 'c'] };
    expect(answered({ call: at('a'), facts, state: { things } }).things).toEqual([
      { name: 'a', seen: 10 },
      { name: 'b', seen: 10 },
    ]);
    expect(answered({ call: { targets: null }, facts }).things).toEqual([]);
    expect(answered({ call: at('a'), facts: { ...facts, evidence: 'error' }, state: { things } }).things).toEqual(
      things,
    );
  });

  it('keeps the name of what is gone although it failed', () => {
    expect(answered({ call: at('a'), state: gone, facts: { evidence: 'error' } }).things).toEqual([
      { name: 'a', seen: 10 },
    ]);
  });

  it('counts once as new, and remembers what it showed', () => {
    const next = answered({ call: at('a') });
    expect([next.recent, next.codes.join('').length, next.grounded]).toEqual([[7], 5, true]);
    const other = answered({ gate: surface, call: at('a') });
    expect([other.recent, other.codes.join('').length, other.grounded]).toEqual([[], 5, false]);
    expect(answered({ call: at('a'), facts: known, state: mark }).codes).toEqual([]);
  });
});

describe('a check', () => {
  it.each<[string, Answer, string]>([
    ['that exits well passes', { call: check() }, 'observed signal positive'],
    ['whose exit code is another one does not', { call: check({ exact: false }) }, 'none error error failed'],
    ['of which nobody knows whose exit code it is does not', { call: { kind: 'check' } }, 'none error error failed'],
    ['that printed an error does not', { call: check(), facts: { evidence: 'error' } }, 'none error error failed'],
    ['that failed does not', { call: check(), event: { outcome: 'error' } }, 'none error error failed'],
    [
      'that failed after success does not',
      { call: check(), event: { outcome: 'error' }, state: { trailingError: false } },
      'none error error failed',
    ],
    [
      'that reports success passes, whosever the exit code',
      { call: { kind: 'check' }, facts: { passed: ['s'] } },
      'observed signal positive',
    ],
    [
      'that reports success in an error passes not',
      { call: check(), facts: { passed: ['s'] }, event: { outcome: 'error' } },
      'none error error failed',
    ],
    ['that reports failure does not', { call: check(), facts: { failed: ['s'] } }, 'none error error failed'],
    [
      'that reports both does not',
      { call: check(), facts: { passed: ['s'], failed: ['t'] } },
      'none error error failed',
    ],
  ])('%s', (_, answer, expected) => {
    expect(counted(answer)).toBe(expected);
  });

  it('that fails takes back the signals it would have given and those it reports, and supports failure', () => {
    const signals = { own: { from: 1 }, told: { from: 2 }, other: { from: 3 } };
    const next = answered({ call: check({ signals: ['own'] }), facts: { failed: ['told'] }, state: { signals } });
    expect([next.signals, next.absent]).toEqual([{ other: { from: 3 } }, true]);
    expect(answered({ call: check(), facts: { failed: ['told'] }, state: { signals } }).signals).toEqual({
      own: { from: 1 },
      other: { from: 3 },
    });
  });

  it('that passes gives its own signals, those reported and those the shell names', () => {
    const facts = { passed: ['told'] };
    const event = { signals: ['named'] };
    const from = { from: 10 };
    expect(answered({ call: check({ signals: ['own'] }), facts, event }).signals).toEqual({
      own: from,
      told: from,
      named: from,
    });
    expect(answered({ call: check() }).signals).toEqual({});
    expect(answered({ call: check({ signals: ['own'] }) }).signals).toEqual({ own: from });
    expect(answered({ call: { kind: 'run', targets: null, signals: ['own'] }, facts }).signals).toEqual({ told: from });
  });

  it('beside a change gives no signals, unless they hold for ever', () => {
    const call = check({ signals: ['own'] });
    const forever = createGate({ settings: { signals: 'forever' } });
    const after = (lastMutation: number, gate = plain): readonly string[] =>
      Object.keys(answered({ gate, call, state: { lastMutation } }).signals);
    expect([after(9), after(10), after(11), after(11, forever)]).toEqual([['own'], [], [], ['own']]);
    expect(answered({ call: { ...call, from: 0 } }).signals).toEqual({ own: { from: 0 } });
  });

  it.each<[string, Partial<GateState>, string]>([
    ['of nothing', {}, 'observed'],
    ['of a change before it', { lastMutation: 9 }, 'verified'],
    ['as a change ended', { lastMutation: 10 }, 'observed'],
    ['beside one that ended', { lastMutation: 11 }, 'observed'],
    ['of nobody knows what before it', { lastMutation: 11, unknownChange: 9 }, 'verified'],
    ['as nobody knows what ended', { lastMutation: 11, unknownChange: 10 }, 'observed'],
    ['beside a write', { lastMutation: 9, running: [runningCall({ id: 'x' }), write()] }, 'observed held'],
    ['beside a run', { lastMutation: 9, running: [write({ kind: 'run', targets: null })] }, 'observed held'],
    ['beside a look', { lastMutation: 9, running: [runningCall({ id: 'x' })] }, 'verified'],
    ['beside a write, with no change before', { running: [write()] }, 'observed'],
    ['beside a write, as a change ended', { lastMutation: 10, running: [write()] }, 'observed'],
    [
      'of nobody knows what before it, beside a write',
      { unknownChange: 9, lastMutation: 9, running: [write()] },
      'verified',
    ],
    [
      'of a change of unknown targets, beside a write',
      { open: [obligation({ targets: null })], lastMutation: 11, running: [write()] },
      'verified',
    ],
  ])('%s', (_, state, expected) => {
    const next = answered({ call: check(), state });
    const held = next.evidence.at(-1)?.held === true ? ' held' : '';
    expect(`${next.considered.at(-1)?.tier}${held}`).toBe(expected);
    expect(next.verified).toBe(expected === 'verified');
  });

  it('beside a write holds nothing where the last change counts', () => {
    const next = answered({ gate: reference, call: check(), state: { lastMutation: 9, running: [write()] } });
    expect([next.considered.at(-1)?.tier, next.evidence.at(-1)]).toEqual([
      'observed',
      { callId: 'look', tier: 'observed', seq: 11 },
    ]);
  });

  it.each<[string, Parameters<typeof obligation>[0], number]>([
    ['of unknown targets', { targets: null }, 1],
    ['of known targets', {}, 0],
    ['that runs', { targets: null, ended: null }, 0],
    ['that ended as it began', { targets: null, ended: 10 }, 0],
    ['that ended just before', { targets: null, ended: 9 }, 1],
    ['of which something is expected', { targets: null, expects: { type: 'stated', value: 'x' } }, 0],
    ['that was contradicted', { targets: null, contradicted: { by: 'x', found: 'y' } }, 0],
  ])('meets a change %s: %i', (_, members, met) => {
    const next = answered({ call: check(), state: { open: [obligation(members)] } });
    expect([next.met.count, next.open.length]).toEqual([met, 1 - met]);
    expect(next.considered.at(-1)?.tier).toBe(met === 1 ? 'verified' : 'observed');
  });
});

describe('a write', () => {
  it('is a change, whatever it answers', () => {
    const next = answered({
      call: { kind: 'write', targets: ['a'] },
      state: { open: [obligation({ id: 'look', ended: null })] },
    });
    expect([next.lastMutation, next.things, next.open[0]?.ended]).toEqual([11, [{ name: 'a', changed: 11 }], 11]);
    expect(next.considered.at(-1)?.cause).toBe('not-read-only');
  });
});

describe('a run of something unknown', () => {
  const call = { kind: 'run', targets: null } as const;
  const open = [obligation({ id: 'look', targets: null, ended: null })];
  const state = { open, signals: { s: { from: 1 } }, lastMutation: 3 };

  it('that reports success is a check and changes nothing', () => {
    const next = answered({ call, state, facts: { passed: ['t'] } });
    expect([next.open, next.lastMutation, next.unknownChange, Object.keys(next.signals)]).toEqual([
      [],
      3,
      null,
      ['s', 't'],
    ]);
  });

  it('that reports failure as well', () => {
    const next = answered({ call, state, facts: { failed: ['t'] } });
    expect([next.open, next.lastMutation, next.considered.at(-1)?.cause]).toEqual([[], 3, 'error']);
  });

  it('that reports nothing is a change', () => {
    const next = answered({ call, state });
    expect([next.open.length, next.lastMutation, next.signals, next.considered.at(-1)?.cause]).toEqual([
      1,
      11,
      {},
      'not-read-only',
    ]);
  });

  it('in front of a check has changed something before that began', () => {
    const changes = { ...call, changes: true };
    const facts = { passed: ['t'] };
    const next = answered({ call: changes, state, facts });
    expect([next.open, next.lastMutation, next.unknownChange, next.signals]).toEqual([[], 9, 9, { t: { from: 10 } }]);
    expect(next.considered.at(-1)?.tier).toBe('verified');
    const forever = answered({ gate: createGate({ settings: { signals: 'forever' } }), call: changes, state, facts });
    expect(Object.keys(forever.signals)).toEqual(['s', 't']);
  });
});
