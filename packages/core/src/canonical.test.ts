import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson, MAX_JSON_DEPTH } from './canonical.ts';
import { digest } from './digest.ts';
import type { Json } from './json.ts';

const code = (expected: string): object => expect.objectContaining({ code: expected });
const canonical = (text: string): string => canonicalJson(JSON.parse(text) as Json);

/** The public vectors of RFC 8785: what goes in, what comes out. */
const documents: readonly (readonly [name: string, input: string, output: string])[] = [
  ['arrays', '[56, {"d": true, "10": null, "1": []}]', '[56,{"1":[],"10":null,"d":true}]'],
  [
    'french',
    '{"peach": "This sorting order", "péché": "is wrong according to French", "pêche": "but canonicalization MUST", "sin": "ignore locale"}',
    '{"peach":"This sorting order","péché":"is wrong according to French","pêche":"but canonicalization MUST","sin":"ignore locale"}',
  ],
  [
    'structures',
    '{"1": {"f": {"f": "hi", "F": 5}, "\\n": 56.0}, "10": {}, "": "empty", "a": {}, "111": [{"e": "yes", "E": "no"}], "A": {}}',
    '{"":"empty","1":{"\\n":56,"f":{"F":5,"f":"hi"}},"10":{},"111":[{"E":"no","e":"yes"}],"A":{},"a":{}}',
  ],
  ['unicode', '{"Unnormalized Unicode": "A\\u030a"}', '{"Unnormalized Unicode":"A\u030a"}'],
  [
    'values',
    '{"numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001], "string": "\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/", "literals": [null, true, false]}',
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
  ],
  [
    'weird',
    '{"\\u20ac": "Euro Sign", "\\r": "Carriage Return", "\\u000a": "Newline", "1": "One", "\\u0080": "Control\\u007f", "\\ud83d\\ude02": "Smiley", "\\u00f6": "Latin Small Letter O With Diaeresis", "\\ufb33": "Hebrew Letter Dalet With Dagesh", "</script>": "Browser Challenge"}',
    '{"\\n":"Newline","\\r":"Carriage Return","1":"One","</script>":"Browser Challenge","\u0080":"Control\u007f","ö":"Latin Small Letter O With Diaeresis","€":"Euro Sign","\u{1f602}":"Smiley","\ufb33":"Hebrew Letter Dalet With Dagesh"}',
  ],
];

/** Doubles by their bits (RFC 8785, appendix B), and samples of the long public list. */
const numbers: readonly (readonly [bits: string, text: string])[] = [
  ['0000000000000000', '0'],
  ['8000000000000000', '0'],
  ['0000000000000001', '5e-324'],
  ['8000000000000001', '-5e-324'],
  ['7fefffffffffffff', '1.7976931348623157e+308'],
  ['ffefffffffffffff', '-1.7976931348623157e+308'],
  ['4340000000000000', '9007199254740992'],
  ['c340000000000000', '-9007199254740992'],
  ['4340000000000001', '9007199254740994'],
  ['4340000000000002', '9007199254740996'],
  ['4430000000000000', '295147905179352830000'],
  ['44b52d02c7e14af5', '9.999999999999997e+22'],
  ['44b52d02c7e14af6', '1e+23'],
  ['44b52d02c7e14af7', '1.0000000000000001e+23'],
  ['444b1ae4d6e2ef4e', '999999999999999700000'],
  ['444b1ae4d6e2ef4f', '999999999999999900000'],
  ['444b1ae4d6e2ef50', '1e+21'],
  ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
  ['3eb0c6f7a0b5ed8d', '0.000001'],
  ['41b3de4355555553', '333333333.3333332'],
  ['41b3de4355555554', '333333333.33333325'],
  ['41b3de4355555555', '333333333.3333333'],
  ['41b3de4355555556', '333333333.3333334'],
  ['41b3de4355555557', '333333333.33333343'],
  ['becbf647612f3696', '-0.0000033333333333333333'],
  ['43143ff3c1cb0959', '1424953923781206.2'],
];
const double = (bits: string): number => Buffer.from(bits, 'hex').readDoubleBE();

describe('canonicalJson', () => {
  it.each(documents)('writes the public vector %s', (_name, input, output) => {
    expect(canonical(input)).toBe(output);
    expect(canonical(output)).toBe(output);
  });

  it.each(numbers)('writes the double %s as %s', (bits, text) => {
    expect(canonicalJson(double(bits))).toBe(text);
  });

  it('does not change what it wrote, nor what is meant', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'grapheme' }), (value) => {
        const written = canonicalJson(value as Json);
        expect(canonical(written)).toBe(written);
        expect(JSON.parse(written)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('writes members in one order, whatever theirs was', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: 'grapheme' }), fc.integer()), (object) => {
        const turned = Object.fromEntries(Object.entries(object).reverse());
        expect(canonicalJson(turned)).toBe(canonicalJson(object));
        expect(digest(turned)).toBe(digest(object));
      }),
    );
  });

  it('writes a list by its items, whatever else it holds', () => {
    const list = Object.assign([1, { c: 2 }], { toJSON: () => 3 }) as unknown as Json;
    expect(canonicalJson({ a: list })).toBe('{"a":[1,{"c":2}]}');
  });

  it('keeps members that are named like those of the host', () => {
    expect(canonical('{"__proto__": {"b": 1}, "constructor": 2}')).toBe('{"__proto__":{"b":1},"constructor":2}');
  });

  it.each([
    ['NaN', Number.NaN, 'JSON_INVALID'],
    ['Infinity', double('7ff0000000000000'), 'JSON_INVALID'],
    ['undefined', { a: [undefined] }, 'JSON_INVALID'],
    ['a function', { a: () => 1 }, 'JSON_INVALID'],
    ['a bigint', 1n, 'JSON_INVALID'],
    ['a date', { a: new Date(0) }, 'JSON_INVALID'],
    ['a map', new Map(), 'JSON_INVALID'],
    ['a method of an object', { a: { toJSON: () => 1 } }, 'JSON_INVALID'],
    ['a hole', Object.assign([], { length: 1 }), 'JSON_INVALID'],
    ['a lone surrogate', { a: '\ud800' }, 'JSON_LONE_SURROGATE'],
    ['a lone surrogate in a name', { '\udc00': 1 }, 'JSON_LONE_SURROGATE'],
  ])('refuses %s', (_what, value, expected) => {
    expect(() => canonicalJson(value as Json)).toThrow(code(expected));
  });

  it('refuses what is nested without end', () => {
    const cycle: { self?: unknown } = {};
    cycle.self = cycle;
    expect(() => canonicalJson(cycle as Json)).toThrow(code('JSON_TOO_DEEP'));
    const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
    expect(canonical(nested(MAX_JSON_DEPTH))).toBe(nested(MAX_JSON_DEPTH));
    expect(() => canonical(nested(MAX_JSON_DEPTH + 1))).toThrow(code('JSON_TOO_DEEP'));
  });

  it('names the place of the fault and not the value', () => {
    expect(() => canonicalJson({ list: [1, { secret: 'hunter2\ud800' }] })).toThrow('/list/1/secret');
  });
});

describe('digest', () => {
  it('is SHA-256 over the canonical form', () => {
    expect(digest({ b: 1, a: [] })).toBe('sha256:1c8f8816506a8ccbc55140d8a7bb70214a8942c7030fc0fc2914cec675cd1c15');
  });
});
