import { createVirtualClock, foldName, type Primitive, type Provenance } from '@warrant/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { diffGraphs } from '../difference.ts';
import { createMemoryGraphStore } from '../memory-store.ts';
import type { LocalGraphStore } from '../metrics.ts';
import {
  applyImport,
  conceptId,
  exportGraph,
  formatProblem,
  type ImportOptions,
  importProblems,
  parseGraphDocuments,
  planImport,
} from './index.ts';

const clock = createVirtualClock();
const LEARNED: Provenance = { source: 'learned', at: '2026-02-02T00:00:00Z', proposalId: 'p' };

async function plan(store: LocalGraphStore, texts: readonly string[], options: ImportOptions = {}) {
  const files = texts.map((text, index) => ({ file: `${index}.yaml`, text }));
  const parsed = parseGraphDocuments(files);
  if (parsed.type === 'invalid') throw new Error(parsed.problems.map(formatProblem).join('\n'));
  return planImport(store, parsed.documents, { clock, ...options });
}

async function run(store: LocalGraphStore, texts: readonly string[], options: ImportOptions = {}) {
  const planned = await plan(store, texts, options);
  if (planned.type === 'invalid') throw new Error(planned.problems.map(formatProblem).join('\n'));
  expect((await applyImport(store, planned)).type).toBe('applied');
  return planned;
}

async function problems(store: LocalGraphStore, text: string, options: ImportOptions = {}): Promise<readonly string[]> {
  const planned = await plan(store, [text], options);
  return planned.type === 'plan' ? [] : planned.problems.map((one) => `${one.code} ${formatProblem(one)}`);
}

/** All faults of documents that cannot be read without any, as code and line. */
async function faults(store: LocalGraphStore, texts: readonly string[]): Promise<readonly string[]> {
  const parsed = parseGraphDocuments(texts.map((text, index) => ({ file: `${index}`, text })));
  if (parsed.type === 'parsed') throw new Error('there are no faults of reading');
  return (await importProblems(store, parsed)).map(({ code, file, line }) => `${code} ${file}:${line}`);
}

async function get(store: LocalGraphStore, name: string): Promise<Primitive | undefined> {
  return (await store.view([name])).snapshot().primitives[0];
}

const doc = (name: string, concepts: string): string =>
  `format: warrant.graph/1\nname: ${name}\nconcepts:\n${concepts}`;
const BASE = doc(
  'base',
  '  a:\n    existence:\n    identity:\n      text: t\n      requires: { b: 1 }\n  b: { existence: , identity: x }\n',
);

