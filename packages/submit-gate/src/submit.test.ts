import type { JsonObject } from '@warrant/core';
import { describe, expect, it } from 'vitest';
import type { GateConfig, GateSettings } from './config-types.ts';
import { createGate } from './gate.ts';
import { hashesOf, lookedAtName } from './memory.ts';
import { aggregateConfidence, criteriaFor, submitted, verifierQuestionOf } from './submit.ts';
import { obligation, runningCall, stateOf } from './testing.ts';
import type { Claim, Evidence, GateState, GateVerdict, Obligation } from './types.ts';

type Asked = {
  readonly config?: GateConfig;
  readonly state?: Partial<GateState>;
  readonly claim?: Partial<Claim>;
  readonly confidence?: number | null;
};

const plain = createGate();

function submit(asked: Asked): {
  readonly before: GateState;
  readonly state: GateState;
  readonly verdict: GateVerdict;
} {
  const gate = asked.config === undefined ? plain : createGate(asked.config);
  const before = stateOf(gate, asked.state ?? {});
  return { before, ...submitted(gate.config, before, { type: 'completion', ...asked.claim }, asked.confidence) };
}

/** Codes of the verdict's reasons, behind `accepted` where it is. */
function answer(asked: Asked): string {
  const { verdict } = submit(asked);
  const codes = verdict.reasons.map((reason) => reason.code.replace('gate.', ''));
  return [...(verdict.type === 'accepted' ? ['accepted'] : []), ...codes].join(' ');
}

/** The data of the only reason. */
function data(asked: Asked): JsonObject | undefined {
  const { reasons } = submit(asked).verdict;
  expect(reasons).toHaveLength(1);
  return reasons[0]?.data as JsonObject | undefined;
}

const EVIDENCE: Evidence = { callId: 'x', tier: 'verified', seq: 9 };
/** Something was changed and looked at. */
const DONE: Partial<GateState> = { grounded: true, verified: true, lastMutation: 5, evidence: [EVIDENCE] };
/** Something was looked at. */
const SEEN: Partial<GateState> = { grounded: true, evidence: [{ ...EVIDENCE, tier: 'observed' }] };
const setting = (settings: Partial<GateSettings>): GateConfig => ({ settings });
const assertion = { type: 'assertion' };
const names = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `n${index}`);

describe('an accepted claim', () => {
  it('changes nothing but that work goes on', () => {
    const { before, state, verdict } = submit({ state: DONE });
    expect(state).toBe(before);
    expect(verdict).toStrictEqual({
      type: 'accepted',
      claim: 'completion',
      reasons: [],
      considered: [],
      legalNext: [],
      downgraded: false,
      confidence: null,
    });
    const halted = submit({ state: { ...DONE, halted: true } });
    expect(halted.state).toStrictEqual({ ...halted.before, halted: false });
  });

  it('that claims nothing is always accepted as it is', () => {
    const state = { budget: 0, halted: true, open: [obligation()] };
    const none = submit({ claim: { type: 'none' }, state });
    expect(none.state).toBe(none.before);
    expect(none.verdict).toMatchObject({ type: 'accepted', claim: 'none', reasons: [], confidence: null });
  });
});

describe('a refused claim', () => {
  it('costs budget, halts and is counted', () => {
    const { before, state, verdict } = submit({});
    expect(state).toStrictEqual({ ...before, budget: 5, halted: true, rejections: 1 });
    expect(verdict).toStrictEqual({
      type: 'refused',
      claim: 'completion',
      reasons: [{ code: 'gate.nothing-changed', message: expect.any(String) as string, data: {} }],
      considered: [],
      legalNext: [{ type: 'change' }, { type: 'submit', claim: 'unverified' }],
      downgraded: false,
      confidence: null,
    });
  });

  it.each<[number, number, number]>([
    [6, 1, 5],
    [1, 1, 0],
    [0, 1, 0],
    [6, 0, 6],
    [3, 5, 0],
  ])('with a budget of %i and a cost of %i leaves %i', (budget, refusalCost, after) => {
    expect(submit({ config: setting({ refusalCost }), state: { budget, rejections: 2 } }).state).toMatchObject({
      budget: after,
      rejections: 3,
    });
  });

  it('of another type is told so alone', () => {
    expect(answer({ claim: { type: 'Completion' }, state: { budget: 0 } })).toBe('unknown-claim-type');
  });
});

