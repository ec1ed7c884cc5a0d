import { createVirtualClock } from '@warrant/core';
import { createMemoryGraphStore } from '@warrant/graph';
import { applyImport, loadSeed, parseGraphDocuments, planImport } from '@warrant/graph/documents';
import { createGrounder } from '@warrant/grounding';
import { createInMemoryStore, createMemory } from '@warrant/memory';
import { expect, test } from 'vitest';
import { conceptEntities, retrieveByConcepts } from './recall.ts';

async function checked(...concepts: readonly string[]) {
  const graph = createMemoryGraphStore({ clock: createVirtualClock() });
  const parsed = parseGraphDocuments([loadSeed('filesystem')]);
  if (parsed.type === 'invalid') throw new Error('the seed has faults');
  const plan = await planImport(graph, parsed.documents);
  if (plan.type === 'invalid') throw new Error('the seed cannot be imported');
  await applyImport(graph, plan);
  return createGrounder({ graph }).check({ concepts });
}

test('the entities of a check are its concepts by fold key, each with the levels that are known', async () => {
  const entities = conceptEntities(await checked('DELETE'));
  expect(entities).toContain('concept:delete/4');
  expect(entities).toContain('concept:path/0');
  expect(entities).toEqual([...entities].sort());
  expect(conceptEntities(await checked('Mystery'))).toEqual(['concept:mystery/0']);
});

test('what is recalled is asked for by the concepts, besides what the caller asks', async () => {
  const result = await checked('delete', 'file');
  const ask = (request: { query: string; entities?: readonly string[]; limit?: number }) => request;
  expect(retrieveByConcepts(ask, result, { limit: 3 })).toMatchObject({ query: 'delete file', limit: 3 });
  const own = retrieveByConcepts(ask, result, { query: 'ledger', entities: ['tool:rm'] });
  expect([own.query, own.entities?.[0], own.entities?.includes('concept:file/3')]).toEqual(['ledger', 'tool:rm', true]);
});

test('memories about the concepts of a check are found, whatever their words, and those about others are not', async () => {
  const memory = createMemory({ store: createInMemoryStore() }).human('kim');
  const write = (key: string, entity: string) => memory.write({ key: `memory/${key}`, value: key, entities: [entity] });
  await write('quota', 'concept:delete/3');
  await write('unknown', 'concept:mystery/0');
  await write('elsewhere', 'concept:copy/3');
  const found = async (...concepts: readonly string[]) => {
    const { items } = await retrieveByConcepts(memory.retrieve, await checked(...concepts), { limit: 5 });
    return items.map(({ record }) => record.value);
  };
  expect(await found('DELETE')).toEqual(['quota']);
  expect((await found('delete', 'mystery')).sort()).toEqual(['quota', 'unknown']);
});