describe('a plan', () => {
  test('says what is added, changed and unchanged, before anything happens', async () => {
    const store = createMemoryGraphStore();
    const first = await plan(store, [BASE]);
    expect(first).toMatchObject({ type: 'plan', added: ['a', 'b'], changed: [], unchanged: [], removed: [] });
    expect((await store.version()).revision).toBe(0);
    await run(store, [BASE]);
    const version = await store.version();
    expect(await run(store, [BASE])).toMatchObject({ added: [], changed: [], unchanged: ['a', 'b'], changes: [] });
    expect(await store.version()).toEqual(version);
    const changed = await run(store, [
      BASE.replace('text: t', 'text: u')
        .replace('b: 1', 'b: 0, a2: 1')
        .replace('  b:', '  a2: { existence: , identity: y }\n  b:'),
    ]);
    expect(changed.added).toEqual(['a2']);
    expect(changed.changed).toEqual([
      {
        name: 'a',
        differences: [
          { type: 'properties-changed', level: 1 },
          { type: 'relatum-added', level: 1, relation: 'requires', target: 'b', targetDepth: 0 },
          { type: 'relatum-added', level: 1, relation: 'requires', target: 'a2', targetDepth: 1 },
        ],
      },
    ]);
    expect((await get(store, 'a'))?.depths[1]?.relata).toHaveLength(3);
  });

  test('stamps what it brings in, and keeps the stamp of what stays', async () => {
    const store = createMemoryGraphStore();
    await run(store, [BASE]);
    clock.advance(1000);
    await run(store, [BASE.replace('requires: { b: 1 }', 'requires: { b: [1, 0] }')]);
    const relata = (await get(store, 'a'))?.depths[1]?.relata ?? [];
    expect(relata[0]?.provenance).toEqual({ source: 'authored', at: '2026-01-01T00:00:00.000Z', document: 'base' });
    expect(relata[1]?.provenance.at).toBe('2026-01-01T00:00:01.000Z');
  });

  test('gives the same concept the same id everywhere, unless the document gives one', async () => {
    const store = createMemoryGraphStore();
    await run(store, [doc('d', '  A: {}\n  b: { id: own }\n')]);
    expect((await get(store, 'a'))?.id).toBe(conceptId('a'));
    expect((await get(store, 'b'))?.id).toBe('own');
    expect(await problems(store, doc('d', '  A: { id: other }\n'))).toEqual([
      "document.id-mismatch 0.yaml:4:3: the graph holds 'A' under another id (at /concepts/A)",
    ]);
  });

  test('never takes the id of a concept that was renamed', async () => {
    const store = createMemoryGraphStore();
    await run(store, [doc('d', '  a: { identity: first }\n')]);
    const renamed = { ...((await get(store, 'a')) as Primitive), name: 'z' };
    await store.apply([{ type: 'put-primitive', primitive: renamed }], { id: 'rename', expected: 'any' });
    await run(store, [doc('e', '  a: { identity: second }\n')]);
    expect((await get(store, 'z'))?.depths[0]?.properties).toEqual({ text: 'first' });
    expect((await get(store, 'a'))?.depths[0]?.properties).toEqual({ text: 'second' });
  });

  test('is refused when the graph has moved on', async () => {
    const store = createMemoryGraphStore();
    const planned = await plan(store, [BASE]);
    await run(store, [doc('other', '  c: {}\n')]);
    expect(planned.type === 'plan' && (await applyImport(store, planned)).type).toBe('conflict');
  });

  test('finds targets in the graph, in other files, and nowhere', async () => {
    const store = createMemoryGraphStore();
    await run(store, [doc('one', '  a: { identity: { requires: { B: } } }\n'), doc('two', '  b: {}\n')]);
    await run(store, [doc('three', '  c: { identity: { requires: [A] } }\n')]);
    expect(
      await problems(store, doc('four', '  permission: {}\n  d:\n    identity:\n      includes: { permision: 1 }\n')),
    ).toEqual([
      "document.dangling-target 0.yaml:7:19: there is no concept 'permision' (at /concepts/d/identity/includes/permision; did you mean 'permission'?)",
    ]);
  });

  test('shows a cycle with its path at a line that is part of it, also through the graph', async () => {
    const store = createMemoryGraphStore();
    expect(
      await problems(
        store,
        doc('d', '  a: { identity: { requires: [b] } }\n  b:\n    identity:\n      depends-on: [a]\n'),
      ),
    ).toEqual([
      "document.cycle 0.yaml:4:31: the transitive relations form a cycle: 'a' -> 'b' -> 'a' (at /concepts/a/identity/requires/0)",
    ]);
    await run(store, [BASE]);
    const text = doc('e', '  b:\n    identity:\n      constrained-by: { a: }\n');
    expect(await problems(store, text)).toEqual([
      "document.cycle 0.yaml:6:25: the transitive relations form a cycle: 'b' -> 'a' -> 'b' (at /concepts/b/identity/constrained-by/a)",
    ]);
    expect(await problems(store, doc('f', '  a: { existence: { includes: [a], applies-to: [a] } }\n'))).toEqual([]);
  });

  test('lets documents share a concept without undoing each other', async () => {
    const store = createMemoryGraphStore();
    const rich = doc('rich', '  a: { existence: here, identity: long }\n');
    const poor = doc('poor', '  a: { existence: , identity: }\n');
    await run(store, [rich]);
    expect((await run(store, [poor])).changes).toEqual([]);
    await run(createMemoryGraphStore(), [poor]);
    expect((await run(store, [rich.replace('long', '""')])).changed).toHaveLength(1);
    // Only the document that brought a concept in may spell its name anew.
    await run(store, [poor.replace('  a:', '  A:')]);
    expect((await get(store, 'a'))?.name).toBe('a');
    await run(store, [rich.replace('  a:', '  A:')]);
    expect((await get(store, 'a'))?.name).toBe('A');
  });
});

