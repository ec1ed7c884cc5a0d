import { isWarrantError } from '@warrant/core';
import { describe, expect, it } from 'vitest';
import { createGate, type GateConfig, recheckRecord } from '../src/index.ts';
import { effects, Session } from '../src/testing.ts';

const look = (path: string) => ({ tool: 'look', args: { path }, effects: effects({ reads: [path] }) });
const change = (path: string) => ({
  tool: 'put',
  args: { path },
  effects: effects({ class: 'write', writes: [path] }),
});
const UNKNOWN = { tool: 'run', args: {}, effects: effects({ class: 'unknown', unknownTargets: ['writes'] }) };
const open = (config: GateConfig = {}): Session => new Session(createGate(config));

describe('a claim of failure', () => {
  it('is overtaken as any other, but for an absence that was seen', () => {
    const session = open();
    session.read('a');
    session.write('a');
    expect(session.submit('assertion', { stance: 'negative' })).toBe('overtaken');
    session.read('a', '');
    session.write('a');
    expect(session.submit('assertion', { stance: 'negative' })).toBe('accepted');
  });
});

describe('what was reported as unverified', () => {
  it('is still changed, and the next move names it', () => {
    const session = open({ tools: { cat: { kind: 'read', targets: ['/file'] } } });
    session.write('a');
    session.submit('unverified');
    session.read('b');
    expect(session.submit('assertion', { about: ['a'] })).toBe('changed-since');
    expect(session.submit('assertion', { text: 'a is fine' })).toBe('changed-since');
    const { verdict } = session.gate.submit(session.state, { type: 'assertion', about: ['a'] });
    expect(verdict.legalNext[0]).toEqual({
      type: 'observe',
      obligation: null,
      targets: ['a'],
      tool: 'cat',
      arguments: { file: 'a' },
    });
    session.read('a');
    expect(session.submit('assertion', { about: ['a'] })).toBe('accepted');
    session.state = session.gate.beginTurn(session.state);
    session.read('c');
    expect(session.submit('assertion', { about: ['a'] })).toBe('accepted');
  });

  it('is not seen by a look that began before it ended', () => {
    const session = open();
    const early = session.begin(look('a'));
    session.write('a');
    session.submit('unverified');
    session.end(early, { result: 'old' });
    expect(session.submit('assertion')).toBe('overtaken');
    session.read('a', 'old');
    expect(session.submit()).toBe('accepted');
  });

  it('is being changed while it runs', () => {
    const session = open();
    session.read('a');
    const running = session.begin(change('a'));
    session.submit('unverified');
    session.read('b');
    expect(session.submit('assertion', { about: ['a'] })).toBe('changed-since');
    expect(session.submit('assertion', { text: 'a holds 5' })).toBe('changed-since');
    const { verdict } = session.gate.submit(session.state, { type: 'assertion', about: ['a'] });
    expect(verdict.legalNext[0]).toEqual({ type: 'report', callId: running });
    session.end(running, { outcome: 'not-run' });
    expect(session.submit('assertion', { about: ['a'] })).toBe('accepted');
  });
});

describe('a change of nobody knows what', () => {
  it('may have touched whatever was looked at by name', () => {
    const session = open();
    session.read('src/a.ts', 'import "x"');
    session.run(UNKNOWN);
    session.read('src/b.ts', 'order 88121');
    expect(session.submit('assertion', { about: ['src/a.ts'] })).toBe('changed-since');
    expect(session.submit('assertion', { text: 'a.ts imports x' })).toBe('changed-since');
    expect(session.submit('assertion', { about: ['src/b.ts'] })).toBe('accepted');
    expect(session.submit('assertion', { about: ['88121'] })).toBe('accepted');
    session.read('src');
    expect(session.submit('assertion', { about: ['src/a.ts'] })).toBe('accepted');
  });

  it('does not make a name ambiguous that a fresh look shares', () => {
    const session = open();
    session.read('one/index.ts');
    session.run(UNKNOWN);
    session.read('two/index.ts');
    expect(session.submit('assertion', { text: 'index.ts is fine' })).toBe('accepted');
    expect(session.submit('assertion', { text: 'one/index.ts is fine' })).toBe('changed-since');
  });

  it('is one of more things than are kept', () => {
    const session = open();
    const files = Array.from({ length: 9 }, (_, index) => `f${index}`);
    session.read('f8');
    session.run({ ...change('f0'), effects: effects({ class: 'write', writes: files }) });
    expect(session.submit('assertion')).toBe('overtaken');
    session.read('other');
    expect(session.submit('assertion', { about: ['f8'] })).toBe('changed-since');
  });
});

describe('folders', () => {
  it('are changed with a part of them, and parts with their folder', () => {
    const session = open();
    session.read('src/b.ts');
    session.write('src');
    session.read('src/a.ts');
    expect(session.submit('assertion', { about: ['src/b.ts'] })).toBe('changed-since');
    expect(session.submit('assertion', { about: ['src/a.ts'] })).toBe('accepted');
    expect(session.submit('assertion', { about: ['src'] })).toBe('changed-since');
    session.read('src');
    session.write('src/a.ts');
    session.read('other');
    expect(session.submit('assertion', { about: ['src'] })).toBe('changed-since');
    session.read('src/a.ts');
    expect(session.submit('assertion', { about: ['src'] })).toBe('accepted');
  });
});

