import type { Json } from '@warrant/core';
import { describe, expect, it } from 'vitest';
import { checkExpectation, keptExpectation, LONGEST_EXPECTATION } from './expectation.ts';
import type { Expectation } from './types.ts';

/** The kind of the answer, or what was found in place of the expected. */
function check(expectation: Expectation, result: Json): string {
  const answer = checkExpectation(result, expectation);
  return answer.type === 'differs' ? `not: ${answer.found}` : answer.type;
}

const stated = (value: Json, result: Json): string => check({ type: 'stated', value }, result);
const written = (value: string, result: Json): string => check({ type: 'derived', value }, result);
const edited = (replaces: string, value: string, result: Json): string =>
  check({ type: 'derived', value, replaces }, result);

describe('an expected text', () => {
  it.each([
    ['say hello', 'hello'],
    ['hello', 'hello'],
    ['a\n  hello  \nb', 'hello'],
    ['a  \r\nb\t\nc', 'a\nb\nc'],
    ['a\nb', '  a \nb\t \n'],
    ['a\nb', '\r\na\r\nb'],
    ['{ a: 1, b: "x" }', "{a:1,b:'x'}"],
    ['f(a,\n  b);', 'f(a, b)'],
    ['処理完了しました', '完了'],
    ['anything', ''],
    ['anything', ' \n'],
    ['timeout=30 and timeout=3', 'timeout=3'],
    ['timeout = 30\ntimeout = 3', 'timeout=3'],
    ['version 2.', 'version 2'],
    ['version 2\n1.5', 'version 2'],
    ['a, b', 'a'],
    ['x)(y', ')('],
    [';;x', ';;'],
  ])('%j shows %j', (result, value) => {
    expect(stated(value, result)).toBe('matches');
    expect(written(value, result)).toBe('matches');
  });

  it.each([
    ['goodbye', 'hello'],
    ['Hello', 'hello'],
    ['hello2', 'hello'],
    ['_hello', 'hello'],
    ['version 2.5', 'version 2'],
    ['(abc)', ')('],
    ['ab', '"a"'],
    ['ab', 'b;'],
    ['', 'hello'],
  ])('%j says nothing of %j', (result, value) => {
    expect(stated(value, result)).toBe('silent');
  });

  it('is looked for with and without numbers in front of the lines', () => {
    for (const mark of ['\t', '→', ': ', '| ', '|'])
      expect(stated('a = 1\nb = 2', ` 9${mark}a = 1\n10${mark}b = 2`)).toBe('matches');
    expect(stated('a\n\nb', '1\ta\n2\t\n3\tb')).toBe('matches');
    for (const text of ['8080: web', '8080: web\n8081: api', '1\tone', '7→x'])
      expect([stated(text, text), written(text, text)]).toEqual(['matches', 'matches']);
    expect(stated('port 12', 'port 12: a')).toBe('matches');
    expect(stated('a b', 'a 1\tb')).toBe('silent');
    expect(stated('b', 'a\n1\tb')).toBe('matches');
    expect(written('8080: web', '9: limit = 5\n10: none')).toBe('not: limit = 5\nnone');
  });

  it('is looked for in what a person would read of the answer', () => {
    expect(
      stated('a b', [
        { type: 'text', text: 'x' },
        { type: 'text', text: 'a b' },
      ]),
    ).toBe('matches');
    expect(stated('a b', { stdout: 'a b\n', stderr: '' })).toBe('matches');
    expect(stated('stdout', { stdout: 'a b', stderr: '' })).toBe('silent');
    expect(stated('hello', { status: 'ok', body: 'say hello' })).toBe('matches');
  });

  it('is contradicted by a line that assigns something else to a name in it', () => {
    expect(stated('timeout=30', 'timeout=5')).toBe('not: timeout=5');
    expect(stated('timeout=3', 'timeout=30')).toBe('not: timeout=30');
    expect(stated('a=3', 'a=30')).toBe('not: a=30');
    expect(stated('"limit": 3,', '{\n  "limit": 4,\n}')).toBe('not: "limit": 4,');
    expect(stated('a=1\nb=2', 'x\n a=1\n b=3 \n')).toBe('not: b=3');
    expect(stated('a=1\nb=2', 'b=3\na=1')).toBe('not: b=3');
    expect(stated('a=1', 'a=2\na=3')).toBe('not: a=3');
    expect(stated('server.port=1\nx', '  12: server.port: 2')).toBe('not: server.port: 2');
    expect(written('a = 1\nb = 2', 'a = 1\nb = 3')).toBe('not: b = 3');
  });

  it('is not contradicted by other names, other spellings of the value or a part of it', () => {
    expect(stated('timeout=30', 'timeouts=5\nmy.timeout=5')).toBe('silent');
    expect(stated('a=1\nb=2', 'a=1')).toBe('silent');
    expect(stated('a=1\nb=2', 'b=2')).toBe('silent');
    expect(stated('a=1\nx', 'a=1 # one\n')).toBe('silent');
    expect(stated('a = "1"\nx', "a = '1';")).toBe('silent');
    expect(stated('a=1\nx', 'a=2\na=1\na=2')).toBe('silent');
    expect(stated('- name: a\nname: a\nname: b', 'name: a')).toBe('silent');
    expect(stated('a=\nx', 'a=2')).toBe('silent');
    expect(stated('no assignment', 'a=2')).toBe('silent');
  });

  it('is read as assignments no further than 400 characters into a line', () => {
    const line = (length: number): string => `a=${'x'.repeat(length - 2)}`;
    expect(stated(`${line(400)}\nb`, `${line(400)}y`)).toBe('silent');
    expect(stated(`${line(399)}\nb`, `${line(398)}y`)).toMatch(/^not: a=x{117}…$/);
    expect(stated(`${line(399)}\nb`, `${line(399)}y`)).toMatch(/^not: a=x{117}…$/);
  });

  it('says what was found in 120 characters at most', () => {
    expect(stated('a=1', `a=${'x'.repeat(118)}`)).toBe(`not: a=${'x'.repeat(118)}`);
    expect(stated('a=1', `a=${'x'.repeat(119)}`)).toBe(`not: a=${'x'.repeat(117)}…`);
  });
});

