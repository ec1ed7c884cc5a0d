import { describe, expect, it } from 'vitest';
import { createGate } from './gate.ts';
import { runningCall, stateOf } from './testing.ts';
import {
  changedBy,
  hasChangedSince,
  isPastStale,
  isSeen,
  recordChange,
  recordEnd,
  recordLook,
  recordShown,
  showsAsChanged,
} from './things.ts';
import type { GateState, PastThings, Thing } from './types.ts';

const gate = createGate();
const NOTHING_PAST: PastThings = { changed: null, seen: null, unseen: false };
const state = (members: Partial<GateState>): ReturnType<typeof stateOf> => stateOf(gate, members);
/** As many things as the list holds; the first is `first`. */
const full = (first: Thing): readonly Thing[] => [
  first,
  ...Array.from({ length: 47 }, (_, index) => ({ name: `n${index}` })),
];

describe('the end of a change', () => {
  it('is the last one only where none ended later', () => {
    const draft = state({});
    const last = [7, 3, 9].map((ended) => {
      recordEnd(draft, ended);
      return draft.lastMutation;
    });
    expect(last).toEqual([7, 7, 9]);
  });

  it('is noted at every call that runs, the last eight', () => {
    const draft = state({ running: [runningCall({ id: 'one' }), runningCall({ id: 'two', beside: [1] })] });
    recordEnd(draft, 2);
    expect(draft.running.map((call) => call.beside)).toEqual([[2], [1, 2]]);
    for (let ended = 3; ended < 11; ended += 1) recordEnd(draft, ended);
    expect(draft.running.map((call) => call.beside)).toEqual([
      [3, 4, 5, 6, 7, 8, 9, 10],
      [3, 4, 5, 6, 7, 8, 9, 10],
    ]);
  });

  it('is of what the call names, unless it named more than is kept', () => {
    expect(changedBy(runningCall({ targets: ['a'] }))).toEqual(['a']);
    expect(changedBy(runningCall({ targets: null }))).toBeNull();
    expect(changedBy(runningCall({ targets: ['a'], many: true }))).toBeNull();
  });
});

describe('a change', () => {
  it('of nobody knows what is kept by when it ended, the latest', () => {
    const draft = state({});
    recordChange(draft, null, 4);
    recordChange(draft, null, 3);
    expect([draft.unknownChange, draft.things]).toEqual([4, []]);
  });

  it('of named things keeps what is known of them, last of all', () => {
    const draft = state({ things: [{ name: 'a', changed: 2, seen: 3 }, { name: 'b' }] });
    recordChange(draft, ['a', 'c'], 6);
    recordChange(draft, ['a'], 5);
    expect(draft.things).toEqual([{ name: 'b' }, { name: 'c', changed: 6 }, { name: 'a', changed: 6, seen: 3 }]);
    expect(draft.unknownChange).toBeNull();
  });
});