describe('a report as unverified', () => {
  const unverified = { type: 'unverified' };

  it('is accepted as it is where nothing is open', () => {
    const { before, state, verdict } = submit({ claim: unverified, state: { ...DONE, budget: 0 } });
    expect(state).toBe(before);
    expect(verdict).toMatchObject({ type: 'accepted', claim: 'unverified', reasons: [], legalNext: [] });
    expect(submit({ claim: unverified, state: { halted: true } }).state.halted).toBe(false);
  });

  it('ends what is open, and what was verified of it', () => {
    const held = { ...EVIDENCE, held: true as const };
    const open = [obligation({ id: 'one' }), obligation({ id: 'two' })];
    const members = { ...DONE, open, beyond: 3, novelty: [7], recent: [8], evidence: [held], reportedUnverified: 1 };
    const { before, state, verdict } = submit({ claim: unverified, state: { ...members, halted: true } });
    expect(state).toStrictEqual({
      ...before,
      halted: false,
      open: [],
      beyond: 0,
      verified: false,
      evidence: [EVIDENCE],
      novelty: [],
      recent: [],
      reportedUnverified: 6,
    });
    expect(verdict.reasons).toEqual([
      {
        code: 'gate.reported-unverified',
        message: expect.any(String) as string,
        data: { count: 5, calls: ['one', 'two'] },
      },
    ]);
    expect(submit({ claim: unverified, state: { beyond: 1 } }).state).toMatchObject({
      beyond: 0,
      reportedUnverified: 1,
    });
  });
});

describe('a completion', () => {
  it.each<[string, Asked, string]>([
    ['of what was changed and looked at', { state: DONE }, 'accepted'],
    ['of nothing', {}, 'nothing-changed'],
    ['of what was not looked at in this turn', { state: { lastMutation: 5, grounded: true } }, 'not-verified'],
    [
      'beside a check that is held',
      { state: { lastMutation: 5, evidence: [{ ...EVIDENCE, held: true }] } },
      'accepted',
    ],
    ['without budget', { state: { ...DONE, budget: 0 } }, 'budget-spent'],
    ['without budget, of nothing', { state: { budget: 0 } }, 'budget-spent nothing-changed'],
    ['with one open', { state: { ...DONE, open: [obligation()] } }, 'not-looked-at'],
    ['with one open and nothing verified', { state: { open: [obligation()] } }, 'not-looked-at'],
    ['with one open and no budget', { state: { budget: 0, open: [obligation()] } }, 'budget-spent not-looked-at'],
    ['with more open than can be named', { state: { ...DONE, beyond: 2 } }, 'more-than-can-be-named'],
    [
      'without its goals',
      { config: { goals: ['s', 't'] }, state: { ...DONE, signals: { t: { from: 1 } } } },
      'signal-missing',
    ],
    [
      'of nothing and without its goals',
      { config: { goals: ['s', 't'] } },
      'nothing-changed signal-missing signal-missing',
    ],
  ])('%s', (_, asked, expected) => {
    expect(answer(asked)).toBe(expected);
  });

  it('is told its cap, what can no longer be named and which signal is missing', () => {
    expect(data({ state: { ...DONE, budget: 0 } })).toEqual({ cap: 6 });
    expect(data({ state: { ...DONE, beyond: 2 } })).toEqual({ count: 2 });
    expect(data({ config: { goals: ['s'] }, state: DONE })).toEqual({ signal: 's' });
  });

  it.each<[string, Partial<Obligation>, string, JsonObject]>([
    ['is not looked at', {}, 'not-looked-at', {}],
    ['never reported', { ended: null }, 'no-answer', {}],
    ['failed', { failed: true }, 'not-looked-at', {}],
    ['failed and is to be made again', { failed: true, redo: true }, 'change-failed', {}],
    ['would be made again', { redo: true }, 'not-looked-at', {}],
    ['changed what had not been seen', { blind: ['b'] }, 'changed-unseen', { unseen: ['b'] }],
    ['touched nobody knows what', { targets: null }, 'unknown-targets', { targets: null }],
    ['was to show something', { expects: { type: 'stated', value: 5 } }, 'expectation-not-shown', { expected: 5 }],
    ['would show something', { expects: { type: 'derived', value: 'x' } }, 'not-looked-at', {}],
    [
      'shows something else',
      { ended: null, contradicted: { by: 'look', found: 'x' }, expects: { type: 'stated', value: 'y' } },
      'contradicted',
      { by: 'look', found: 'x', expected: 'y' },
    ],
    [
      'shows what it should not',
      { contradicted: { by: 'look', found: 'x' } },
      'contradicted',
      { by: 'look', found: 'x', expected: null },
    ],
  ])('with a change that %s says so', (_, members, code, more) => {
    const asked = { state: { ...DONE, open: [obligation(members)] } };
    expect(answer(asked)).toBe(code);
    expect(data(asked)).toStrictEqual({ obligation: 'change', tool: 'put', targets: ['a'], ...more });
  });
});

