import { describe, expect, it } from 'vitest';
import type { GateConfig } from './config-types.ts';
import { createGate } from './gate.ts';
import { meet, type Settled, settle } from './obligations.ts';
import type { Step } from './step.ts';
import { obligation, stateOf, stepOf } from './testing.ts';
import type { Obligation, RecordedObservation, RunningCall } from './types.ts';

type Look = {
  readonly config?: GateConfig;
  readonly call?: Partial<RunningCall>;
  readonly facts?: Partial<Step['facts']>;
  readonly event?: Partial<RecordedObservation>;
};

function looked(
  items: readonly Obligation[],
  look: Look,
): { readonly open: readonly Obligation[]; readonly settled: Settled } {
  const gate = createGate(look.config);
  const draft = stateOf(gate, { open: items });
  const settled = settle(draft, stepOf(gate, look.call ?? {}, look.facts, look.event));
  return { open: draft.open, settled };
}

/** What one look does to one open change: it is met, open as before, contradicted, or open for what is named. */
function outcome(members: Partial<Obligation>, look: Look): string {
  const item = obligation(members);
  const { open, settled } = looked([item], look);
  const left = open[0];
  if (settled.contradicted) return `contradicted: ${left?.contradicted?.found}`;
  if (left === undefined) return settled.met === 1 ? 'met' : 'lost';
  if (left === item) return 'open';
  return `open: ${left.targets?.join(' ')}`;
}

const at = (...targets: string[]): Look => ({ call: { targets } });
const EXTRACTOR = { extractors: { look: { name: 'names', run: () => [] } } };
const differs = { change: { type: 'differs', found: 'x=1' } } as const;
const matches = { change: { type: 'matches' } } as const;
const silent = { change: { type: 'silent' } } as const;
const stated: Partial<Obligation> = { expects: { type: 'stated', value: 'x=2' } };

describe('changes that are met', () => {
  it('leave the list as a count and the latest of them', () => {
    const draft = stateOf(createGate(), {
      open: ['a', 'b', 'c'].map((id) => obligation({ id })),
      met: { count: 2, last: { id: 'x', by: 'y' } },
    });
    meet(draft, [], 'look');
    expect([draft.open.length, draft.met]).toEqual([3, { count: 2, last: { id: 'x', by: 'y' } }]);
    meet(draft, draft.open.slice(0, 2), 'look');
    expect([draft.open.map((item) => item.id), draft.met]).toEqual([
      ['c'],
      { count: 4, last: { id: 'b', by: 'look' } },
    ]);
  });

  it('are counted one by one, and told with what the look showed of each', () => {
    const items = [
      obligation({ id: 'one' }),
      obligation({ id: 'two', targets: ['a', 'b'] }),
      obligation({ id: 'three', targets: ['c'] }),
    ];
    const { open, settled } = looked(items, at('a'));
    expect(settled).toEqual({ met: 1, contradicted: false, shown: ['a', 'a'] });
    expect(open).toEqual([{ ...items[1], targets: ['b'] }, items[2]]);
    expect(looked(items, at('x')).settled).toEqual({ met: 0, contradicted: false, shown: [] });
    expect(looked([], at('a')).settled).toEqual({ met: 0, contradicted: false, shown: [] });
  });
});

