import { describe, expect, test } from 'vitest';
import { formatProblem, parseGraphDocuments } from './index.ts';

const HEAD = 'format: warrant.graph/1\nname: test\nconcepts:\n';

function problemsOf(text: string): readonly string[] {
  const parsed = parseGraphDocuments([{ file: 'g.yaml', text }]);
  return parsed.type === 'parsed' ? [] : parsed.problems.map((one) => `${one.code} ${formatProblem(one)}`);
}

test('reads every way to write a level and a relatum', () => {
  const text = `${HEAD}
  Delete:
    id: my-id
    existence:
    D1: Removes a name.
    2: { text: Hm, properties: { n: [1, null, true], deep: { x: 1.5 } } }
    constraints:
      requires: { permission: constraints, path: [identity, 2], owner: }
      applies-to: [file, { concept: directory, depth: D2, metadata: { required: true } }]
      includes: { link: { depth: 1, metadata: { a: b } } }
`;
  const parsed = parseGraphDocuments([{ file: 'g.yaml', text }]);
  if (parsed.type === 'invalid') throw new Error(parsed.problems.map(formatProblem).join('\n'));
  const [concept] = parsed.documents[0]?.concepts ?? [];
  expect(concept).toMatchObject({ name: 'Delete', key: 'delete', id: 'my-id' });
  expect(concept?.levels.map((level) => [level.level, level.properties])).toEqual([
    [0, {}],
    [1, { text: 'Removes a name.' }],
    [2, { text: 'Hm', n: [1, null, true], deep: { x: 1.5 } }],
    [3, {}],
  ]);
  expect(concept?.levels[3]?.relata.map((one) => [one.relation, one.target, one.targetDepth, one.metadata])).toEqual([
    ['requires', 'permission', 3, null],
    ['requires', 'path', 1, null],
    ['requires', 'path', 2, null],
    ['requires', 'owner', 0, null],
    ['applies-to', 'file', 0, null],
    ['applies-to', 'directory', 2, { required: true }],
    ['includes', 'link', 1, { a: 'b' }],
  ]);
});

test('reads JSON as it reads YAML', () => {
  const text = JSON.stringify({
    format: 'warrant.graph/1',
    name: 't',
    concepts: { a: { existence: {}, identity: { requires: { b: 1 } } } },
  });
  expect(problemsOf(text)).toEqual([]);
  const broken = '{\n  "format": "warrant.graph/1",\n  "name": "t",\n  "concepts": { "a": { "existance": {} } }\n}';
  expect(problemsOf(broken)).toEqual([
    "document.unknown-key g.yaml:4:24: a concept has no key 'existance' (at /concepts/a/existance; did you mean 'existence'?)",
  ]);
});

