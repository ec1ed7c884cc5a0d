import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { parseDocument } from './parse-document.ts';
import { formatFault } from './place.ts';
import { faultAt, readYaml } from './read-yaml.ts';

const schema = z.strictObject({
  version: z.literal('x/1'),
  rules: z
    .array(
      z.strictObject({
        name: z.string(),
        depth: z.int().min(0).max(4).optional(),
        effect: z.enum(['block', 'confirm']),
      }),
    )
    .optional(),
});

function faults(text: string | Uint8Array, limits = {}): readonly string[] {
  const parsed = parseDocument({ file: 'a.yaml', text }, schema, limits);
  return parsed.type === 'ok' ? [] : parsed.faults.map((fault) => `${fault.code} ${formatFault(fault)}`);
}

describe('a document', () => {
  test('gives its value and the place of each part', () => {
    const parsed = parseDocument(
      { file: 'a.yaml', text: 'version: x/1\nrules:\n  - name: a\n    effect: block\n' },
      schema,
    );
    if (parsed.type !== 'ok') throw new Error('faulty');
    expect(parsed.value.rules?.[0]?.name).toBe('a');
    expect(parsed.document.placeOf(['rules', 0, 'effect'])).toEqual({ file: 'a.yaml', line: 4, column: 13 });
    expect(faultAt(parsed.document, ['rules', 0, 'name'], { code: 'x', message: 'y' })).toMatchObject({
      line: 3,
      column: 11,
      path: '/rules/0/name',
    });
  });
  test('names an unknown key, where it stands and what was meant', () => {
    expect(faults('version: x/1\nrules:\n  - name: a\n    efect: block\n    effect: block\n')).toEqual([
      "unknown-key a.yaml:4:5: unknown key 'efect' (did you mean 'effect'?)",
    ]);
  });
  test('names a missing key at its parent', () => {
    expect(faults('version: x/1\nrules:\n  - name: a\n')).toEqual([
      "missing-key a.yaml:3:5: 'effect' is missing (expected block or confirm)",
    ]);
  });
  test('names a wrong value with what was meant, and a wrong type', () => {
    expect(faults('version: x/1\nrules:\n  - name: [1]\n    effect: blok\n')).toEqual([
      'wrong-type a.yaml:3:11: this is a list (expected a text)',
      "wrong-value a.yaml:4:13: 'blok' is not known here (did you mean 'block'?)",
    ]);
  });
  test.each([
    ['duplicate-key', 'version: x/1\nversion: x/1\n'],
    ['foreign-tag', 'version: !!js/function x\n'],
    ['foreign-tag', 'version: !mine x\n'],
    ['several-documents', 'version: x/1\n---\nversion: x/1\n'],
    ['syntax', 'version: [x\n'],
    ['wrong-type', ''],
    ['not-utf8', '\uD800'],
    ['too-deep', `version: ${'['.repeat(5000)}${']'.repeat(5000)}`],
    ['too-deep', `version: ${'{a: '.repeat(150)}1${'}'.repeat(150)}`],
    [
      'too-many-aliases',
      `${['a: &a [x,x,x,x,x,x,x,x,x,x]', 'b: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]', 'c: &c [*b,*b,*b,*b,*b,*b,*b,*b]', 'd: &d [*c,*c,*c,*c,*c,*c,*c]'].join('\n')}\n`,
    ],
  ])('has the fault %s', (code, text) => {
    expect(faults(text).map((fault) => fault.split(' ')[0])).toContain(code);
  });
  test.each([
    ['a: !mine x\n', ['1:4 !mine']],
    ['a: &x !mine\nb: !mine &y [*x]\n', ['1:7 !mine', '2:4 !mine']],
    ['!mine\na: !other { b: c }\n', ['1:1 !mine', '2:4 !other']],
    ['!mine a: !!str x\n! b: y\n', ['1:1 !mine', '2:1 !']],
    ['a: !!binary aGk=\nb: !!set { c }\nc: !!set [d]\n', ['1:4 !!binary', '2:4 !!set', '3:4 !!set']],
    ['a: !!omap [b: 1]\nb: !!pairs [c: 1]\n', ['1:4 !!omap', '2:4 !!pairs']],
    ['a: !!timestamp 2001-01-01\nb: !!merge x\n', ['1:4 !!timestamp', '2:4 !!merge']],
    ['a: !<x:y> [!e!x 1]\n', ['1:4 !<x:y>', '1:12 !e!x']],
    ['a: !!str [x]\nb: !!int x\n', ['1:4 !!str', '2:4 !!int']],
    ['a: ! 5\n', ['1:6 !']],
  ])('says each tag that is not of the core schema once: %j', (text, expected) => {
    const told = expected.map((one) => {
      const [at, tag] = one.split(' ');
      return `foreign-tag a.yaml:${at}: the tag ${tag} is not allowed here`;
    });
    expect(faults(text)).toEqual(told);
  });
  test.each([
    ['version: x/1\nrules: &all\n  - name: *all\n', 'cyclic-alias a.yaml:3:11: an alias stands inside what it names'],
    ['&top\nversion: *top\n', 'cyclic-alias a.yaml:2:10: an alias stands inside what it names'],
    ['rules: &a [[[&b { x: *a, y: *b }]]]\n', 'cyclic-alias a.yaml:1:22: an alias stands inside what it names'],
  ])('that contains itself is refused at the alias: %j', (text, fault) => {
    expect(faults(text)).toContain(fault);
  });
  test('may say the tags of the core schema, under any handle', () => {
    const text = '%TAG ! tag:yaml.org,2002:\n---\na: !str 5\n!<tag:yaml.org,2002:str> b: !!map { c: !!bool true }\n';
    const read = readYaml({ file: 'a.yaml', text });
    expect(read.type === 'ok' && read.document.value).toEqual({ a: '5', b: { c: true } });
  });
  test('tells the places of many faults in time that grows with their number', () => {
    const parsed = parseDocument(
      { file: 'a.yaml', text: `version: x/1\n${Array.from({ length: 3000 }, (_, at) => `k${at}: 1\n`).join('')}` },
      schema,
    );
    if (parsed.type === 'ok') throw new Error('no fault');
    expect(parsed.faults.map(({ line, path }) => [line, path])).toEqual(
      Array.from({ length: 3000 }, (_, at) => [at + 2, `/k${at}`]),
    );
  });
  test('may use an anchor again inside the first thing that had it', () => {
    const read = readYaml({ file: 'a.yaml', text: 'a: &x { b: &x 1, c: *x }\nd: *x\n' });
    expect(read.type === 'ok' && read.document.value).toEqual({ a: { b: 1, c: 1 }, d: 1 });
  });
  test.each([
    ['of an empty map', 'a: &a {}\nb: [', () => '*a, '],
    ['of as many anchors', 'b: [', (at: number) => `&a${at} [], *a${at}, `],
  ])('with more aliases than allowed is refused at the first of them too many: %s', (_, head, item) => {
    const text = (count: number) =>
      `${head}\n${Array.from({ length: count }, (__, at) => `  ${item(at)}\n`).join('')}  ]\n`;
    const read = readYaml({ file: 'a.yaml', text: text(100) });
    expect(read.type).toBe('ok');
    const line = head.split('\n').length + 101;
    expect(faults(text(20_000))).toEqual([
      expect.stringMatching(`^too-many-aliases a.yaml:${line}:\\d+: more than 100 aliases$`),
    ]);
  });
  test('that is two documents is told where the second begins', () => {
    expect(faults('version: x/1\n---\nversion: x/1\n')).toEqual([
      'several-documents a.yaml:2:1: a file holds one document',
    ]);
  });
  test('over its limit is refused before it is read', () => {
    expect(faults('version: x/1', { maxBytes: 5 })).toEqual([
      'too-large a.yaml:1:1: the document has 12 bytes (at most 5)',
    ]);
  });
  test('of bytes that are not UTF-8 is refused', () => {
    expect(faults(new Uint8Array([0x61, 0xff]))[0]).toMatch(/^not-utf8/);
  });
  test('keeps words that YAML 1.1 would turn into other types', () => {
    expect(faults('version: on')).toEqual(["wrong-value a.yaml:1:10: 'on' is not known here (expected x/1)"]);
  });
  test('with a key __proto__ changes no prototype', () => {
    expect(faults('version: x/1\n__proto__: { polluted: true }\n')[0]).toMatch(/^unknown-key/);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});