describe('an assertion', () => {
  const strict: GateConfig = { strict: true };
  const stale = { evidence: [{ ...EVIDENCE, stale: true as const }] };
  const observed = { ...DONE, evidence: [{ ...EVIDENCE, tier: 'observed' as const }] };
  const negative = { type: 'assertion', stance: 'negative' as const };

  it.each<[string, Asked, string]>([
    ['of what was seen', { state: SEEN }, 'accepted'],
    ['of nothing seen', {}, 'not-observed'],
    ['of what was seen and has changed', { state: { ...SEEN, ...stale } }, 'overtaken'],
    [
      'of what was seen and has changed, where that is allowed',
      { config: setting({ staleAssertions: 'allow' }), state: { ...SEEN, ...stale } },
      'accepted',
    ],
    [
      'of one thing seen of two that changed',
      { state: { ...SEEN, evidence: [...stale.evidence, EVIDENCE] } },
      'accepted',
    ],
    ['while a change is open', { state: { ...SEEN, open: [obligation()] } }, 'accepted'],
    [
      'while a change is open, where that is refused',
      { config: setting({ openAssertions: 'refuse' }), state: { ...SEEN, open: [obligation()], beyond: 1 } },
      'not-looked-at more-than-can-be-named',
    ],
    [
      'that something failed while a change is open',
      { config: setting({ openAssertions: 'refuse' }), claim: negative, state: { ...SEEN, open: [obligation()] } },
      'accepted',
    ],
    ['that something failed', { claim: negative, state: { absent: true } }, 'accepted'],
    ['that something failed of which nothing is known', { claim: negative }, 'not-observed'],
    ['that something succeeded that failed', { state: { absent: true } }, 'not-observed'],
    ['that something failed, seen and changed since', { claim: negative, state: { ...SEEN, ...stale } }, 'overtaken'],
    ['under strict, of what was verified', { config: strict, state: DONE }, 'accepted'],
    ['under strict, of what was only observed', { config: strict, state: SEEN }, 'strict'],
    ['under strict, of nothing', { config: strict }, 'strict not-observed'],
    [
      'under strict, that something failed',
      { config: strict, claim: negative, state: { absent: true } },
      'strict not-observed',
    ],
    ['under strict, of a verified thing that changed', { config: strict, state: { ...DONE, ...stale } }, 'overtaken'],
    ['under strict, resting on an observation that is fresh', { config: strict, state: observed }, 'overtaken'],
    [
      'under strict, resting on a check that is held',
      { config: strict, state: { ...SEEN, evidence: [{ ...EVIDENCE, tier: 'observed', held: true }] } },
      'accepted',
    ],
    ['under strict, verified and not grounded', { config: strict, state: { verified: true } }, 'not-observed'],
    [
      'while a change of what was seen runs',
      { state: { ...SEEN, running: [runningCall({ kind: 'write', targets: null })] } },
      'overtaken',
    ],
    ['after the last call failed', { state: { ...SEEN, trailingError: true } }, 'accepted'],
    [
      'after the last call failed, where that is refused',
      { config: setting({ trailingError: 'refuse' }), state: { ...SEEN, trailingError: true } },
      'last-call-failed',
    ],
    [
      'after the last call succeeded, where failure is refused',
      { config: setting({ trailingError: 'refuse' }), state: SEEN },
      'accepted',
    ],
    [
      'that something failed, where failure of the last call is refused',
      { config: setting({ trailingError: 'refuse' }), claim: negative, state: { ...SEEN, trailingError: true } },
      'accepted',
    ],
  ])('%s', (_, asked, expected) => {
    expect(answer({ ...asked, claim: asked.claim ?? assertion })).toBe(expected);
  });

  it('a completion too is refused after the last call failed, where that is refused', () => {
    expect(answer({ config: setting({ trailingError: 'refuse' }), state: { ...DONE, trailingError: true } })).toBe(
      'last-call-failed',
    );
  });

  it('is told whether only absence was seen', () => {
    expect(data({ claim: assertion, state: { absent: true } })).toEqual({ onlyAbsence: true });
    expect(data({ claim: assertion })).toEqual({ onlyAbsence: false });
  });

  it('names up to sixteen things that have changed', () => {
    const things = names(20).map((name) => ({ name, changed: 3 }));
    const claim = { ...assertion, text: names(20).join(', ') };
    const state = { ...SEEN, things, lastMutation: 3, codes: [hashesOf(names(20))] };
    expect(data({ claim, state })).toEqual({ identifiers: names(16) });
    expect(answer({ claim: { ...claim, stance: 'negative' }, state })).toBe('accepted');
    expect(answer({ claim, config: setting({ staleAssertions: 'allow' }), state })).toBe('accepted');
    expect(answer({ claim: { ...claim, type: 'completion' }, state: { ...DONE, ...state, verified: true } })).toBe(
      'accepted',
    );
  });
});