describe('says line, column, path and what was meant', () => {
  test.each([
    [
      'unknown relation',
      '  a:\n    identity:\n      require: { b: 1 }\n',
      "document.unknown-relation g.yaml:6:7: there is no relation 'require' (at /concepts/a/identity/require; did you mean 'requires'?)",
    ],
    [
      'unknown key of a level',
      '  a:\n    identity:\n      txt: hello\n',
      "document.unknown-key g.yaml:6:7: a level has no key 'txt' (at /concepts/a/identity/txt; did you mean 'text'?)",
    ],
    [
      'unknown key of a concept',
      '  a:\n    capability: x\n',
      "document.unknown-key g.yaml:5:5: a concept has no key 'capability' (at /concepts/a/capability; did you mean 'capabilities'?)",
    ],
    [
      'depth beyond four',
      '  a:\n    D5: x\n',
      "document.depth-range g.yaml:5:5: the depth 'D5' is not 0 to 4 (at /concepts/a/D5)",
    ],
    [
      'target depth out of range',
      '  a:\n    identity:\n      requires: { b: -1 }\n',
      "document.depth-range g.yaml:6:22: the depth '-1' is not 0 to 4 (at /concepts/a/identity/requires/b)",
    ],
    [
      'target depth NaN',
      '  a:\n    identity:\n      requires: { b: .nan }\n',
      "document.depth-range g.yaml:6:22: the depth '.nan' is not 0 to 4 (at /concepts/a/identity/requires/b)",
    ],
    [
      'target depth misspelt',
      '  a:\n    identity:\n      requires: { b: identitty }\n',
      "document.type g.yaml:6:22: a depth is one of existence, identity, capabilities, constraints, implications, or 0 to 4 (at /concepts/a/identity/requires/b; did you mean 'identity'?)",
    ],
    [
      'duplicate name by fold key',
      '  Straße: {}\n  STRASSE: {}\n',
      "document.duplicate-name g.yaml:5:3: 'STRASSE' is the same name as 'Straße' at g.yaml:4 (at /concepts/STRASSE)",
    ],
    [
      'duplicate key',
      '  a: {}\n  b: {}\n  a: {}\n',
      'document.duplicate-key g.yaml:6:3: the same key is there twice (at /concepts/a)',
    ],
    [
      'one level in two spellings',
      '  a:\n    identity: x\n    D1: y\n',
      "document.duplicate-key g.yaml:6:5: level 1 of 'a' is there twice (at /concepts/a/D1)",
    ],
    [
      'the same relatum twice',
      '  a:\n    identity:\n      requires: [b, { concept: B }]\n',
      "document.duplicate-relatum g.yaml:6:21: requires 'B' at 0 is there twice (at /concepts/a/identity/requires/1)",
    ],
    [
      'alias',
      '  a: &x\n    identity: t\n  b: *x\n',
      'document.alias g.yaml:5:5: anchors and aliases are not for these documents (at the document)',
    ],
    [
      'tag',
      '  a:\n    identity: !!binary aGk=\n',
      'document.tag g.yaml:5:24: tags are not for these documents (at the document)',
    ],
    ['own tag', '  a: !evil {}\n', 'document.tag g.yaml:4:12: tags are not for these documents (at the document)'],
    ['a list as concept', '  a: [x]\n', 'document.type g.yaml:4:6: a concept is a map (at /concepts/a)'],
    [
      'a name with a control character that nobody sees',
      '  a\tb: {}\n',
      'document.type g.yaml:4:3: a name holds a control character (at /concepts/a\tb)',
    ],
    ['an empty name', '  "": {}\n', 'document.type g.yaml:4:3: a name is empty (at /concepts/)'],
  ])('%s', (_name, body, expected) => {
    expect(problemsOf(HEAD + body)).toEqual([expected]);
  });

  test('repeated keys at any place, and what else is wrong', () => {
    const text = `name: again\n${HEAD}  a:\n    identity: { text: x, text: y, requires: { b: 1, b: 2, c: 7 } }\n  a: { D9: x }\n`;
    expect(problemsOf(text)).toEqual([
      'document.duplicate-key g.yaml:3:1: the same key is there twice (at /name)',
      'document.duplicate-key g.yaml:6:26: the same key is there twice (at /concepts/a/identity/text)',
      'document.duplicate-key g.yaml:6:53: the same key is there twice (at /concepts/a/identity/requires/b)',
      "document.depth-range g.yaml:6:62: the depth '7' is not 0 to 4 (at /concepts/a/identity/requires/c)",
      'document.duplicate-key g.yaml:7:3: the same key is there twice (at /concepts/a)',
    ]);
  });

  test('several faults at once, in order of lines', () => {
    const codes = problemsOf(`${HEAD}  a:\n    D9: x\n  b:\n    identity:\n      neds: [c]\n  A: {}\n`).map((line) =>
      line.split(':').slice(0, 2).join(':'),
    );
    expect(codes).toEqual([
      'document.depth-range g.yaml:5',
      'document.unknown-relation g.yaml:8',
      'document.duplicate-name g.yaml:9',
    ]);
  });
});

test.each([
  ['', 'document.syntax'],
  ['# nothing\n', 'document.syntax'],
  ['- a\n', 'document.type'],
  ['name: x\nconcepts: {}\n', 'document.format'],
  ['format: warrant.graph/2\nname: x\nconcepts: {}\n', 'document.format'],
  ['format: warrant.graph/1\nname: x\n', 'document.format'],
  ['format: warrant.graph/1\nname: x\nnames: x\nconcepts: {}\n', 'document.unknown-key'],
  [`${HEAD}  a: {}\n---\nb: {}\n`, 'document.syntax'],
  [`${HEAD}  a: {\n`, 'document.syntax'],
  [`${HEAD}\ta: {}\n`, 'document.syntax'],
])('refuses %j as %s', (text, code) => {
  expect(problemsOf(text)[0]?.split(' ')[0]).toBe(code);
});

test('a name may stand in one of several files only', () => {
  const one = `${HEAD}  file: {}\n`;
  const parsed = parseGraphDocuments([
    { file: 'one.yaml', text: one },
    { file: 'two.yaml', text: one.replace('name: test', 'name: other').replace('file:', 'FILE:') },
  ]);
  expect(parsed.type === 'invalid' && parsed.problems.map(formatProblem)).toEqual([
    "two.yaml:4:3: 'FILE' is the same name as 'file' at one.yaml:4 (at /concepts/FILE)",
  ]);
  expect(() => parseGraphDocuments(Array.from({ length: 1001 }, () => ({ file: 'x', text: '' })))).toThrow(
    '1000 files',
  );
});

