import { describe, expect, it } from 'vitest';
import { createGate } from '../src/index.ts';
import { effects, Session } from '../src/testing.ts';
import { bash, edit, read } from './coding-sessions.ts';

function coding(goals: readonly string[], command: string, stdout: string): string {
  const session = new Session(createGate({ preset: 'coding', root: '/repo', goals }));
  const seen = read('/repo/src/a.ts', 'export const add = (a, b) => a + b;');
  for (const act of [edit('/repo/src/a.ts', 'a - b', 'a + b'), seen, bash(command, stdout)])
    session.run({ tool: act.tool, args: act.args, result: act.result });
  return session.submit();
}

describe('decisions at the edge', () => {
  it('takes the exit code of a check for its own only where nothing follows it', () => {
    expect(coding(['tests_passed'], 'make test', 'building')).toBe('accepted');
    expect(coding(['tests_passed'], 'make test | cat', 'building')).toBe('signal-missing');
    expect(coding(['tests_passed'], 'make test || true', 'building')).not.toBe('accepted');
  });

  it('opens an obligation for a change that failed', () => {
    const session = new Session(createGate());
    session.write('a.txt');
    session.read('a.txt');
    session.write('b.txt', { outcome: 'error', result: 'the disk is full' });
    expect(session.submit()).toBe('not-looked-at');
    session.read('b.txt');
    expect(session.submit()).toBe('accepted');
  });

  it('takes an answer for known after the same change, or from a look that began later', () => {
    const session = new Session(createGate());
    const look = { tool: 'look', args: { path: 'a' }, effects: effects({ reads: ['a'] }) };
    const same = { result: 'same' };
    const first = session.begin(look);
    session.write('b');
    session.read('a', 'same');
    session.write('b');
    session.end(first, same);
    session.read('a', 'same');
    session.read('a', 'same');
    expect(session.state.considered.map((entry) => entry.cause)).toEqual([
      'not-read-only',
      'ok',
      'not-read-only',
      'not-novel',
      'ok',
      'not-novel',
    ]);
  });

  it('forgets the oldest answer beyond the limit', () => {
    const session = new Session(createGate({ limits: { novelty: 2 } }));
    for (const name of ['a', 'b', 'c']) session.read(name);
    session.read('b');
    session.read('a');
    expect(session.state.considered.map((entry) => entry.cause)).toEqual(['ok', 'ok', 'ok', 'not-novel', 'ok']);
  });

  it('believes effects that say more than a contract', () => {
    const session = new Session(createGate({ tools: { query: { kind: 'read', targets: ['/table'] } } }));
    const writes = effects({ class: 'write', writes: ['users'] });
    session.run({ tool: 'query', args: { table: 'users' }, effects: writes, result: '3 rows' });
    expect(session.submit()).toBe('not-looked-at');
    session.run({ tool: 'query', args: { table: 'users' }, result: 'ada, bob, eve' });
    expect(session.submit()).toBe('accepted');
  });
});
