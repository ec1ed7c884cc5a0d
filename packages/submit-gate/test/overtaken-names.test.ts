import { describe, expect, it } from 'vitest';
import { createGate, type GateConfig } from '../src/index.ts';
import { effects, Session } from '../src/testing.ts';

const UNKNOWN = { tool: 'run', args: {}, effects: effects({ class: 'unknown', unknownTargets: ['writes'] }) };
const open = (config: GateConfig = {}): Session => new Session(createGate(config));
const change = (path: string) => ({
  tool: 'put',
  args: { path },
  effects: effects({ class: 'write', writes: [path] }),
});

describe('a name that was changed is seen again', () => {
  it('where an answer shows it by contract', () => {
    const session = open({ tools: { orders: { kind: 'read', targets: [], shows: ['/orders/*'] } } });
    session.write('order-1');
    session.submit('unverified');
    session.read('b');
    expect(session.submit('assertion', { about: ['order-1'] })).toBe('changed-since');
    session.run({ tool: 'orders', result: { orders: ['order-1'] } });
    expect(session.submit('assertion', { about: ['order-1'] })).toBe('accepted');
  });

  it('where a look at what was removed finds nothing', () => {
    const session = open();
    session.run({ ...change('a'), effects: effects({ class: 'write', deletes: ['a'] }) });
    session.read('b');
    expect(session.submit('assertion', { about: ['a'] })).toBe('changed-since');
    session.read('a', 'no such file or directory', { outcome: 'error' });
    expect(session.submit('assertion', { about: ['a'] })).toBe('accepted');
  });

  it('not where the answer is another than was expected', () => {
    const session = open();
    session.run({ ...change('a'), expects: { timeout: 30 } });
    session.read('a', { timeout: 5 });
    session.read('b');
    expect(session.submit('assertion', { about: ['a'] })).toBe('changed-since');
  });
});

describe('a thing that is being changed for the first time', () => {
  it('may not be named in a text yet', () => {
    const session = open();
    session.begin(change('new.cfg'));
    session.read('b');
    expect(session.submit('assertion', { text: 'new.cfg is fine' })).toBe('changed-since');
    expect(session.submit('assertion', { text: 'b is fine' })).toBe('accepted');
  });
});

describe('the whole of the working folder', () => {
  it('is named by no full stop', () => {
    const session = open();
    session.read('.');
    session.run(UNKNOWN);
    session.read('b');
    expect(session.submit('assertion', { text: 'All is well . b is fine' })).toBe('accepted');
  });
});

describe('the next moves', () => {
  it('ask for each changed thing once', () => {
    const session = open();
    session.write('a');
    session.submit('unverified');
    session.write('b');
    session.read('c');
    const { verdict } = session.gate.submit(session.state, { type: 'assertion', about: ['a', 'b'] });
    expect(verdict.legalNext.map((move) => (move.type === 'observe' ? move.targets : move.type))).toEqual([
      ['b'],
      ['a'],
      'submit',
    ]);
  });
});

describe('a passing check beside a change that a guard refused', () => {
  const beside = (config: GateConfig, report: boolean): Session => {
    const session = open({ ...config, tools: { test: { kind: 'check', signals: ['vitest'] } } });
    session.write('a');
    session.read('a');
    session.state = session.gate.beginTurn(session.state);
    const running = session.begin(change('b'));
    session.run({ tool: 'test', result: ' Tests  3 passed (3)' });
    if (report) session.submit('unverified');
    session.end(running, { outcome: 'not-run' });
    return session;
  };

  it('is taken back by a report', () => {
    expect(beside({}, false).submit()).toBe('accepted');
    expect(beside({}, true).submit()).toBe('not-verified');
  });

  it('supports an assertion under strict', () => {
    expect(beside({ strict: true }, false).submit('assertion')).toBe('accepted');
  });
});
