import type { Json, JsonObject } from '@warrant/core';
import { describe, expect, it } from 'vitest';
import type { GateConfig, ToolContract } from './config-types.ts';
import { createGate } from './gate.ts';
import { type Act, effects, Session } from './testing.ts';

const open = (config: GateConfig = {}): Session => new Session(createGate(config));

/** A change of the paths; without paths one of nobody knows what. */
function change(paths: readonly string[], more: Partial<Act> = {}): Act {
  const what = paths.length === 0 ? { unknownTargets: ['writes' as const] } : { writes: paths };
  return { tool: 'sh', args: { paths }, effects: effects({ class: 'write', ...what }), ...more };
}
const tools = { sh: { kind: 'shell' as const } };

/** A change whose own answer shows the result where it says `ok`. */
const update: ToolContract = {
  kind: 'write',
  targets: ['/ids'],
  ownAnswer: {
    name: 'says-ok',
    check: (_args: JsonObject, result: Json) =>
      (result as JsonObject)['ok'] === 'yes'
        ? { type: 'holds' }
        : { type: 'fails', message: (result as { ok: string }).ok },
  },
};
const updated = (ids: readonly string[], ok = 'yes', more: Partial<Act> = {}): Act => ({
  tool: 'update',
  args: { ids },
  result: { ok },
  ...more,
});

const ids = (session: Session): readonly string[] => session.state.open.map((item) => item.id);

describe('what was expected of a change', () => {
  /** Whether it is still expected of the first change after a second one. */
  function isExpected(first: Act, second: Act, config: GateConfig = { tools }): boolean {
    const session = open(config);
    session.run({ ...first, expects: 'one' });
    session.run(second);
    expect(ids(session)).toEqual(['call-1', 'call-2']);
    return session.state.open[0]?.expects !== undefined;
  }

  it.each<readonly [readonly string[], readonly string[]]>([
    [['a'], ['a']],
    [['a'], ['b', 'a']],
    [['src/a'], ['src']],
    [
      ['src/a', 'b'],
      ['b', 'src'],
    ],
    [['a', 'a/b'], ['a']],
    [[], []],
  ])('of %j ends when %j changes', (first, second) => {
    expect(isExpected(change(first), change(second))).toBe(false);
  });

  it.each<readonly [readonly string[], readonly string[]]>([
    [['a'], ['b']],
    [['a'], ['a/b']],
    [['src/a'], ['src/ab']],
    [['a', 'b'], ['a']],
    [
      ['a', 'b'],
      ['b', 'c'],
    ],
    [['a'], []],
    [[], ['a']],
  ])('of %j stays when %j changes', (first, second) => {
    expect(isExpected(change(first), change(second))).toBe(true);
  });

  it('stays when a change of the same fails or began before the first had ended', () => {
    expect(isExpected(change(['a']), change(['a'], { outcome: 'error' }))).toBe(true);
    for (const [back, expected] of [
      [0, false],
      [1, true],
      [2, true],
    ] as const) {
      const session = open({ tools });
      session.run(change(['a'], { expects: 'one' }));
      session.seq -= back;
      session.run(change(['a']));
      expect(session.state.open[0]?.expects !== undefined).toBe(expected);
    }
  });

  it('stays while that change itself runs', () => {
    const session = open({ tools });
    session.begin(change(['a'], { expects: 'one' }));
    session.run(change(['a']));
    expect(session.state.open[0]).toMatchObject({ id: 'call-1', ended: null, expects: { value: 'one' } });
  });

  it('takes a contradiction with it, and a look is needed all the same', () => {
    const session = open({ tools });
    session.run(change(['a'], { expects: 'a=1' }));
    session.read('a', 'a=2');
    expect(session.submit()).toBe('contradicted');
    session.run(change(['a']));
    expect(session.submit()).toBe('not-looked-at not-looked-at');
    session.read('a', 'a=3');
    expect(session.submit()).toBe('accepted');
  });

  it('of a failed change ends with it where a redo makes it good', () => {
    const redo: GateConfig = { tools, settings: { failedMutations: 'redo' } };
    const after = (first: Partial<Act>, second: Act, config: GateConfig): readonly string[] => {
      const session = open(config);
      session.run(change(['a'], first));
      session.run(second);
      return ids(session);
    };
    expect(after({ outcome: 'error' }, change(['a']), redo)).toEqual(['call-2']);
    expect(after({ outcome: 'error' }, change(['b']), redo)).toEqual(['call-1', 'call-2']);
    expect(after({ outcome: 'error' }, change(['a'], { outcome: 'error' }), redo)).toEqual(['call-1', 'call-2']);
    expect(after({}, change(['a']), redo)).toEqual(['call-1', 'call-2']);
    expect(after({ outcome: 'error' }, change(['a']), { tools })).toEqual(['call-1', 'call-2']);
  });
});