describe('a text that was written as a whole', () => {
  it('is contradicted by an answer that shares no line with it', () => {
    expect(written('one\ntwo', ' three\nfour ')).toBe('not: three\nfour');
    expect(stated('one\ntwo', 'three\nfour')).toBe('silent');
    expect(written('one\ntwo', '1\tthree\n2\tfour')).toBe('not: three\nfour');
  });

  it('is not by one that shares a line, shows nothing or where every line is short', () => {
    expect(written('one\ntwo', 'four\n  two')).toBe('silent');
    expect(written('  one\ntwo', 'one')).toBe('silent');
    expect(written('8080: web\nend', '8080: web\nmore')).toBe('silent');
    expect(written('one\ntwo', '')).toBe('silent');
    expect(written('one\ntwo', ' \n ')).toBe('silent');
    expect(written('ab\n  cd  \n', 'xyz')).toBe('silent');
    expect(written('ab\nabc', 'xyz')).toBe('not: xyz');
    expect(written('ab\nabc', 'ab')).toBe('not: ab');
  });

  it('is known in part only where it was too long to be kept', () => {
    const long = 'word '.repeat(200).trim();
    const kept = keptExpectation({ type: 'derived', value: long });
    expect(check(kept, `${long} and more`)).toBe('matches');
    expect(check(kept, 'something else')).toBe('silent');
    const within = keptExpectation({ type: 'derived', value: `${'x '.repeat(255)}abcdef` });
    expect(check(within, `${'x '.repeat(255)}abcdef`)).toBe('matches');
    expect(check(within, `y${'x '.repeat(255)}abcdef`)).toBe('silent');
    const whole = 'x'.repeat(LONGEST_EXPECTATION - 1);
    expect(written(whole, `${whole}y`)).toMatch(/^not: x{119}…$/);
    expect(written(`${whole}x`, 'something else')).toBe('silent');
    expect(written(whole, 'something else')).toBe('not: something else');
    expect(stated(`${whole}x`, `${whole}xy`)).toBe('silent');
  });
});