describe('a look', () => {
  const looked = (members: Partial<GateState>, from: number, names = ['a']): readonly Thing[] => {
    const draft = state(members);
    recordLook(draft, names, from);
    return draft.things;
  };

  it.each<[string, Partial<GateState>, number, Thing]>([
    ['where nothing has changed', {}, 0, { name: 'a', seen: 0 }],
    ['after the last change', { lastMutation: 5, unknownChange: 5 }, 6, { name: 'a', seen: 6 }],
    ['that began as a change of nobody knows what ended', { lastMutation: 5, unknownChange: 5 }, 5, { name: 'a' }],
    ['that began before one of something else ended', { lastMutation: 9 }, 6, { name: 'a', seen: 6 }],
    [
      'that began after it changed and before something else did',
      { lastMutation: 9, things: [{ name: 'a', changed: 5 }] },
      6,
      { name: 'a', changed: 5, seen: 6 },
    ],
    [
      'of what may have left the list since',
      { lastMutation: 9, past: { ...NOTHING_PAST, changed: 7 } },
      6,
      { name: 'a' },
    ],
    [
      'of what is in the list, whatever left it',
      { lastMutation: 9, past: { ...NOTHING_PAST, changed: 7 }, things: [{ name: 'a' }] },
      6,
      { name: 'a', seen: 6 },
    ],
    [
      'after an earlier one that was overtaken',
      { lastMutation: 5, things: [{ name: 'a', changed: 5, seen: 3 }] },
      6,
      { name: 'a', changed: 5, seen: 6 },
    ],
    [
      'after one that began as the last change ended',
      { lastMutation: 5, things: [{ name: 'a', seen: 5 }] },
      6,
      { name: 'a', seen: 6 },
    ],
  ])('%s is kept as far as it shows what is there now', (_, members, from, thing) => {
    expect(looked(members, from)).toEqual([thing]);
  });

  it('leaves a thing alone that changed after it began', () => {
    const things = [{ name: 'a', changed: 7 }, { name: 'b' }];
    expect(looked({ lastMutation: 7, things }, 6)).toBe(things);
    expect(looked({ lastMutation: 7, things }, 7)).toBe(things);
  });

  it('adds nothing to one that is as good: not its start, not its place in the list', () => {
    const things = [{ name: 'a', seen: 7 }, { name: 'b' }];
    expect(looked({ lastMutation: null, things }, 9)).toBe(things);
    expect(looked({ lastMutation: 5, things }, 9)).toBe(things);
    expect(looked({ lastMutation: 8, things }, 7)).toBe(things);
    expect(looked({ lastMutation: 8, things }, 6)).toBe(things);
    expect(looked({ lastMutation: 8, things }, 9)).toEqual([{ name: 'b' }, { name: 'a', seen: 9 }]);
  });

  it('is overtaken by a change of a folder around, not of a part or of a neighbour', () => {
    const around = (name: string): readonly Thing[] =>
      looked({ lastMutation: 7, things: [{ name, changed: 7 }] }, 6, ['src/a']);
    expect(around('src').at(-1)).toEqual({ name: 'src/a' });
    expect(around('src/a/b').at(-1)).toEqual({ name: 'src/a', seen: 6 });
    expect(around('src/ab').at(-1)).toEqual({ name: 'src/a', seen: 6 });
  });

  it('is overtaken by the latest of several changes around', () => {
    const things = [
      { name: 'src', changed: 8 },
      { name: '.', changed: 3 },
    ];
    expect(looked({ lastMutation: 8, things }, 6, ['src/a']).at(-1)).toEqual({ name: 'src/a' });
  });

  it('at an answer that shows more counts for what is known already', () => {
    const draft = state({ things: [{ name: 'a' }, { name: 'b' }] });
    recordShown(draft, ['b', 'c'], 4);
    expect(draft.things).toEqual([{ name: 'a' }, { name: 'b', seen: 4 }]);
  });
});