describe('hostile text ends soon and with a problem', () => {
  const bomb = [
    'a: &a [x,x,x,x,x,x,x,x,x]',
    ...'bcdefghi'.split('').map((key, i) => `${key}: &${key} [${Array(9).fill(`*${'abcdefgh'[i]}`).join(',')}]`),
  ].join('\n');
  test.each([
    ['a YAML bomb', bomb, 'document.alias'],
    ['a million open brackets', '['.repeat(1_000_000), 'document.limit'],
    ['a million open braces', `${HEAD}  a: ${'{a: '.repeat(250_000)}`, 'document.limit'],
    ['a hundred thousand dashes', '- '.repeat(100_000), 'document.limit'],
    ['steps of indentation', Array.from({ length: 3000 }, (_, i) => `${' '.repeat(i)}a:`).join('\n'), 'document.limit'],
    [
      'steps of indentation with comments between',
      Array.from({ length: 3000 }, (_, i) => `${' '.repeat(i)}a:\n# b`).join('\n'),
      'document.limit',
    ],
    ['a name of a million characters', `${HEAD}  ${'x'.repeat(1_000_000)}: {}\n`, 'document.syntax'],
    ['a name past the limit', `${HEAD}  ${'x'.repeat(600)}: {}\n`, 'document.limit'],
    [
      'a target of a million characters',
      `${HEAD}  a: { identity: { requires: [${'x'.repeat(1_000_000)}] } }\n`,
      'document.limit',
    ],
    [
      'properties nested past the limit',
      `${HEAD}  a:\n    identity:\n      properties: ${'{a: '.repeat(70)}1${'}'.repeat(70)}\n`,
      'document.limit',
    ],
    ['NUL', `${HEAD}  a: "\u0000"\n`, 'document.type'],
  ])('%s', (_name, text, code) => {
    expect(problemsOf(text)[0]?.split(' ')[0]).toBe(code);
  });

  test('__proto__ is a name and a key like any other', () => {
    const text = `${HEAD}  __proto__:\n    identity:\n      properties: { __proto__: { polluted: true } }\n      requires: { constructor: }\n  constructor: {}\n`;
    const parsed = parseGraphDocuments([{ file: 'g', text }]);
    expect(parsed.type).toBe('parsed');
    const [concept] = parsed.type === 'parsed' ? (parsed.documents[0]?.concepts ?? []) : [];
    expect(Object.keys(concept?.levels[0]?.properties ?? {})).toEqual(['__proto__']);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});

test.each([
  ['a text', '"\\ud800"', '4:18'],
  ['the text of a level', '{ text: "\\ud800" }', '4:26'],
  ['a property', '{ properties: { a: "\\udc00" } }', '4:37'],
  ['a key of properties', '{ properties: { "\\udc00": 1 } }', '4:34'],
  ['metadata', '{ requires: { a: { metadata: { x: ["\\ud800"] } } } }', '4:53'],
])('a lone surrogate in %s has its line', (_, level, place) => {
  expect(problemsOf(`${HEAD}  b: { identity: ${level} }\n`)).toEqual([
    expect.stringMatching(new RegExp(`^document.type g.yaml:${place}: the (text|key) holds a lone surrogate`)),
  ]);
});

test.each([
  ['a text', `"${'x'.repeat(262_144)}"`],
  ['properties', `{ properties: { a: [${'9e20,'.repeat(13_000)}1] } }`],
  ['metadata', `{ requires: { a: { metadata: { x: "${'x'.repeat(65_536)}" } } } }`],
])('%s that no store would keep has its line', (_, level) => {
  expect(problemsOf(`${HEAD}  b: { identity: ${level} }\n`)).toEqual([
    expect.stringMatching(/^document.limit g.yaml:4:\d+: .* characters of JSON: at most \d+ are kept/),
  ]);
});

test('what is kept at most is read', () => {
  const text = 'x'.repeat(262_144 - '{"text":""}'.length);
  expect(problemsOf(`${HEAD}  b: { identity: "${text}" }\n`)).toEqual([]);
  expect(problemsOf(`${HEAD}  b: { identity: "${text}x" }\n`)).toHaveLength(1);
});

test('a fault that the parser says for each thing it leaves open is said once', () => {
  const problems = problemsOf('{"format":"warrant.graph/1","name":"x","concepts":{"a":{"existence":"x"');
  expect(new Set(problems).size).toBe(problems.length);
});
