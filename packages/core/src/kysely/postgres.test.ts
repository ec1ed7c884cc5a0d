import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeText, encodeText, postgresFailure } from './index.ts';

test('a text column takes any text, and gives back that one', () => {
  const unit = fc.constantFrom('\u0000', '\u001a', '0', '1', 'a');
  fc.assert(
    fc.property(fc.string({ unit }), (text) => {
      expect(encodeText(text)).not.toContain('\u0000');
      expect(decodeText(encodeText(text))).toBe(text);
    }),
  );
});

test.each([
  ['ECONNREFUSED', '', 'not-sent'],
  ['', 'timeout exceeded when trying to connect', 'not-sent'],
  ['57P01', '', 'cut'],
  ['', 'Connection terminated unexpectedly', 'cut'],
  ['40P01', '', 'taken-back'],
  ['23505', '', undefined],
])('what became of a statement: code %j, message %j', (code, message, failure) => {
  expect(postgresFailure(Object.assign(new Error(message), { code }))).toBe(failure);
});
