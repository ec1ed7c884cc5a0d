import { describe, expect, it } from 'vitest';
import type { GateConfig } from './config-types.ts';
import { createGate } from './gate.ts';
import { type Act, effects, Session } from './testing.ts';

const commands = [
  { words: ['test'], kind: 'check' as const },
  { words: ['save'], kind: 'write' as const, keeps: true },
];
const base: GateConfig = { tools: { sh: { kind: 'shell' }, test: { kind: 'check' }, run: { kind: 'run' } }, commands };
const open = (config: GateConfig = {}): Session => new Session(createGate({ ...base, ...config }));

const look = (...reads: readonly string[]): Act => ({
  tool: 'look',
  args: { reads },
  effects: effects({ reads }),
  result: `contents of ${reads.join(', ')}`,
});
const change = (...writes: readonly string[]): Act => ({
  tool: 'put',
  args: { writes },
  effects: effects({ class: 'write', writes }),
});
const shell = (command: string): Act => ({ tool: 'sh', args: { command }, effects: effects({ class: 'unknown' }) });
const NAME_OF_80 = 'x'.repeat(80);

describe('what was seen', () => {
  /** Whether an assertion rests on nothing fresh after a look and a change. */
  const isOvertaken = (first: Act, second: Act, config: GateConfig = {}): boolean => {
    const session = open(config);
    session.run(first);
    session.run(second);
    return session.submit('assertion') !== 'accepted';
  };

  it('is overtaken by a change of any part of it', () => {
    expect(isOvertaken(look('a', 'b'), change('b'))).toBe(true);
    expect(isOvertaken(look('a', 'b'), change('a'))).toBe(true);
    expect(isOvertaken(look('a'), change('b', 'a', 'c'))).toBe(true);
    expect(isOvertaken(look('src'), change('src/a'))).toBe(true);
    expect(isOvertaken(look('src/a'), change('src'))).toBe(true);
    expect(isOvertaken(look('a', 'b'), change('c', 'd'))).toBe(false);
    expect(isOvertaken(look('a'), shell('./unknown'))).toBe(true);
    expect(isOvertaken(look('a'), shell('save'))).toBe(false);
  });

  it('is kept as one or two names of at most 80 characters, else anything overtakes it', () => {
    const kept = (act: Act): readonly unknown[] => {
      const session = open();
      session.run(act);
      return session.state.evidence;
    };
    const entry = { callId: 'call-1', tier: 'observed', seq: 2 };
    expect(kept(look('a', 'b'))).toEqual([{ ...entry, targets: ['a', 'b'] }]);
    expect(kept(look(NAME_OF_80, 'b'))).toEqual([{ ...entry, targets: [NAME_OF_80, 'b'] }]);
    for (const act of [look('a', 'b', 'c'), look('b', `${NAME_OF_80}x`), { tool: 'test' }]) {
      expect(kept(act)).toEqual([entry]);
      expect(isOvertaken(act, change('z'))).toBe(true);
    }
  });

  it('is not fresh while a change of it runs that leaves nothing as it was', () => {
    const during = (act: Act): string => {
      const session = open();
      session.run(look('a'));
      session.begin(act);
      return session.submit('assertion');
    };
    expect(during(change('a'))).toBe('overtaken');
    expect(during(change('b'))).toBe('accepted');
    expect(during({ tool: 'run' })).toBe('overtaken');
    expect(during(shell('./unknown'))).toBe('overtaken');
    expect(during(shell('save'))).toBe('accepted');
    expect(during({ tool: 'test' })).toBe('accepted');
    expect(during(look('a'))).toBe('accepted');
  });

  it('is stale from the start where a change of it ended beside the look', () => {
    const beside = (act: Act, config: GateConfig = {}): readonly (true | undefined)[] => {
      const session = open(config);
      const id = session.begin(look('a'));
      session.run(act);
      session.end(id, { result: 'contents of a' });
      return session.state.evidence.map((entry) => entry.stale);
    };
    expect(beside(change('a'))).toEqual([true]);
    expect(beside(change('b'))).toEqual([undefined]);
    expect(beside(change('b'), { settings: { obligations: 'last-mutation' } })).toEqual([true]);
    expect(beside(look('b'), { settings: { obligations: 'last-mutation' } })).toEqual([undefined, undefined]);
  });

  it('is overtaken by the last change alone where obligations are not told apart', () => {
    const config: GateConfig = { settings: { obligations: 'last-mutation' } };
    const session = open(config);
    session.seq = -1;
    session.run(look('a'));
    expect(session.state.evidence).toEqual([{ callId: 'call-1', tier: 'observed', seq: 1, targets: ['a'] }]);
    session.run(change('b'));
    session.run(look('c'));
    expect(session.state.evidence.map((entry) => entry.stale)).toEqual([undefined, undefined]);
    const equal = open(config);
    equal.run(change('b'));
    equal.seq -= 1;
    equal.run(look('c'));
    expect(equal.state.evidence.map((entry) => entry.stale)).toEqual([true]);
  });

  it('goes stale where a setting or the keeping of things needs it', () => {
    const after = (settings: GateConfig['settings'] & object): readonly unknown[] => {
      const session = open({ settings });
      session.run(look('a'));
      session.run(change('a'));
      session.run(look('b'));
      return [session.state.evidence.map((entry) => entry.stale === true), session.state.things.length];
    };
    expect(after({})).toEqual([[true, false], 2]);
    expect(after({ staleAssertions: 'allow' })).toEqual([[true, false], 2]);
    expect(after({ obligations: 'last-mutation' })).toEqual([[true, false], 0]);
    expect(after({ obligations: 'last-mutation', staleAssertions: 'allow' })).toEqual([[false, false], 0]);
  });
});