describe('what a claim is about', () => {
  it('must have been observed', () => {
    const state = { ...DONE, codes: [hashesOf(['a'])] };
    expect(answer({ claim: { about: ['a'] }, state })).toBe('accepted');
    expect(answer({ claim: { about: [] }, state })).toBe('accepted');
    expect(data({ claim: { about: ['a', ...names(20)] }, state })).toEqual({
      identifiers: names(16),
      memoryFull: false,
    });
    expect(data({ claim: { about: ['b'] }, state: { ...state, codesFull: true } })).toEqual({
      identifiers: ['b'],
      memoryFull: true,
    });
    expect(answer({ claim: { ...assertion, about: ['b'] }, state: SEEN })).toBe('identifier-not-observed');
  });
});

describe('what a completion says was changed', () => {
  const config = setting({ namedChanges: 'refuse' });
  const looked = names(20).map(lookedAtName);
  const state = { ...DONE, changed: ['a', 'b'], codes: [hashesOf(['seen', ...looked])] };
  const said = (...changes: readonly (readonly string[])[]): string => answer({ config, state, claim: { changes } });

  it('is refused where a sentence names only what was looked at', () => {
    expect([said(), said([]), said(['a']), said(['x']), said(['seen'])]).toEqual(Array(5).fill('accepted'));
    expect([said(['n1']), said(['x', 'n1']), said(['n1', 'b'])]).toEqual([
      'named-not-changed',
      'named-not-changed',
      'accepted',
    ]);
    expect([said(['a'], ['n1']), said(['n1'], ['n2'])]).toEqual([
      'named-not-changed',
      'named-not-changed named-not-changed',
    ]);
    expect(answer({ config, state })).toBe('accepted');
  });

  it('names up to sixteen things', () => {
    expect(data({ config, state, claim: { changes: [['x', ...names(20)]] } })).toEqual({ identifiers: names(16) });
  });

  it('is asked only of completions, where the setting says so', () => {
    expect(answer({ state, claim: { changes: [['n1']] } })).toBe('accepted');
    expect(answer({ config, state, claim: { type: 'assertion', changes: [['n1']] } })).toBe('accepted');
  });
});

describe('codes that were never observed', () => {
  const text = 'Order 4711 and 4712';
  const state = { ...DONE, codes: [hashesOf(['4711'])] };
  const refuse = setting({ unseenCodes: 'refuse' });

  it.each<[string, Asked, string]>([
    ['are reported', { state, claim: { text } }, 'accepted code-not-observed'],
    [
      'are reported in an assertion',
      { state: { ...SEEN, codes: state.codes }, claim: { ...assertion, text } },
      'accepted code-not-observed',
    ],
    ['are none where all are known', { state, claim: { text: 'Order 4711' } }, 'accepted'],
    ['are none without text', { state }, 'accepted'],
    [
      'may be any where too many were observed',
      { state: { ...state, codesFull: true }, claim: { text } },
      'accepted memory-full',
    ],
    ['are refused where the setting says so', { config: refuse, state, claim: { text } }, 'code-not-observed'],
    ['are not refused where all are known', { config: refuse, state, claim: { text: 'Order 4711' } }, 'accepted'],
    ['are not refused without text', { config: refuse, state }, 'accepted'],
    [
      'are not refused where too many were observed',
      { config: refuse, state: { ...state, codesFull: true }, claim: { text } },
      'accepted',
    ],
    [
      'are ignored where the setting says so',
      { config: setting({ unseenCodes: 'ignore' }), state, claim: { text } },
      'accepted',
    ],
  ])('%s', (_, asked, expected) => {
    expect(answer(asked)).toBe(expected);
  });

  it('are named', () => {
    expect(data({ state, claim: { text } })).toEqual({ codes: ['4712'] });
    expect(data({ config: refuse, state, claim: { text } })).toEqual({ codes: ['4712'] });
  });

  it('without text or where too many were observed leave no remark of the other kind', () => {
    expect(answer({ state: { ...state, codesFull: true } })).toBe('accepted');
    expect(answer({ config: refuse, state: { ...state, codesFull: true }, claim: { text } })).toBe('accepted');
  });
});