describe('a change that was reported while it ran', () => {
  it('is open again when it ends, with all that is known of it', () => {
    for (const [failedMutations, outcome, code] of [
      ['redo', 'error', 'change-failed'],
      ['redo', 'ok', 'not-looked-at'],
      ['read-back', 'error', 'not-looked-at'],
    ] as const) {
      const session = open({ tools, settings: { failedMutations } });
      const id = session.begin(change(['a']));
      const { size, key } = session.state.running[0] ?? { size: 0, key: '' };
      session.submit('unverified');
      session.end(id, { outcome });
      expect(session.state.open).toEqual([
        {
          id,
          tool: 'sh',
          key,
          targets: ['a'],
          from: 1,
          ended: 2,
          failed: outcome === 'error',
          redo: failedMutations === 'redo',
          size: size + 100,
        },
      ]);
      expect(session.submit()).toBe(code);
    }
  });

  it('is open again behind others that are open', () => {
    const session = open({ tools });
    const id = session.begin(change(['a']));
    session.submit('unverified');
    session.run(change(['b']));
    session.end(id, {});
    expect(ids(session)).toEqual(['call-2', 'call-1']);
  });

  it('is of nobody knows what where it changed more than is kept', () => {
    const session = open({ tools });
    const id = session.begin(change(Array.from({ length: 9 }, (_, index) => `f${index}`)));
    session.submit('unverified');
    session.end(id, {});
    expect(session.state.open[0]?.targets).toBeNull();
  });

  it('is not where it is counted among those that can no longer be named', () => {
    const session = open({ tools, limits: { open: 1 } });
    const id = session.begin(change(['a']));
    session.run(change(['b']));
    session.end(id, {});
    expect([ids(session), session.state.beyond]).toEqual([['call-2'], 1]);
  });
});

describe('an answer that shows the result', () => {
  const config: GateConfig = { tools: { ...tools, update }, settings: { trailingError: 'refuse' } };

  it('meets its own change and no other', () => {
    const session = open(config);
    session.run(change(['b']));
    session.run(updated(['a']));
    expect(ids(session)).toEqual(['call-1']);
    expect(session.state.met).toEqual({ count: 1, last: { id: 'call-2', by: 'call-2' } });
    expect(session.state.considered.at(-1)).toMatchObject({ tier: 'verified', cause: 'ok', evidence: 'positive' });
    expect(session.submit()).toBe('not-looked-at');
    session.read('b');
    expect(session.submit()).toBe('accepted');
  });

  it('speaks for earlier changes of what it is of', () => {
    const left = (first: Act, second: Act, more: GateConfig = {}): readonly string[] => {
      const session = open({ ...config, ...more });
      session.run(first);
      session.run(second);
      return ids(session);
    };
    expect(left(change(['a']), updated(['a']))).toEqual([]);
    expect(left(change(['a'], { expects: 'x' }), updated(['a']))).toEqual([]);
    expect(left(change(['a']), updated(['b', 'a']))).toEqual([]);
    expect(left(change(['a', 'b']), updated(['a', 'b', 'c']))).toEqual([]);
    expect(left(change(['a', 'b']), updated(['a']))).toEqual(['call-1']);
    expect(left(change(['a/b']), updated(['a']))).toEqual(['call-1']);
    expect(left(change([]), updated(['a']))).toEqual(['call-1']);
    const blind = { ...update, readBefore: ['/ids'] };
    const unseen: Act = { ...updated(['a']), tool: 'blind' };
    expect(left(unseen, updated(['a']), { tools: { update, blind } })).toEqual(['call-1']);
  });

  it('speaks for none that ended when it had begun already', () => {
    for (const [back, open_] of [
      [0, []],
      [1, ['call-1']],
    ] as const) {
      const session = open(config);
      session.run(change(['a']));
      session.seq -= back;
      session.run(updated(['a']));
      expect(ids(session)).toEqual(open_);
    }
    const session = open(config);
    session.begin(change(['a']));
    session.run(updated(['a']));
    expect(ids(session)).toEqual(['call-1']);
  });

  it('is a look at what it is of, unless something else changed it meanwhile', () => {
    const session = open(config);
    session.run(updated(['a']));
    expect(session.state.things).toEqual([{ name: 'a', changed: 2, seen: 3 }]);
    expect(session.submit('assertion', { about: ['a'] })).toBe('accepted');
    const id = session.begin(updated(['a']));
    session.run(change(['a']));
    session.end(id, { result: { ok: 'yes' } });
    expect(session.submit('assertion', { about: ['a'] })).toBe('changed-since overtaken');
  });

  it('of a command is a look at nothing by name', () => {
    const commands = [{ words: ['go'], kind: 'write' as const, ownAnswer: { name: 'went', pattern: /^gone$/ } }];
    const session = open({ tools, commands });
    session.run({ tool: 'sh', args: { command: 'go' }, effects: effects({ class: 'unknown' }), result: 'gone' });
    expect([ids(session), session.state.things, session.state.changed]).toEqual([[], [], []]);
    expect(session.state.verified).toBe(true);
    session.run(change(['a']));
    session.run({ tool: 'sh', args: { command: 'go' }, effects: effects({ class: 'unknown' }), result: 'gone' });
    expect(ids(session)).toEqual(['call-2']);
  });

  it('counts for nothing where the change failed or can no longer be named', () => {
    const failed = open(config);
    failed.run(updated(['a'], 'yes', { result: { ok: 'yes', error: 'boom' } }));
    expect(ids(failed)).toEqual(['call-1']);
    expect(failed.state.considered.at(-1)).toMatchObject({ tier: 'none', cause: 'error', evidence: 'error' });
    const beyond = open({ ...config, limits: { open: 1 } });
    const id = beyond.begin(updated(['a']));
    beyond.run(change(['b']));
    beyond.end(id, { result: { ok: 'yes' } });
    expect([ids(beyond), beyond.state.beyond, beyond.state.verified]).toEqual([['call-2'], 1, false]);
  });

  it('ends a failed last call', () => {
    const session = open(config);
    session.run(updated(['a'], 'yes', { outcome: 'error' }));
    session.run(updated(['a']));
    expect(session.submit()).toBe('accepted');
  });
});