describe('an edit', () => {
  it('shows where its new text is found, within words too', () => {
    expect(edited('old', 'new', 'the new one')).toBe('matches');
    expect(edited('colo', 'colou', 'colours')).toBe('matches');
    expect(edited('olor', 'olour', 'colours')).toBe('matches');
    expect(edited('timeout = 2', 'timeout = 3', 'timeout = 35')).toBe('matches');
    expect(edited('old', 'new', 'old and new')).toBe('matches');
    expect(edited('g(a)', 'f(a, b)', 'f(a,\n  b);')).toBe('matches');
    expect(edited('', 'new', 'the new one')).toBe('matches');
  });

  it('is contradicted where the old text is there and the new is not', () => {
    expect(edited('old', 'new', 'the old one')).toBe('not: old');
    expect(edited('\n old  \nx\n', 'new', 'a\n old\nx')).toBe('not: old\nx');
    expect(edited('old', 'new\na=1', 'old\na=2')).toBe('not: old');
    expect(edited('a', 'a=1\nb', 'x=2\n')).toBe('silent');
    expect(edited('old', 'a=1', 'a=2')).toBe('not: a=2');
    expect(edited('1: x', '2: y', '1: x')).toBe('not: 1: x');
  });

  it('says nothing where neither is there, and no more of what shares no line', () => {
    expect(edited('old', 'new', 'something')).toBe('silent');
    expect(edited('', 'new', 'something')).toBe('silent');
    expect(edited('  ', 'new', 'a  b')).toBe('silent');
  });

  it('that takes text away shows where that is gone', () => {
    expect(edited('old', '', 'the new one')).toBe('matches');
    expect(edited('old', ' \n', 'the new one')).toBe('matches');
    expect(edited('old', '', 'the old one')).toBe('not: old');
    expect(edited(' old \nx ', '', 'the\nold\nx')).toBe('not: old\nx');
    expect(edited(' \n', '', 'the\nold')).toBe('matches');
  });

  it('is kept as the beginnings of both texts', () => {
    const long = 'abc'.repeat(400);
    const cut = long.slice(0, LONGEST_EXPECTATION);
    expect(keptExpectation({ type: 'derived', value: long, replaces: long })).toEqual({
      type: 'derived',
      value: cut,
      replaces: cut,
    });
    expect(keptExpectation({ type: 'derived', value: 'a' })).toEqual({ type: 'derived', value: 'a' });
  });
});