describe('a look', () => {
  it.each<[string, Partial<Obligation>, Look, string]>([
    ['at the target', {}, at('a'), 'met'],
    ['at it among others', {}, at('x', 'a'), 'met'],
    ['at something else', {}, at('b'), 'open'],
    ['at one of two targets', { targets: ['a', 'b'] }, at('b'), 'open: a'],
    ['at both', { targets: ['a', 'b'] }, at('a', 'b'), 'met'],
    ['that found nothing', {}, { ...at('a'), facts: { evidence: 'empty' } }, 'open'],
    ['that failed', {}, { ...at('a'), facts: { evidence: 'error' } }, 'open'],
    ['that lists it by name', {}, { call: { targets: ['a'], lists: true } }, 'open'],
    ['that began as the change ended', {}, { call: { targets: ['a'], from: 5 } }, 'open'],
    ['that began one after', {}, { call: { targets: ['a'], from: 6 } }, 'met'],
    ['while the change runs', { ended: null }, at('a'), 'open'],
    ['at a folder around it', { targets: ['d/a'] }, at('d'), 'open'],
    ['at a folder that names it', { targets: ['d/a'] }, { ...at('d'), facts: { mentions: ['d/a'] } }, 'met'],
    [
      'at two folders, one of which names it',
      { targets: ['d/a'] },
      { ...at('e', 'd'), facts: { mentions: ['d/a'] } },
      'met',
    ],
    [
      'at a listing that names it',
      { targets: ['d/a'] },
      { call: { targets: ['d'], lists: true }, facts: { mentions: ['d/a'] } },
      'open',
    ],
    [
      'at one target that names the other from elsewhere',
      { targets: ['a', 'b'] },
      { ...at('a'), facts: { mentions: ['b'] } },
      'open: b',
    ],
    ['whose answer shows it', { targets: ['d/a'] }, { ...at('d'), facts: { shows: ['d/a'] } }, 'met'],
    ['at the target of a change that failed', { failed: true }, at('a'), 'met'],
    ['at one that failed and is to be made again', { failed: true, redo: true }, at('a'), 'open'],
    ['at one that would have been', { redo: true }, at('a'), 'met'],
  ])('%s', (_, members, look, expected) => {
    expect(outcome(members, look)).toBe(expected);
  });

  it.each<[string, Partial<Obligation>, Look, string]>([
    ['names the target', {}, { facts: { shows: ['a'] } }, 'met'],
    ['names the target, with no targets of its own', {}, { call: { targets: null }, facts: { shows: ['a'] } }, 'met'],
    ['names one of two', { targets: ['a', 'b'] }, { facts: { shows: ['b'] } }, 'open: a'],
    ['names something else', {}, { facts: { shows: ['b'] } }, 'open'],
    ['names what nobody knows', { targets: null }, { facts: { shows: ['a'] } }, 'open'],
    ['names it while the change runs', { ended: null }, { facts: { shows: ['a'] } }, 'open'],
    ['names it, but began as the change ended', {}, { call: { from: 5 }, facts: { shows: ['a'] } }, 'open'],
    ['names it and began one after', {}, { call: { from: 6 }, facts: { shows: ['a'] } }, 'met'],
    ['names it in an error', {}, { facts: { shows: ['a'], evidence: 'error' } }, 'open'],
    [
      'names one of two, with no targets of its own',
      { targets: ['a', 'b'] },
      { call: { targets: null }, facts: { shows: ['b'], mentions: ['a'] } },
      'open: a',
    ],
    [
      'names something else, where its answer mentions what should be gone',
      { gone: ['a'] },
      { call: { targets: ['e'] }, facts: { shows: ['b'], mentions: ['a'] } },
      'open',
    ],
  ])('whose extractor %s', (_, members, look, expected) => {
    expect(outcome(members, { ...look, config: EXTRACTOR })).toBe(expected);
  });

  it('is of what its answer shows only where an extractor says so', () => {
    expect(outcome({}, { facts: { shows: ['a'] } })).toBe('open');
  });
});