describe('an answer that shows another result', () => {
  const config: GateConfig = { tools: { ...tools, update }, settings: { trailingError: 'refuse' } };

  it('contradicts its own change and no other', () => {
    const session = open(config);
    session.run(change(['b']));
    session.run(updated(['a'], 'x'.repeat(130)));
    expect(session.state.open.map((item) => item.contradicted)).toEqual([
      undefined,
      { by: 'call-2', found: 'x'.repeat(120) },
    ]);
    expect(session.state.considered.at(-1)).toMatchObject({ tier: 'none', evidence: 'contradicting' });
    expect(session.submit()).toBe('not-looked-at contradicted last-call-failed');
  });

  it('is a failed call also where its change can no longer be named', () => {
    const session = open({ ...config, limits: { open: 1 } });
    const id = session.begin(updated(['a']));
    session.run(change(['b']));
    session.end(id, { result: { ok: 'no' } });
    expect(session.state.considered.at(-1)).toMatchObject({ cause: 'contradicting' });
    expect([ids(session), session.state.open[0]?.contradicted]).toEqual([['call-2'], undefined]);
    expect(session.state.trailingError).toBe(true);
  });
});

describe('what changes name', () => {
  it('joins the surface once each, where the setting says so', () => {
    const session = open({ tools });
    for (const paths of [['a', 'b'], ['b', 'c'], [], ['a']]) session.run(change(paths));
    expect(session.state.changed).toEqual(['a', 'b', 'c']);
    const never = open({ tools, settings: { surfaceGrowth: 'never' } });
    never.run(change(['a']));
    expect(never.state.changed).toEqual([]);
  });
});

describe('a failed change', () => {
  it('is one whose answer is an error, if answers are classed', () => {
    const after = (act: Partial<Act>, config: GateConfig = {}): boolean => {
      const session = open({ tools, ...config });
      session.run(change(['a'], act));
      return session.state.open[0]?.failed === true && session.state.absent && session.state.trailingError;
    };
    expect(after({ outcome: 'error' })).toBe(true);
    expect(after({ result: { error: 'boom' } })).toBe(true);
    expect(after({})).toBe(false);
    expect(after({ outcome: 'error' }, { settings: { evidence: 'any' } })).toBe(true);
    expect(after({ result: { error: 'boom' } }, { settings: { evidence: 'any' } })).toBe(false);
  });
});

describe('under the reference profile a change', () => {
  const config: GateConfig = { profile: 'reference', tools };
  const causes = (session: Session): readonly string[] => session.state.considered.map((item) => item.cause);

  it('takes back what was verified before', () => {
    const session = open({ ...config, surface: ['a'] });
    session.run(change(['a']));
    session.read('a');
    expect([session.state.verified, session.submit()]).toEqual([true, 'accepted']);
    session.run(change(['a']));
    expect([session.state.verified, session.submit()]).toEqual([false, 'not-verified']);
    expect(session.state.open).toEqual([]);
  });

  it('counts like a look that shows no more: new and relevant, or not', () => {
    /** Three equal changes that run at once and whose ends are told the last first. */
    const told = (results: readonly string[], surface: readonly string[]): readonly string[] => {
      const session = open({ ...config, surface });
      const calls = results.map(() => session.begin(change(['a'])));
      results.forEach((result, index) => {
        session.seq = 20 - index;
        session.end(calls[index] as string, { result, outcome: result === 'failed' ? 'error' : 'ok' });
      });
      return causes(session);
    };
    expect(told(['same', 'same', 'same'], ['a'])).toEqual(['not-read-only', 'not-read-only', 'not-novel']);
    expect(told(['same', 'same', 'other'], ['a'])).toEqual(['not-read-only', 'not-read-only', 'not-read-only']);
    expect(told(['failed', 'failed', 'failed'], ['a'])).toEqual(['not-read-only', 'not-read-only', 'not-read-only']);
    expect(told(['same', 'same', 'same'], ['z'])).toEqual(['not-relevant', 'not-relevant', 'not-relevant']);
  });

  it('gives the signals that the shell names', () => {
    const session = open({ ...config, goals: ['done'] });
    session.run(change(['a'], { more: { signals: ['done'] } }));
    expect(Object.keys(session.state.signals)).toEqual(['done']);
  });
});