describe('a verifier', () => {
  const config: GateConfig = { verifier: { threshold: 0.5 } };
  const asked = (confidence: number | null | undefined, own = config): Asked => ({
    config: own,
    state: DONE,
    ...(confidence === undefined ? {} : { confidence }),
  });

  it.each<[number | null | undefined, string, boolean, number | null]>([
    [0.5, 'accepted', false, 0.5],
    [1, 'accepted', false, 1],
    [null, 'accepted', false, null],
    [0.49, 'verifier-doubts', true, 0.49],
    [0, 'verifier-doubts', true, 0],
    [-0.1, 'verifier-answer-invalid', true, null],
    [1.1, 'verifier-answer-invalid', true, null],
    [Number.NaN, 'verifier-answer-invalid', true, null],
    ['0.9' as unknown as number, 'verifier-answer-invalid', true, null],
    [undefined, 'verifier-not-asked', true, null],
  ])('that answers %s', (confidence, expected, downgraded, told) => {
    expect(answer(asked(confidence))).toBe(expected);
    const { verdict, state, before } = submit(asked(confidence));
    expect([verdict.downgraded, verdict.confidence]).toEqual([downgraded, told]);
    expect(state.rejections - before.rejections).toBe(downgraded ? 1 : 0);
  });

  it('that is not declared is not asked, and one that is turns no refusal into an acceptance', () => {
    expect(answer({ state: DONE })).toBe('accepted');
    expect(submit({ state: DONE, confidence: 0.1 }).verdict).toMatchObject({ type: 'accepted', confidence: 0.1 });
    expect(submit({ config, confidence: 1 }).verdict).toMatchObject({
      type: 'refused',
      downgraded: false,
      confidence: null,
    });
    expect(data(asked(0.25))).toEqual({ confidence: 0.25, threshold: 0.5 });
    expect(answer(asked(0, { verifier: { threshold: 0 } }))).toBe('accepted');
    expect(answer(asked(1, { verifier: { threshold: 1 } }))).toBe('accepted');
  });

  it('is asked about what rests on it', () => {
    const question = (own: GateConfig, state: Partial<GateState>, type: string): unknown => {
      const gate = createGate(own);
      return verifierQuestionOf(gate.config, stateOf(gate, state), { type });
    };
    expect(question(config, DONE, 'completion')).toEqual({
      criteria: ['effect_shown', 'no_overreach'],
      callIds: ['x'],
    });
    expect(question(config, SEEN, 'assertion')).toEqual({
      criteria: ['claim_supported', 'no_overreach'],
      callIds: ['x'],
    });
    expect(question({ ...config, strict: true }, DONE, 'assertion')).toEqual({
      criteria: ['effect_shown', 'no_overreach'],
      callIds: ['x'],
    });
    expect([question({}, DONE, 'completion'), question(config, {}, 'completion')]).toEqual([null, null]);
    expect([
      question(config, DONE, 'unverified'),
      question(config, DONE, 'none'),
      question(config, DONE, 'other'),
    ]).toEqual([null, null, null]);
  });

  it('judges by the criteria of the claim', () => {
    expect(
      [true, false].map((strict) =>
        ['completion', 'assertion', 'unverified', 'none'].map((type) => criteriaFor(type, strict)),
      ),
    ).toEqual([
      [['effect_shown', 'no_overreach'], ['effect_shown', 'no_overreach'], [], []],
      [['effect_shown', 'no_overreach'], ['claim_supported', 'no_overreach'], [], []],
    ]);
  });

  it('is as sure as its least score', () => {
    expect(
      [null, 0.4, 0, { a: 0.9, b: 0.3, c: 0.5 }, { a: 0.7 }, {}].map((scores) => aggregateConfidence(scores)),
    ).toEqual([null, 0.4, 0, 0.3, 0.7, null]);
  });
});