describe('things that no longer fit', () => {
  const fill = (session: Session): void => {
    for (let index = 0; index < 60; index += 1) session.read(`filler/${index}`);
  };

  it('are taken for changed where they were', () => {
    const session = open();
    session.write('a');
    session.submit('unverified');
    fill(session);
    expect(session.state.things).toHaveLength(48);
    expect(session.submit('assertion', { about: ['a'] })).toBe('changed-since');
    session.read('a');
    expect(session.submit('assertion', { about: ['a'] })).toBe('accepted');
  });

  it('stay fresh until nobody knows what changed', () => {
    const session = open();
    session.write('a');
    session.read('a');
    fill(session);
    expect(session.submit('assertion', { about: ['a'] })).toBe('accepted');
    session.run(UNKNOWN);
    session.read('b');
    expect(session.submit('assertion', { about: ['a'] })).toBe('changed-since');
  });

  it('overtake looks that ran beside their change', () => {
    const session = open();
    const early = session.begin(look('a'));
    session.write('a');
    session.submit('unverified');
    fill(session);
    session.state = session.gate.beginTurn(session.state);
    session.end(early, { result: 'old' });
    expect(session.submit('assertion')).toBe('overtaken');
    expect(session.submit()).toBe('not-verified');
    session.read('b');
    expect(session.submit('assertion', { about: ['a'] })).toBe('changed-since');
  });
});

describe('an answer that carries the resulting state', () => {
  const own = { name: 'own', check: (): { readonly type: 'holds' } => ({ type: 'holds' }) };
  const tools: GateConfig['tools'] = { own: { kind: 'write', targets: ['/path'], ownAnswer: own } };

  it('is a look that began when it ended', () => {
    const session = open({ tools });
    session.run({ tool: 'own', args: { path: 'a' } });
    expect(session.submit('assertion', { about: ['a'] })).toBe('accepted');
    session.write('a');
    session.submit('unverified');
    session.read('b');
    expect(session.submit('assertion', { about: ['a'] })).toBe('changed-since');
  });

  it('is overtaken by a change of the same thing beside it', () => {
    const session = open({ tools });
    const first = session.begin({ tool: 'own', args: { path: 'a' } });
    session.write('a');
    session.end(first, {});
    session.submit('unverified');
    expect(session.submit('assertion')).toBe('overtaken');
    session.read('b');
    expect(session.submit('assertion', { about: ['a'] })).toBe('changed-since');
  });
});

describe('a passing check beside a change', () => {
  const config: GateConfig = { tools: { test: { kind: 'check', signals: ['vitest'] } }, goals: ['tests_passed'] };
  const passed = { result: ' Tests  3 passed (3)' };

  it('counts once a guard has kept that from running, not once it ran', () => {
    const ends = (outcome: 'ok' | 'not-run'): string => {
      const session = open(config);
      session.write('a');
      session.read('a');
      session.state = session.gate.beginTurn(session.state);
      const running = session.begin(change('b'));
      session.run({ tool: 'test', ...passed });
      expect(session.submit()).toBe('no-answer signal-missing');
      session.end(running, { outcome });
      return session.submit();
    };
    expect(ends('not-run')).toBe('accepted');
    expect(ends('ok')).toBe('not-looked-at signal-missing');
  });

  it('shows an unknown change that was reported', () => {
    const session = open({ tools: { test: { kind: 'check', signals: ['vitest'] } } });
    session.run(UNKNOWN);
    session.begin(change('a'));
    session.submit('unverified');
    session.run({ tool: 'test', ...passed });
    expect(session.submit()).toBe('accepted');
  });
});

describe('a completion', () => {
  it('rests on a look that only a change of something else has overlapped', () => {
    const session = open();
    session.write('a');
    const early = session.begin(look('a'));
    session.write('b');
    session.submit('unverified');
    session.end(early, { result: 'new' });
    expect(session.submit()).toBe('accepted');
  });

  it('is not taken back by an unverified that had nothing to report', () => {
    const session = open();
    session.write('a');
    session.read('a');
    session.submit('unverified');
    expect(session.submit()).toBe('accepted');
  });
});

describe('a change that has run too long for the list', () => {
  it('overtakes what was looked at until then', () => {
    const session = open({ limits: { running: 2 } });
    session.begin(change('a'));
    const early = session.begin(look('a'));
    const other = session.begin(look('b'));
    session.end(early, { result: 'half' });
    expect(session.submit('assertion')).toBe('overtaken');
    session.end(other, { result: 'whole' });
    expect(session.submit('assertion')).toBe('accepted');
    expect(session.submit('assertion', { about: ['a'] })).toBe('changed-since');
  });
});

describe('a record that goes on from a state of another version', () => {
  it('is refused by its code', () => {
    const gate = createGate();
    const from = { ...gate.initial, version: 1 } as unknown as typeof gate.initial;
    const code = (): unknown => {
      try {
        return recheckRecord(gate, { config: gate.config.digest, from, events: [] });
      } catch (error) {
        return isWarrantError(error) ? error.code : error;
      }
    };
    expect(code()).toBe('SUBMIT_GATE_STATE_INVALID');
  });
});
