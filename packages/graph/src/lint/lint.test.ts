import type { Primitive } from '@warrant/core';
import { describe, expect, test } from 'vitest';
import { formatProblem, loadSeed, parseGraphDocuments, planImport } from '../documents/index.ts';
import { createMemoryGraphStore } from '../memory-store.ts';
import { lintGraph } from './lint.ts';
import { similarNames } from './similar-names.ts';

const provenance = { source: 'authored', at: '2026-01-01T00:00:00Z' } as const;

/** `[['requires b 1'], 'text']`: a level of relata, then one of text. */
function concept(name: string, ...levels: readonly (readonly string[] | string | null)[]): Primitive {
  const depths = levels.flatMap((level, index) => {
    if (level === null) return [];
    const relata = (typeof level === 'string' ? [] : level).map((text) => {
      const [relation, target, depth] = text.split(' ');
      return {
        relation: relation as 'requires',
        target: target as string,
        targetDepth: Number(depth ?? 0) as 0,
        provenance,
      };
    });
    const properties: Record<string, string> = typeof level === 'string' && level !== '' ? { text: level } : {};
    return [{ level: index as 0, properties, relata, provenance }];
  });
  return { id: name, name, depths, provenance };
}

async function codes(...graph: readonly Primitive[]): Promise<readonly string[]> {
  return (await lintGraph(graph)).map((finding) => `${finding.code} ${finding.concepts.join(' ')}`);
}

test('finds nothing in a graph that is in order', async () => {
  expect(await codes(concept('a', ['requires b 1']), concept('b', '', 'x'))).toEqual([]);
  expect(await codes()).toEqual([]);
  expect(await codes(concept('only', ''))).toEqual([]);
});

test('finds concepts that connect to nothing', async () => {
  expect(await codes(concept('a', ['includes a']), concept('b', ['includes c']), concept('c', ''))).toEqual([
    'lint.unreachable-concept a',
  ]);
});

test('finds edges that nobody can satisfy, because of a missing level, a hole or an empty level', async () => {
  const graph = [concept('a', ['includes b 1', 'requires c 3', 'requires d 2', 'includes e 0']), concept('b', '')];
  const found = await lintGraph([
    ...graph,
    concept('c', '', 'x', null, 'y'),
    concept('d', '', 'x', ''),
    concept('e', null, 'x'),
  ]);
  expect(found.map((one) => [one.code, one.concepts.at(-1), one.data['reached'] ?? null])).toEqual([
    ['lint.unsatisfiable-edge', 'b', 0],
    ['lint.unsatisfiable-edge', 'c', 1],
    ['lint.unsatisfiable-edge', 'd', 1],
    ['lint.unsatisfiable-edge', 'e', null],
    ['lint.unreachable-level', 'c', 1],
    ['lint.empty-level', 'd', null],
    ['lint.no-existence', 'e', null],
    ['lint.unreachable-level', 'e', null],
  ]);
});

describe('similar names', () => {
  test.each([
    ['admin', 'аdmin', 'look alike'],
    ['file-name', 'file_name', 'differ in separators or hidden characters alone'],
    ['delete', 'de\u200blete', 'differ in separators or hidden characters alone'],
    ['ﬁle', 'file', 'differ in separators or hidden characters alone'],
    ['résumé', 'resume', 'look alike'],
    ['permission', 'permision', 'differ in a single letter'],
    ['permission', 'permizsion', 'differ in a single letter'],
  ])('%s and %s', (one, other, why) => {
    expect(similarNames(['something', one, other]).map((pair) => pair.why)).toEqual([why]);
  });

  test('a pair of one look is told so, whatever a third name of that look differs in', () => {
    expect(similarNames(['dele_te', 'delete', 'd\u0435lete']).map(({ names, why }) => [...names, why])).toEqual([
      ['dele_te', 'delete', 'differ in separators or hidden characters alone'],
      ['dele_te', 'd\u0435lete', 'look alike'],
      ['delete', 'd\u0435lete', 'look alike'],
    ]);
  });

  test.each([
    ['read', 'read2'],
    ['volume1', 'volume2'],
    ['create', 'delete'],
    ['cat', 'car'],
  ])('not %s and %s', (one, other) => {
    expect(similarNames([one, other])).toEqual([]);
  });
});

test('finds concepts that only a shared prerequisite connects', async () => {
  const shared = [concept('user', ['depends-on os']), concept('path', ['depends-on os']), concept('os', '')];
  const found = await lintGraph(shared);
  expect(found.map((one) => one.concepts)).toEqual([['os', 'path', 'user']]);
  expect(await codes(...shared, concept('owner', ['requires user', 'requires path']))).toEqual([]);
  const chain = [concept('a', ['requires b']), concept('b', ['requires c']), concept('c', '')];
  expect(await codes(...chain)).toEqual([]);
});

test('warns of names that are reserved', async () => {
  expect(await codes(concept('Unknown-Command', ['includes b']), concept('b', ''))).toEqual([
    'lint.reserved-name Unknown-Command',
  ]);
});

test.each(['filesystem', 'shell', 'git', 'database'] as const)('the seed %s has no faults', async (name) => {
  const parsed = parseGraphDocuments([loadSeed(name)]);
  if (parsed.type === 'invalid') throw new Error(parsed.problems.map(formatProblem).join('\n'));
  const plan = await planImport(createMemoryGraphStore(), parsed.documents);
  const primitives =
    plan.type === 'plan' ? plan.changes.flatMap((one) => (one.type === 'put-primitive' ? [one.primitive] : [])) : [];
  const found = await lintGraph(primitives);
  expect(found.filter((one) => one.code !== 'lint.shared-prerequisite')).toEqual([]);
});

test('a large graph ends', async () => {
  const hub = concept('hub', '', 'x');
  const many = Array.from({ length: 20_000 }, (_, index) => concept(`concept number ${index}`, ['requires hub']));
  const found = await lintGraph([hub, ...many]);
  expect(found.find((one) => one.code === 'lint.shared-prerequisite')?.data['groups']).toBe(20_000);
});