describe('prune', () => {
  const TWO = doc('base', '  a: { existence: , identity: { requires: [b] } }\n  b: { existence: , identity: x }\n');
  const ONE = doc('base', '  a: { existence: }\n');

  test('removes nothing unless asked', async () => {
    const store = createMemoryGraphStore();
    await run(store, [TWO]);
    expect(await run(store, [ONE])).toMatchObject({ unchanged: ['a'], removed: [], changes: [] });
    expect((await run(store, [ONE], { prune: true })).removed).toEqual(['b']);
    expect((await get(store, 'a'))?.depths).toHaveLength(1);
    expect(await get(store, 'b')).toBeUndefined();
  });

  test('removes only what the same document brought in', async () => {
    const store = createMemoryGraphStore();
    await run(store, [TWO]);
    await run(store, [doc('other', '  b: { capabilities: from other }\n  c: {}\n')]);
    const planned = await run(store, [ONE], { prune: true });
    expect(planned).toMatchObject({ removed: [], kept: [{ name: 'b', reason: 'other-document' }] });
    expect((await get(store, 'b'))?.depths.map((depth) => depth.level)).toEqual([2]);
    expect(await get(store, 'c')).toBeDefined();
  });

  test('takes back only its own relata of a level that several have written to', async () => {
    const store = createMemoryGraphStore();
    await run(store, [TWO]);
    await run(store, [doc('other', '  a: { identity: { includes: [c] } }\n  c: {}\n')]);
    const edge = {
      source: conceptId('a'),
      sourceDepth: 1,
      relation: 'depends-on',
      target: conceptId('c'),
      targetDepth: 0,
    } as const;
    await store.apply([{ type: 'put-relatum', edge, provenance: LEARNED }], { id: 'learn', expected: 'any' });
    const relations = async () => (await get(store, 'a'))?.depths[1]?.relata.map((one) => one.relation);
    expect(await relations()).toEqual(['requires', 'includes', 'depends-on']);
    const bare = TWO.replace('identity: { requires: [b] }', 'identity:');
    expect((await run(store, [bare])).changes).toEqual([]);
    await run(store, [bare], { prune: true });
    expect(await relations()).toEqual(['includes', 'depends-on']);
  });

  test('keeps what was learned, unless it is named', async () => {
    const store = createMemoryGraphStore();
    await run(store, [TWO]);
    const id = conceptId('b');
    const depth = { level: 2, properties: { text: 'learned' }, relata: [], provenance: LEARNED } as const;
    await store.apply([{ type: 'put-depth', primitive: id, depth }], { id: 'learn', expected: 'any' });
    const kept = await run(store, [ONE], { prune: true });
    expect(kept).toMatchObject({ removed: [], kept: [{ name: 'b', reason: 'learned' }] });
    expect((await get(store, 'b'))?.depths.map((one) => one.properties)).toEqual([{ text: 'learned' }]);
    expect((await run(store, [ONE], { prune: true })).changes).toEqual([]);
    const gone = await run(store, [ONE], { prune: true, removeLearned: ['B'] });
    expect(gone.removed).toEqual(['b']);
  });

  test('refuses to leave relata of others dangling, and says whose', async () => {
    const store = createMemoryGraphStore();
    await run(store, [TWO]);
    await run(store, [doc('other', '  c: { identity: { requires: [b] } }\n')]);
    expect(await problems(store, ONE, { prune: true })).toEqual([
      "document.would-dangle 0.yaml:1:1: removing 'b' would leave relata of 1 other concepts dangling: 'c' (at the document)",
    ]);
    const named = doc('base', '  a: { identity: { requires: [b] } }\n');
    expect((await problems(createMemoryGraphStore(), named)).length).toBe(1);
  });
});

const name = fc.oneof(
  fc.constantFrom('a', 'b', 'c', 'null', '12', '~', '__proto__', 'x: y', '- z', "it's", '# c', 'é'),
  fc.string({ minLength: 1, maxLength: 8, unit: 'binary' }),
  fc.string({
    minLength: 1,
    maxLength: 4,
    unit: fc.constantFrom(' ', '\u00a0', '\u3000', '\n', '\t', '\0', '\u0085', 'x'),
  }),
);
const json = fc.dictionary(fc.string({ maxLength: 6 }), fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<never>, {
  maxKeys: 3,
});
const graph = fc.uniqueArray(name, { minLength: 1, maxLength: 6, selector: foldName }).chain((names) =>
  fc.tuple(
    fc.constant(names),
    fc.array(
      fc.tuple(
        fc.nat(4),
        fc.nat(5),
        fc.constantFrom('requires', 'includes', 'applies-to'),
        fc.nat(5),
        fc.nat(4),
        fc.option(json),
      ),
      { maxLength: 12 },
    ),
    fc.array(
      fc.tuple(
        fc.nat(5),
        fc.nat(4),
        fc.oneof(
          json,
          fc.string().map((text) => ({ text })),
        ),
      ),
      { maxLength: 12 },
    ),
  ),
);