describe('a passing check beside a running change', () => {
  it('shows earlier changes once the running one had no effect, whatever else was seen', () => {
    const session = open();
    session.run(change('a'));
    session.run(look('a'));
    session.state = session.gate.beginTurn(session.state);
    expect(session.submit()).toBe('not-verified');
    session.run(look('z'));
    const running = session.begin(change('b'));
    session.run({ tool: 'test' });
    expect(session.state.evidence.map((entry) => [entry.tier, entry.held])).toEqual([
      ['observed', undefined],
      ['observed', true],
    ]);
    expect(session.submit()).toBe('no-answer');
    session.end(running, { outcome: 'not-run' });
    expect(session.submit()).toBe('accepted');
  });
});

describe('signals', () => {
  it('end with a change of what they cover, unless they are kept for ever', () => {
    const after = (act: Act, config: GateConfig = {}): readonly string[] => {
      const session = open(config);
      session.run({ tool: 'test', more: { signals: ['ok'] } });
      session.run(act);
      return Object.keys(session.state.signals);
    };
    const covers = { ...base.tools, test: { kind: 'check' as const, covers: ['src'] } };
    expect(after(change('a'))).toEqual([]);
    expect(after(shell('save'))).toEqual(['ok']);
    expect(after(change('a'), { tools: covers })).toEqual(['ok']);
    expect(after(change('src/a'), { tools: covers })).toEqual([]);
    expect(after(shell('./unknown'), { tools: covers })).toEqual([]);
    expect(after(change('a'), { settings: { signals: 'forever' } })).toEqual(['ok']);
  });
});

describe('names in a claim', () => {
  /** What is reported as changed since, after the acts and a fresh look at something else. */
  const stale = (acts: readonly Act[], claim: { readonly about?: string[]; readonly text?: string }): unknown => {
    const session = open();
    for (const act of acts) session.run(act);
    session.submit('unverified');
    session.run(look('fresh.md'));
    const { verdict } = session.gate.submit(session.state, { type: 'assertion', ...claim });
    return verdict.reasons.find((reason) => reason.code === 'gate.changed-since')?.data['identifiers'] ?? [];
  };

  it('are stale where they, a part of them or a folder around them changed unseen', () => {
    expect(stale([change('src/a')], { about: ['src/a'] })).toEqual(['src/a']);
    expect(stale([change('src/a')], { about: ['src'] })).toEqual(['src/a']);
    expect(stale([change('src')], { about: ['src/a'] })).toEqual(['src/a']);
    expect(stale([change('src')], { about: ['lib/a', 'sr'] })).toEqual([]);
    expect(stale([change('src/a'), look('src/a')], { about: ['src/a', 'src'] })).toEqual([]);
    expect(stale([change('src/a'), look('src')], { about: ['src/a', 'src'] })).toEqual([]);
    expect(stale([look('src/a')], { about: ['src/a', 'src'] })).toEqual([]);
  });

  it('are stale after a change of nobody knows what where they were looked at by name', () => {
    const acts = [look('src/a'), shell('./unknown')];
    expect(stale(acts, { about: ['src/a'] })).toEqual(['src/a']);
    expect(stale(acts, { about: ['src', 'src/b'] })).toEqual([]);
    expect(stale([...acts, look('src')], { about: ['src/a'] })).toEqual([]);
  });

  it('are those that the text says, by path or by the name of the file where no fresh one shares it', () => {
    expect(stale([change('src/a.ts')], { text: 'src/a.ts is fine' })).toEqual(['src/a.ts']);
    expect(stale([change('src/a.ts')], { text: 'a.ts is fine' })).toEqual(['src/a.ts']);
    expect(stale([change('src/a.ts')], { text: 'ba.ts is fine' })).toEqual([]);
    expect(stale([change('src/make')], { text: 'make is fine' })).toEqual([]);
    expect(stale([change('src/a.ts'), look('lib/a.ts')], { text: 'a.ts is fine' })).toEqual([]);
    expect(stale([change('src/a.ts'), look('lib/b.ts')], { text: 'a.ts is fine' })).toEqual(['src/a.ts']);
    expect(stale([change('src/a.ts'), look('src/a.ts')], { text: 'src/a.ts is fine' })).toEqual([]);
    expect(stale([change('.')], { text: 'all is well . so it is' })).toEqual([]);
    expect(stale([change('.')], {})).toEqual([]);
    expect(stale([change('a.ts', 'b.ts')], { about: ['b.ts'], text: 'a.ts is fine' })).toEqual(['b.ts', 'a.ts']);
  });

  it('are stale while they are being changed, not while they are looked at', () => {
    const during = (act: Act, claim: object): string => {
      const session = open();
      session.run(look('a.ts'));
      session.run(look('b.ts'));
      session.begin(act);
      return session.submit('assertion', { ...claim });
    };
    expect(during(change('a.ts'), { about: ['a.ts'] })).toBe('changed-since');
    expect(during(change('a.ts'), { text: 'a.ts is fine' })).toBe('changed-since');
    expect(during(change('lib/n.ts'), { text: 'n.ts is fine' })).toBe('changed-since');
    expect(during(change('lib/n.ts'), { about: ['lib/n.ts'] })).toContain('changed-since');
    expect(during(change('lib/n.ts'), { about: ['lib'] })).toContain('changed-since');
    expect(during(change('a.ts'), { about: ['b.ts'], text: 'b.ts is fine' })).toBe('accepted');
    expect(during(look('a.ts'), { about: ['a.ts'], text: 'a.ts is fine' })).toBe('accepted');
    expect(during(shell('save'), { about: ['a.ts'], text: 'a.ts is fine' })).toBe('accepted');
    expect(during({ tool: 'run' }, { about: ['a.ts'] })).toBe('changed-since overtaken');
  });
});
