import { describe, expect, test } from 'vitest';
import { parseYaml } from './document.ts';

describe('a review document', () => {
  test.each([
    ['a: 1\na: 2\n', 'Map keys must be unique', 2, 1],
    ['a:\n  b: 1\n  c: [{ d: 1, "d": 2 }]\n', 'Map keys must be unique', 3, 15],
    [`a: &a {}\nb: [${'*a, '.repeat(40_000)}]`, 'more than 100 aliases', 2, 405],
    ['a: !mine x\n', 'Unresolved tag: !mine', 1, 4],
    ['a: !!binary aGk=\n', 'Unresolved tag: tag:yaml.org,2002:binary', 1, 4],
    ['a: [1\n', 'Flow sequence in block collection must be sufficiently indented and end with a ]', 2, 1],
  ])('is refused at its first fault: %.40j', (text, message, line, column) => {
    const place = `${message} at line ${line}, column ${column}`;
    expect(parseYaml(text)).toEqual({ type: 'refused', message: place, line, column });
  });

  test.each([['1: x\n'], ['{ a: { true: x } }\n'], ['? [a]\n: x\n'], ['a: &a b\n*a : x\n']])(
    'has keys that are strings: %j',
    (text) => {
      expect(parseYaml(text)).toEqual({
        type: 'refused',
        message: 'a key that is not a string',
        line: null,
        column: null,
      });
    },
  );

  test('may say a key again in another map', () => {
    const value = { a: { b: 1 }, b: [{ b: 2 }, { b: 3 }] };
    expect(parseYaml('a: { b: 1 }\nb: [{ b: 2 }, { b: 3 }]\n')).toEqual({ type: 'document', value });
  });

  test('may have tens of thousands of keys', () => {
    const keys = Array.from({ length: 20_000 }, (_, at) => `k${at}: 1`).join('\n');
    expect(parseYaml(keys).type).toBe('document');
    expect(parseYaml(`${keys}\nk7: 2`)).toMatchObject({ type: 'refused', line: 20_001, column: 1 });
  });
});
