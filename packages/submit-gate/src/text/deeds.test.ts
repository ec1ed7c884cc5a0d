import { expect, test } from 'vitest';
import { readMessage } from '../claims.ts';
import { A_DEED, A_WORD, markDeeds, SET } from './deeds.ts';

const found = (pattern: string, text: string): string | undefined =>
  new RegExp(pattern, 'i').exec(markDeeds(text))?.[0].replace(/[\ue000-\ue002]/g, '');

test('a deed is found as a whole word, of one word or two', () => {
  expect(found(A_DEED, 'It was Rolled back.')).toBe('Rolled back');
  expect(found(A_DEED, 'turned off')).toBe('turned off');
  expect(found(A_DEED, 'turned over')).toBeUndefined();
  expect(found(A_DEED, 'unchanged, preset')).toBeUndefined();
  expect(found(`^${A_DEED}$`, 'set up')).toBe('set up');
  expect(found(`^${A_DEED} up`, 'set up')).toBe('set up');
  expect(found(`${A_DEED} up`, 'reset up')).toBe('reset up');
  expect(found(`^${A_DEED}$`, 'reset up')).toBeUndefined();
});

test('words of a marked text are counted as those of the text', () => {
  expect(found(`^${A_WORD}{3}`, 'backed up it all')).toBe('backed up it ');
  expect(found(`^${A_WORD}{2}$`, 'set up ')).toBe('set up ');
  expect(found(`^all ${SET}`, 'all set, done')).toBe('all set');
});

test('signs that stand in a text mark nothing', () => {
  expect(found(A_DEED, '\ue000made-up\ue002')).toBe('made');
  expect(found(`^${A_DEED}`, '\ue000x\ue002')).toBeUndefined();
  expect(readMessage('\ue000I changed it.').type).toBe('completion');
});

test.each([
  ['Was set up in the file.', 'completion'],
  ['It was changed in the file.', 'assertion'],
  ['Everything is set up successfully.', 'completion'],
  ['All set, updated the file.', 'completion'],
  ['It was backed up successfully.', 'completion'],
  ['It has not yet been fully updated.', 'assertion'],
])('%s', (text, type) => {
  expect(readMessage(text).type).toBe(type);
});