test('an export, imported again, changes nothing; imported elsewhere, it is the same graph', async () => {
  await fc.assert(
    fc.asyncProperty(
      graph,
      fc.constantFrom('yaml' as const, 'json' as const),
      async ([names, edges, contents], format) => {
        const provenance = { source: 'authored', at: '2026-01-01T00:00:00Z' } as const;
        const primitives = names.map((one, index) => ({
          id: `id-${index}`,
          name: one,
          provenance,
          depths: ([0, 1, 2, 3, 4] as const).flatMap((level) => {
            const properties = contents.find((content) => content[0] === index && content[1] === level)?.[2];
            const relata = edges
              // Downwards only, so that there is no cycle.
              .filter((edge) => edge[1] === index && edge[0] === level && edge[3] < index)
              .map(([, , relation, target, targetDepth, metadata]) => ({
                relation: relation as 'requires',
                target: `id-${target}`,
                targetDepth: targetDepth as 0,
                provenance,
                ...(metadata === null ? {} : { metadata }),
              }));
            return properties === undefined && relata.length === 0
              ? []
              : [{ level, properties: properties ?? {}, relata, provenance }];
          }),
        }));
        const store = createMemoryGraphStore();
        const changes = primitives.map((primitive) => ({ type: 'put-primitive' as const, primitive }));
        expect(await store.apply(changes, { id: 'x', expected: 'any' })).toMatchObject({ type: 'applied' });
        const text = await exportGraph(store.primitives(), { name: 'copy', format });
        expect((await run(store, [text])).changes).toEqual([]);
        const other = createMemoryGraphStore();
        await run(other, [text]);
        expect(await diffGraphs(store.primitives(), other.primitives())).toEqual({
          added: [],
          removed: [],
          changed: [],
        });
        expect(await exportGraph(other.primitives(), { name: 'copy', format })).toBe(text);
      },
    ),
    { numRuns: 150, seed: 7 },
  );
});

describe('faults that only the graph shows are told with those of reading', () => {
  test('targets that are nowhere, cycles and ids, in order of files and lines', async () => {
    const store = createMemoryGraphStore();
    await run(store, [BASE]);
    const one = doc(
      'one',
      '  c:\n    existance: x\n    identity:\n      requires: { nowhere: 1, b: 9 }\n      neds: { a: 1 }\n  a: { id: other }\n',
    );
    const two = doc(
      'two',
      '  d: { identity: { requires: { e: 1 } } }\n  e: { identity: { requires: { d: 1 } } }\n  f: {}\n  F: {}\n',
    );
    expect(await faults(store, [one, two])).toEqual([
      'document.unknown-key 0:5',
      'document.dangling-target 0:7',
      'document.depth-range 0:7',
      'document.unknown-relation 0:8',
      'document.id-mismatch 0:9',
      'document.cycle 1:4',
      'document.duplicate-name 1:7',
    ]);
  });

  test('a concept that is written wrong or twice is still one that may be named', async () => {
    const store = createMemoryGraphStore();
    const names = '  a: { identity: { requires: { b: 0, "c": 0, d: 0, e: 0 } } }\n';
    const wrong = '  b: [x]\n  c\u00a0: {}\n  d: { identity: x, identity: y }\n  e: {}\n  e: {}\n';
    expect(await faults(store, [doc('x', names + wrong)])).toEqual([
      'document.type 0:5',
      'document.type 0:6',
      'document.duplicate-key 0:7',
      'document.duplicate-key 0:9',
    ]);
  });

  test.each([
    ['the text', 'format: ['],
    ['the list of concepts', doc('two', '  - b\n')],
    ['the word concepts', 'format: warrant.graph/1\nname: two\nconcept: {}\n'],
  ])('where %s of another file cannot be read, a target may be in it', async (_what, broken) => {
    const store = createMemoryGraphStore();
    const dangling = doc('one', '  a: { identity: { requires: { b: 1 } } }\n');
    expect((await faults(store, [dangling, broken])).join()).not.toContain('dangling');
    expect(await problems(store, dangling)).toHaveLength(1);
  });
});

test.each([
  ['an empty name', `""`],
  ['white space', '\u00a0'],
  ['a lone surrogate', `"\\ud800"`],
  ['a name that is too long', `"${'n'.repeat(600)}"`],
])('%s is told with its line, beside what only the graph shows', async (_, name) => {
  const text = `{"format":"warrant.graph/1","name":"n",\n"concepts":{${name}:{},\n"a":{"identity":{"requires":{"nosuch":1}}}}}`;
  const found = await faults(createMemoryGraphStore(), [text]);
  expect(found.map((one) => one.slice(one.indexOf(' ') + 1))).toEqual(['0:2', '0:3']);
  expect(found[1]).toBe('document.dangling-target 0:3');
});

test('a name in quotes is meant as it stands; one without has no white space or control character to lose', async () => {
  const store = createMemoryGraphStore();
  await run(store, [doc('x', '  "c ": { identity: { requires: { "a\\0": 0 } } }\n  "a\\0": {}\n  c: {}\n')]);
  expect((await get(store, 'c '))?.depths[0]?.relata).toHaveLength(1);
  expect((await get(store, 'c'))?.depths).toEqual([]);
});
