import { describe, expect, it } from 'vitest';
import type { MessageType } from '../src/claims.ts';
import { createGate, readMessage } from '../src/index.ts';
import { Session } from '../src/testing.ts';
import { HELD_BACK, MESSAGES } from './messages.ts';

/** Precision and recall of one type over a set. */
function measure(type: MessageType, set: typeof MESSAGES): { readonly precision: number; readonly recall: number } {
  const found = set.filter(([, text]) => readMessage(text).type === type);
  const right = found.filter(([label]) => label === type).length;
  const labelled = set.filter(([label]) => label === type).length;
  return { precision: right / found.length, recall: right / labelled };
}

const seen = MESSAGES.slice(0, -HELD_BACK);
const held = MESSAGES.slice(-HELD_BACK);

describe('readMessage', () => {
  it.each([
    ['completion', 0.95, 0.95],
    ['assertion', 0.9, 0.9],
    ['failure', 0.9, 0.9],
    ['hand-off', 0.9, 0.9],
    ['none', 0.9, 0.9],
  ] as const)('finds %s on the messages it was written with', (type, precision, recall) => {
    const measured = measure(type, seen);
    expect(measured.precision).toBeGreaterThanOrEqual(precision);
    expect(measured.recall).toBeGreaterThanOrEqual(recall);
  });

  it('calls no message a completion that is none, also among those held back', () => {
    expect(measure('completion', MESSAGES).precision).toBeGreaterThanOrEqual(0.95);
    expect(measure('completion', held).recall).toBeGreaterThanOrEqual(0.8);
    expect(held.filter(([label, text]) => readMessage(text).type === label).length).toBeGreaterThanOrEqual(14);
  });

  it('names identifiers and codes, and the gate reports those it never saw', () => {
    const reading = readMessage('I have moved `src/a.ts` and charged 1,250 to card_7334.');
    expect(reading).toMatchObject({
      type: 'completion',
      claim: { type: 'completion', changes: [['src/a.ts', '1,250', 'card_7334']] },
    });
    expect(reading.identifiers).toContain('src/a.ts');
    expect(reading.codes).toContain('card_7334');
    const session = new Session(createGate());
    session.write('src/a.ts');
    session.read('src/a.ts', 'amount 1250');
    const { verdict } = session.gate.submit(session.state, reading.claim);
    expect(verdict).toMatchObject({
      type: 'accepted',
      reasons: [{ code: 'gate.code-not-observed', data: { codes: ['card_7334'] } }],
    });
    const strict = new Session(createGate({ settings: { unseenCodes: 'refuse' } }));
    strict.state = strict.gate.beginTurn(strict.state, 'use card_7334');
    strict.write('src/a.ts');
    strict.read('src/a.ts', 'amount 1251');
    expect(strict.gate.submit(strict.state, reading.claim).verdict.reasons[0]).toMatchObject({
      data: { codes: ['1250'] },
    });
  });

  it('maps failure to a negative assertion and hand-off to unverified', () => {
    expect(readMessage('The build failed.').claim).toEqual({
      type: 'assertion',
      stance: 'negative',
      text: 'The build failed.',
    });
    expect(readMessage('I am escalating this to support.').claim.type).toBe('unverified');
    expect(readMessage('').claim.type).toBe('none');
  });
});
