import { describe, expect, test } from 'vitest';
import { groundPlainly } from '../../test/plain-grounder.ts';
import { createMemoryGraphStore } from '../index.ts';
import {
  applyImport,
  loadSeeds,
  loadToolSeed,
  mappedTool,
  parseGraphDocuments,
  parseToolMapping,
  planImport,
  TOOL_SEED_NAMES,
  type ToolMapping,
} from './index.ts';

function read(text: string): ToolMapping | readonly string[] {
  const parsed = parseToolMapping({ file: 't.yaml', text });
  return parsed.type === 'mapping' ? parsed.mapping : parsed.faults.map(({ line, code }) => `${line} ${code}`);
}

describe.each(TOOL_SEED_NAMES)('the tools of %s', (name) => {
  test('name concepts that ground together with the seed alone', async () => {
    const mapping = read(loadToolSeed(name).text) as ToolMapping;
    expect(mapping.name).toBe(name);
    const store = createMemoryGraphStore();
    const parsed = parseGraphDocuments(loadSeeds([name]));
    if (parsed.type === 'invalid') throw new Error('the seed has faults');
    const plan = await planImport(store, parsed.documents);
    if (plan.type === 'invalid') throw new Error('the seed cannot be imported');
    await applyImport(store, plan);
    const graph = [];
    for await (const one of store.primitives()) graph.push(one);
    expect(mapping.tools.size).toBeGreaterThan(5);
    for (const [tool, { concepts }] of mapping.tools) expect(groundPlainly(graph, concepts), tool).toEqual([]);
    expect(groundPlainly(graph, mappedTool([mapping], 'no_such_tool').concepts)).toHaveLength(1);
  });
});

test('the first mapping that names a tool counts, and names are exact', () => {
  const [one, other] = ['a', 'b'].map((concept) => {
    return read(
      `format: warrant.tools/1\nname: ${concept}\ntools: { send: { concepts: [${concept}] } }\n`,
    ) as ToolMapping;
  });
  const both = [one, other] as readonly ToolMapping[];
  expect(mappedTool(both, 'send')).toEqual({ concepts: ['a'], cardinality: null });
  for (const tool of ['Send', 'send ', '__proto__', 'constructor'])
    expect(mappedTool(both, tool).concepts).toEqual(['unknown-command']);
});

test.each([
  ['format: warrant.graph/1\nname: x\n', ['1 wrong-format']],
  ['format: warrant.tools/1\n', ['1 wrong-name']],
  ['format: warrant.tools/1\nname: x\ntools: []\n', ['3 wrong-type']],
  ['format: warrant.tools/1\nname: x\ntools:\n  a: { concepts: [] }\n', ['4 wrong-concepts']],
  ['format: warrant.tools/1\nname: x\ntools:\n  a: { concepts: [b, 7] }\n', ['4 wrong-concepts']],
  ['format: warrant.tools/1\nname: x\ntools:\n  a: { concepts: [b], cardinality: many }\n', ['4 wrong-cardinality']],
  ['format: warrant.tools/1\nname: x\ntools:\n  a: { concept: [b] }\n', ['4 unknown-key', '4 wrong-concepts']],
  ['[', expect.arrayContaining([expect.stringContaining('syntax')])],
])('faults have their line: %j', (text, faults) => {
  expect(read(text)).toEqual(faults);
});