describe('an expectation', () => {
  it.each<[string, Partial<Obligation>, Look, string]>([
    ['is not shown where nothing is said of it', stated, at('a'), 'open'],
    ['is not shown by a silent answer', stated, { ...at('a'), facts: { expectations: silent } }, 'open'],
    ['is met by a matching answer', stated, { ...at('a'), facts: { expectations: matches } }, 'met'],
    ['is contradicted by another value', stated, { ...at('a'), facts: { expectations: differs } }, 'contradicted: x=1'],
    [
      'of two targets is contradicted at one',
      { ...stated, targets: ['b', 'a'] },
      { ...at('a'), facts: { expectations: differs } },
      'contradicted: x=1',
    ],
    [
      'is not contradicted from a folder that does not show the target',
      { ...stated, targets: ['d/a'] },
      { ...at('d'), facts: { expectations: differs } },
      'open',
    ],
    [
      'is not contradicted by an error',
      stated,
      { ...at('a'), facts: { expectations: differs, evidence: 'error' } },
      'open',
    ],
    [
      'that something is null is not met by silence',
      { expects: { type: 'stated', value: null } },
      { ...at('a'), facts: { expectations: silent } },
      'open',
    ],
    [
      'that is derived does not need to be shown',
      { expects: { type: 'derived', value: 'x' } },
      { ...at('a'), facts: { expectations: silent } },
      'met',
    ],
    [
      'that is derived can be contradicted',
      { expects: { type: 'derived', value: 'x' } },
      { ...at('a'), facts: { expectations: differs } },
      'contradicted: x=1',
    ],
  ])('%s', (_, members, look, expected) => {
    expect(outcome(members, look)).toBe(expected);
  });

  it('once contradicted stays so until a look shows what was expected', () => {
    const item = obligation({ ...stated, targets: ['a', 'b'], contradicted: { by: 'earlier', found: 'x=1' } });
    const unsure = looked([item], { ...at('a'), facts: { expectations: silent } });
    expect(unsure.open).toEqual([item]);
    expect(unsure.settled.contradicted).toBe(false);
    const part = looked([item], { ...at('a'), facts: { expectations: matches } });
    expect(part.open).toEqual([obligation({ ...stated, targets: ['b'] })]);
    const again = looked([item], { ...at('a'), facts: { expectations: differs } });
    expect(again.open[0]?.contradicted).toEqual({ by: 'look', found: 'x=1' });
    expect(again.settled).toEqual({ met: 0, contradicted: true, shown: [] });
  });
});

describe('a removal', () => {
  const removal: Partial<Obligation> = { targets: ['d/a'], gone: ['d/a'] };
  const listing = (...targets: string[]): Look => ({ call: { targets, lists: true } });
  const STILL = 'contradicted: it is still there';

  it.each<[string, Partial<Obligation>, Look, string]>([
    ['is shown by an error at the target', removal, { ...at('d/a'), facts: { evidence: 'error' } }, 'met'],
    ['is shown by an empty answer there', removal, { ...at('d/a'), facts: { evidence: 'empty' } }, 'met'],
    ['is not shown by an error around', removal, { ...at('d'), facts: { evidence: 'error' } }, 'open'],
    [
      'is not shown by an error without targets',
      removal,
      { config: EXTRACTOR, call: { tool: 'look', targets: null }, facts: { evidence: 'error', shows: ['x'] } },
      'open',
    ],
    [
      'is shown by an empty answer about it',
      removal,
      { ...at('d'), facts: { evidence: 'empty', shows: ['d/a'] } },
      'met',
    ],
    ['is contradicted by seeing it', removal, at('d/a'), STILL],
    ['is contradicted where it is named', removal, { ...listing('d'), facts: { mentions: ['d/a'] } }, STILL],
    ['of two is contradicted by one', { targets: ['d/a', 'd/b'], gone: ['d/a', 'd/b'] }, at('d/b'), STILL],
    ['is shown by a listing of its folder', removal, listing('d'), 'met'],
    ['is shown by one of several listings', removal, listing('e', 'd'), 'met'],
    ['is not shown by reading the folder', removal, at('d'), 'open'],
    ['is not shown by listing a folder further up', { targets: ['d/e/a'], gone: ['d/e/a'] }, listing('d'), 'open'],
    ['is not shown by listing the whole tree', removal, listing('.'), 'open'],
    ['at the top is shown by listing it', { targets: ['a'], gone: ['a'] }, listing('.'), 'met'],
    ['beside a write is shown alone', { targets: ['d/b', 'd/a'], gone: ['d/a'] }, listing('d'), 'open: d/b'],
    [
      'is not shown by listing another folder',
      { targets: ['d/a', 'e/b'], gone: ['d/a', 'e/b'] },
      listing('d'),
      'open: e/b',
    ],
  ])('%s', (_, members, look, expected) => {
    expect(outcome(members, look)).toBe(expected);
  });

  it('with something expected is held against that', () => {
    const both = { ...removal, ...stated };
    const facts = { expectations: matches };
    expect(outcome(both, { ...at('d/a'), facts })).toBe('open');
    expect(outcome(both, { ...listing('d/a'), facts })).toBe('open');
    expect(outcome(both, { ...listing('d'), facts: { ...facts, mentions: ['d/a'] } })).toBe('open');
    expect(outcome(both, { ...listing('d'), facts })).toBe('met');
  });

  it('named by an extractor needs no targets of the look', () => {
    const facts = { shows: ['d/a'], evidence: 'empty' as const };
    expect(outcome(removal, { config: EXTRACTOR, call: { targets: null }, facts })).toBe('met');
    const seen = { shows: ['d/a'], mentions: [] };
    expect(outcome(removal, { config: EXTRACTOR, call: { targets: null }, facts: seen })).toBe('open');
    expect(
      outcome(removal, { config: EXTRACTOR, call: { targets: null }, facts: { ...seen, mentions: ['d/a'] } }),
    ).toBe(STILL);
  });
});

