import { describe, expect, it } from 'vitest';
import { createGate, normalize, readMessage, recordedObservation } from '../src/index.ts';
import { effects, Session } from '../src/testing.ts';

const SIZE = process.env['WARRANT_SOAK'] === undefined ? 4_000_000 : 100_000_000;

describe('hostile answers', () => {
  it.each([
    ['digits', '1'],
    ['hex', 'deadbeef'],
    ['spaces', ' '],
    ['dates', '2024-05-01 '],
    ['half dates', 'Jul 1 '],
    ['dots', '.'],
    ['slashes', 'a/'],
    ['needles', 'a '],
    ['surrogates', '\ud800'],
    ['quotes', '"'],
    ['assignments', 'a=b\n'],
    ['braces', '{'],
    ['binary', '\u0000\u0001\uffff'],
    ['word', 'a'],
    ['uuid parts', '12345678-'],
  ])(
    'of %s leave a small state',
    (_name, piece) => {
      const session = new Session(createGate({ surface: ['a', 'needle'], preset: 'coding', caseSensitive: false }));
      session.write('d/a', { expects: 'a=c' });
      const text = piece.repeat(Math.ceil(SIZE / 4 / piece.length));
      session.read('a', text);
      expect(JSON.stringify(session.state).length).toBeLessThan(65_536);
    },
    300_000,
  );

  it('of a very long text are cut in the record, and keep their facts', () => {
    const session = new Session(createGate());
    const id = session.begin({ tool: 'look', args: { path: 'a' }, effects: effects({ reads: ['a'] }) });
    const event = { callId: id, endSeq: 9, outcome: 'ok' as const, result: `\ud800${'x'.repeat(SIZE)}\udc00` };
    const kept = recordedObservation(event, session.gate.factsOf(session.state, event), () => 'sha256:1');
    expect(JSON.stringify(kept).length).toBeLessThan(20_000);
    expect(JSON.stringify(kept.result)).not.toMatch(/[\ud800-\udfff]/);
    expect(JSON.stringify(session.gate.observe(session.state, kept))).toBe(
      JSON.stringify(session.gate.observe(session.state, event)),
    );
  });

  it('of deep JSON do not break the stack', () => {
    const session = new Session(createGate({ preset: 'coding' }));
    const deep = `${'['.repeat(3_000)}${']'.repeat(3_000)}`;
    session.read('a', JSON.parse(deep));
    session.read('b', deep);
    expect(session.calls).toBe(2);
  });

  it('with names of built-in members mean nothing special', () => {
    const session = new Session(createGate({ goals: ['constructor'] }));
    session.run({
      tool: '__proto__',
      args: { path: 'a' },
      effects: effects({ class: 'write', writes: ['__proto__'] }),
      more: { signals: ['__proto__'] },
    });
    session.read('__proto__');
    expect(session.submit()).toBe('signal-missing');
  });

  it('and messages of bait come to an end', () => {
    for (const piece of ['I have ', 'was ', '```', '"a', 'if , ', '1,', 'not a ', '(', '- ', 'a. A']) {
      expect(readMessage(piece.repeat(200_000)), piece).toBeDefined();
      expect(typeof normalize(piece.repeat(200_000)), piece).toBe('string');
    }
  });
});