describe('what no longer fits', () => {
  const past = (first: Thing, members: Partial<GateState> = {}): PastThings => {
    const draft = state({ things: full(first), ...members });
    recordLook(draft, ['new'], 100);
    expect(draft.things.map((thing) => thing.name)).toEqual([
      ...Array.from({ length: 47 }, (_, index) => `n${index}`),
      'new',
    ]);
    return draft.past;
  };

  it('is the oldest, and only beyond 48 names', () => {
    const draft = state({ things: full({ name: 'a', seen: 1 }).slice(0, 47) });
    recordLook(draft, ['new'], 100);
    expect([draft.things.length, draft.past]).toEqual([48, NOTHING_PAST]);
    recordLook(draft, ['n1'], 101);
    expect([draft.things.length, draft.past]).toEqual([48, NOTHING_PAST]);
    recordLook(draft, ['newer'], 102);
    expect([draft.things.length, draft.past]).toEqual([48, { changed: null, seen: 1, unseen: false }]);
  });

  it.each<[string, Thing, Partial<GateState>, PastThings]>([
    ['a fresh look', { name: 'a', seen: 3 }, {}, { changed: null, seen: 3, unseen: false }],
    [
      'a fresh look and a change before it',
      { name: 'a', changed: 2, seen: 3 },
      { lastMutation: 2 },
      { changed: 2, seen: 3, unseen: false },
    ],
    [
      'a look that only something else has changed since',
      { name: 'a', changed: 2, seen: 3 },
      { lastMutation: 9 },
      { changed: 2, seen: 3, unseen: false },
    ],
    [
      'a look that began as the change ended',
      { name: 'a', changed: 3, seen: 3 },
      { lastMutation: 3 },
      { changed: 3, seen: null, unseen: true },
    ],
    [
      'a look that was overtaken',
      { name: 'a', changed: 4, seen: 3 },
      { lastMutation: 4 },
      { changed: 4, seen: null, unseen: true },
    ],
    [
      'a change that nobody looked at',
      { name: 'a', changed: 4 },
      { lastMutation: 4 },
      { changed: 4, seen: null, unseen: true },
    ],
    ['a name of which no look counts', { name: 'a' }, { lastMutation: 4 }, { changed: null, seen: null, unseen: true }],
    ['a name alone', { name: 'a' }, {}, { changed: null, seen: null, unseen: true }],
    [
      'a later change, an earlier look',
      { name: 'a', changed: 7, seen: 8 },
      { lastMutation: 7, past: { changed: 5, seen: 9, unseen: true } },
      { changed: 7, seen: 8, unseen: true },
    ],
    [
      'an earlier change, a later look',
      { name: 'a', changed: 3, seen: 8 },
      { lastMutation: 5, past: { changed: 5, seen: 6, unseen: false } },
      { changed: 5, seen: 6, unseen: false },
    ],
    [
      'a look that was overtaken, beside a fresh one',
      { name: 'a', changed: 9, seen: 8 },
      { lastMutation: 9, past: { changed: 9, seen: 6, unseen: false } },
      { changed: 9, seen: 6, unseen: true },
    ],
  ])(
    'leaves of %s the latest change, the earliest fresh look and whether one was not',
    (_, first, members, expected) => {
      expect(past(first, members)).toEqual(expected);
    },
  );

  it.each<[string, PastThings, number | null, boolean]>([
    ['nothing', NOTHING_PAST, null, false],
    ['nothing, and a change of nobody knows what', NOTHING_PAST, 5, false],
    ['a thing not seen', { changed: null, seen: null, unseen: true }, null, true],
    ['a look at the very start and no change', { changed: null, seen: 0, unseen: false }, null, false],
    ['a look after a change of nobody knows what', { changed: null, seen: 6, unseen: false }, 5, false],
    ['a look as one ended', { changed: null, seen: 5, unseen: false }, 5, true],
    ['a look before one', { changed: null, seen: 4, unseen: false }, 5, true],
  ])('may be stale after %s', (_, left, unknownChange, stale) => {
    expect(isPastStale(state({ past: left, unknownChange }))).toBe(stale);
  });
});