describe('expected members', () => {
  it.each<readonly [Json, Json]>([
    [{ a: 1 }, { a: 1, b: 2 }],
    [{ a: 1 }, '{"a": 1}'],
    [{ a: 1 }, [{ type: 'text', text: '{"a": 1, "b": 2}' }]],
    [{ a: 1 }, { stdout: '{"a": 1}', stderr: '' }],
    [{ a: 1 }, { data: { rows: [{ b: 1 }, { a: 1 }] } }],
    [{ a: null }, { a: null }],
    [{ a: { x: 1, y: [1, { z: 2 }] } }, { a: { y: [1, { z: 2 }], x: 1 } }],
    [
      { status: 'open', name: 'x' },
      { status: 'ok', data: { name: 'x', status: 'open' } },
    ],
    [{ a: 1 }, 'x\n  a: 1,\n'],
    [{ a: 'x' }, 'a = "x"'],
    [{ a: 'x' }, "a = 'x';"],
    [{ a: 'x"y' }, 'a = "x"y"'],
    [{ a: '"' }, 'a = "'],
    [{ a: '"x"' }, 'a = "x"'],
    [{ a: 'x # y' }, 'a = x # y'],
    [{ a: 1 }, 'a = 1  # one'],
    [{ a: 1 }, 'a = 1; // one'],
    [{ a: 1 }, 'a = 1 ;'],
    [{ a: 'x;y' }, 'a = "x;y"'],
    [{ a: 'http://h' }, 'a = http://h'],
    [{ a: true, b: [1, 2] }, '1\ta: true\n2\tb: [1,2]'],
    [{ 8080: 'web' }, '8080: web'],
    [{ a: 1 }, 'a: 2\na: 1'],
    [{}, 'anything'],
  ])('%j are shown by %j', (value, result) => {
    expect(stated(value, result)).toBe('matches');
  });

  it.each<readonly [Json, Json, string]>([
    [{ a: 1 }, { a: 2 }, 'a: 2'],
    [{ a: 1, b: 2 }, { a: 1, b: 3 }, 'b: 3'],
    [{ a: 1, b: 2 }, { b: 3 }, 'b: 3'],
    [{ a: 1 }, { a: '1' }, 'a: "1"'],
    [{ a: 1 }, { a: null }, 'a: null'],
    [{ a: null }, { a: 1 }, 'a: 1'],
    [{ a: null }, { a: {} }, 'a: {}'],
    [{ a: {} }, { a: null }, 'a: null'],
    [{ a: [] }, { a: {} }, 'a: {}'],
    [{ a: [1] }, { a: [1, 2] }, 'a: [1,2]'],
    [{ a: [1, 2] }, { a: [2, 1] }, 'a: [2,1]'],
    [{ a: { x: 1 } }, { a: { x: 1, y: 2 } }, 'a: {"x":1,"y":2}'],
    [{ a: { x: 1 } }, { a: { y: 1 } }, 'a: {"y":1}'],
    [{ a: { x: 1 } }, { a: 1 }, 'a: 1'],
    [{ a: { x: 1, y: 2 } }, { a: { x: 1 } }, 'a: {"x":1}'],
    [{ a: {} }, { a: 1 }, 'a: 1'],
    [{ a: 1 }, { a: {} }, 'a: {}'],
    [{ a: 1 }, [{ type: 'text', text: '{"a": 2}' }], 'a: 2'],
    [{ a: 1, b: 2 }, { a: 5, data: { b: 2, a: 7 } }, 'a: 7'],
    [{ a: 1 }, { data: [{ a: 2 }, { a: 1 }] }, 'a: 2'],
    [{ a: 1 }, 'x\n a: 2 \n', 'a: 2'],
    [{ a: 1, b: 2 }, 'b = 3', 'b = 3'],
    [{ a: 'x' }, 'a = "x', 'a = "x'],
    [{ a: 'x' }, `a = "x'`, `a = "x'`],
    [{ a: 'x' }, 'a = b"x"', 'a = b"x"'],
    [{ a: 'x' }, 'a = "x"b', 'a = "x"b'],
    [{ a: 'bx' }, 'a = b"x"', 'a = b"x"'],
    [{ a: 'xb' }, 'a = "x"b', 'a = "x"b'],
    [{ a: 'x # y' }, 'a = x # z', 'a = x # z'],
    [{ a: 'x' }, 'a = x#y', 'a = x#y'],
    [{ a: 1 }, `a = ${'2'.repeat(200)}`, `a = ${'2'.repeat(115)}…`],
    [{ 8080: 'web' }, '8080: api', '8080: api'],
  ])('%j are contradicted by %j', (value, result, found) => {
    expect(stated(value, result)).toBe(`not: ${found}`);
  });

  it.each<readonly [Json, Json]>([
    [{ a: 1 }, { b: 1 }],
    [{ a: 1, b: 2 }, { a: 1 }],
    [{ a: 1, b: 2 }, { b: 2 }],
    [{ a: 1 }, null],
    [{ a: 1 }, 5],
    [{ a: 1 }, 'a 1'],
    [{ a: 1 }, ['a']],
    [{ 0: 'a' }, ['a']],
    [{ a: 1, b: 2 }, 'a = 1'],
    [{ a: 1, b: 2 }, 'b = 2'],
  ])('%j are neither shown nor contradicted by %j', (value, result) => {
    expect(stated(value, result)).toBe('silent');
  });

  it('are looked for sixteen levels down', () => {
    const box = (value: Json, levels: number): Json => (levels === 0 ? value : { box: box(value, levels - 1) });
    expect(stated({ a: 1 }, box({ a: 2 }, 16))).toBe('not: a: 2');
    expect(stated({ a: 1 }, box({ a: 2 }, 17))).toBe('silent');
  });
});

describe('an expected value', () => {
  it.each<readonly [Json, Json]>([
    [30, 30],
    [30, ' 30\n'],
    [true, 'true'],
    [true, { stdout: 'true\n', stderr: '' }],
    [null, null],
    [
      [1, 2],
      [1, 2],
    ],
    [[1, 2], '[1, 2]'],
    [[1, 2], [{ type: 'text', text: '[1, 2]' }]],
    [[{ a: 1, b: 2 }], [{ b: 2, a: 1 }]],
  ])('%j is shown by %j', (value, result) => {
    expect(stated(value, result)).toBe('matches');
  });

  it.each<readonly [Json, Json, string]>([
    [30, 31, '31'],
    [30, '31', '"31"'],
    [30, null, 'null'],
    [false, true, 'true'],
    [[1, 2], 'none', '"none"'],
  ])('%j is contradicted by %j', (value, result, found) => {
    expect(stated(value, result)).toBe(`not: ${found}`);
  });

  it.each<readonly [Json, Json]>([
    [30, { a: 30 }],
    [30, '{"a": 30}'],
    [
      [1, 2],
      [1, 3],
    ],
  ])('%j is neither shown nor contradicted by %j', (value, result) => {
    expect(stated(value, result)).toBe('silent');
  });
});

describe('a long line of blanks', () => {
  it('is read in no more than its length', () => {
    const blanks = ' '.repeat(200_000);
    expect(stated('a=1', `a=${blanks}2`)).toBe('silent');
    expect(stated('x', `a=2${blanks}# x`)).toBe('matches');
  });
});