describe('a read-back of a change', () => {
  const event = { readBackOf: 'change' };

  it.each<[string, Partial<Obligation>, Look, string]>([
    ['counts for all of it', { targets: ['a', 'b'] }, {}, 'met'],
    ['counts where nobody knows what it touched', { targets: null }, {}, 'met'],
    ['that fails shows nothing', {}, { facts: { evidence: 'error' } }, 'open'],
    ['that fails shows nothing of what nobody knows', { targets: null }, { facts: { evidence: 'error' } }, 'open'],
    ['that fails shows a removal', { gone: ['a'] }, { facts: { evidence: 'error' } }, 'met'],
    ['that finds nothing shows a removal', { gone: ['a'] }, { facts: { evidence: 'empty' } }, 'met'],
    [
      'that fails shows no more than a removal',
      { targets: ['a', 'b'], gone: ['a'] },
      { facts: { evidence: 'error' } },
      'open',
    ],
    [
      'that fails shows no removal among more than can be named',
      { targets: null, gone: ['a'] },
      { facts: { evidence: 'error' } },
      'open',
    ],
    ['needs what was expected', stated, { facts: { expectations: silent } }, 'open'],
    ['needs an answer to what was expected', stated, {}, 'open'],
    ['shows what was expected', stated, { facts: { expectations: matches } }, 'met'],
    ['may contradict it', stated, { facts: { expectations: differs } }, 'contradicted: x=1'],
    [
      'may contradict it of what nobody knows',
      { ...stated, targets: null },
      { facts: { expectations: differs } },
      'contradicted: x=1',
    ],
    [
      'that is silent on what was derived counts',
      { expects: { type: 'derived', value: 'x' } },
      { facts: { expectations: silent } },
      'met',
    ],
    ['that began as the change ended is none', {}, { call: { from: 5 } }, 'open'],
    ['that fails contradicts nothing', stated, { facts: { expectations: differs, evidence: 'error' } }, 'open'],
  ])('%s', (_, members, look, expected) => {
    expect(outcome(members, { ...look, event })).toBe(expected);
  });

  it('counts for no other change', () => {
    const items = [obligation({ targets: null }), obligation({ id: 'other', targets: null })];
    const { open, settled } = looked(items, { event });
    expect([open, settled]).toEqual([[items[1]], { met: 1, contradicted: false, shown: [] }]);
  });

  it('shows all targets that were left', () => {
    expect(looked([obligation({ targets: ['a', 'b'] })], { event }).settled.shown).toEqual(['a', 'b']);
  });

  it('lifts an earlier contradiction', () => {
    const item = obligation({ ...stated, contradicted: { by: 'earlier', found: 'x=1' } });
    expect(looked([item], { event, facts: { expectations: matches } }).settled.met).toBe(1);
  });
});