describe('what has changed since', () => {
  const YES = [true, true, false];
  const NO = [false, false, false];

  it.each<[string, Partial<GateState>, readonly string[] | undefined, readonly boolean[]]>([
    ['nothing', {}, ['a'], NO],
    ['nobody knows what', { unknownChange: 5 }, ['a'], YES],
    ['something that left the list', { past: { ...NOTHING_PAST, changed: 5 } }, ['a'], YES],
    ['one of the targets', { things: [{ name: 'c', changed: 5 }] }, ['a/b', 'c'], YES],
    ['a folder around one', { things: [{ name: 'a', changed: 5 }] }, ['a/b', 'c'], YES],
    ['a part of one', { things: [{ name: 'c/d', changed: 5 }] }, ['a/b', 'c'], YES],
    ['one of several', { things: [{ name: 'x' }, { name: 'c', changed: 5 }] }, ['c'], YES],
    ['something else', { things: [{ name: 'x', changed: 5 }] }, ['a/b', 'c'], NO],
    ['anything, where no targets are given', { things: [{ name: 'x', changed: 5 }] }, undefined, YES],
    ['nothing that was only seen', { things: [{ name: 'c', seen: 5 }] }, undefined, NO],
  ])('is %s, seen from 4, 5 and 6, when it ended at 5', (_, members, targets, expected) => {
    expect([4, 5, 6].map((from) => hasChangedSince(state(members), targets, from))).toEqual(expected);
  });

  it.each<[string, Partial<GateState>, readonly boolean[]]>([
    ['its own', { lastMutation: 5, things: [{ name: 'a', changed: 5 }] }, [false, false, true]],
    ['that of a part', { lastMutation: 5, things: [{ name: 'a/b', changed: 5 }] }, [false, false, true]],
    ['that of something else', { lastMutation: 5, things: [{ name: 'b', changed: 5 }] }, [true, true, true]],
    ['that of what left the list', { lastMutation: 5, past: { ...NOTHING_PAST, changed: 5 } }, [false, false, true]],
    ['one of nobody knows what', { lastMutation: 5, unknownChange: 5 }, [true, true, true]],
  ])('by %s is not what a look at 4, 5 or 6 shows', (_, members, expected) => {
    expect([4, 5, 6].map((from) => showsAsChanged(state(members), 'a', from))).toEqual(expected);
  });
});

describe('what was seen', () => {
  const seen = (members: Partial<GateState>, name = 'src/a'): boolean => isSeen(state(members), name, []);

  it.each<[string, Partial<GateState>, boolean]>([
    ['never', {}, false],
    ['by name only', { things: [{ name: 'src/a' }] }, false],
    ['with nothing changed', { things: [{ name: 'src/a', seen: 3 }] }, true],
    ['after it changed', { things: [{ name: 'src/a', changed: 2, seen: 3 }] }, true],
    ['as it changed', { things: [{ name: 'src/a', changed: 3, seen: 3 }] }, false],
    ['before it changed', { things: [{ name: 'src/a', changed: 4, seen: 3 }] }, false],
    ['as a folder around', { things: [{ name: 'src', seen: 3 }] }, true],
    ['only in a part', { things: [{ name: 'src/a/b', seen: 3 }] }, false],
    ['before a change of nobody knows what', { unknownChange: 4, things: [{ name: 'src/a', seen: 3 }] }, false],
    ['after one', { unknownChange: 4, things: [{ name: 'src/a', seen: 5 }] }, true],
    [
      'before something left the list, itself still in it',
      { past: { ...NOTHING_PAST, changed: 9 }, things: [{ name: 'src/a', seen: 3 }] },
      true,
    ],
    [
      'around, before something left the list, itself not in it',
      { past: { ...NOTHING_PAST, changed: 9 }, things: [{ name: 'src', seen: 3 }] },
      false,
    ],
  ])('%s', (_, members, expected) => {
    expect(seen(members)).toBe(expected);
  });

  it('is not while a call changes it, a folder around it, a part of it, or nobody knows what', () => {
    const draft = state({ things: [{ name: 'src/a', seen: 3 }] });
    const changing = (targets: readonly string[] | null, many?: true): boolean =>
      isSeen(draft, 'src/a', [
        runningCall({ kind: 'write', targets: ['x'] }),
        runningCall({ kind: 'write', targets, ...(many === undefined ? {} : { many }) }),
      ]);
    expect(isSeen(draft, 'src/a', [])).toBe(true);
    expect([['src/a'], ['src'], ['src/a/b'], ['x', 'src/a'], null].map((targets) => changing(targets))).toEqual([
      false,
      false,
      false,
      false,
      false,
    ]);
    expect([changing(['src/b']), changing([]), changing(['x'], true)]).toEqual([true, true, false]);
  });
});
