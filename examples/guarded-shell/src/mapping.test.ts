import { createMemoryGraphStore } from '@warrant/graph';
import { applyImport, loadSeeds, parseGraphDocuments, planImport } from '@warrant/graph/documents';
import { createGrounder } from '@warrant/grounding';
import { defaultMapping, UNKNOWN_COMMAND } from '@warrant/shell';
import { expect, it } from 'vitest';

const graph = createMemoryGraphStore();
const parsed = parseGraphDocuments(loadSeeds(['shell', 'git']));
if (parsed.type === 'invalid') throw new Error('the seeds have faults');
const plan = await planImport(graph, parsed.documents);
if (plan.type === 'invalid') throw new Error('the seeds cannot be imported');
await applyImport(graph, plan);
const grounder = createGrounder({ graph });

it('the seeds ground every concept of the mapping but two', async () => {
  const { programs, ...lists } = defaultMapping;
  const concepts = [...new Set([...Object.values(lists), ...Object.values(programs)].flat()), UNKNOWN_COMMAND].sort();
  const missing: string[] = [];
  for (const concept of concepts) {
    const { grounded } = await grounder.check({ concepts: [concept] });
    if (!grounded) missing.push(concept);
  }
  expect(missing).toEqual(['network', 'remote-host', UNKNOWN_COMMAND]);
});

it('the concepts of one program are grounded together', async () => {
  const { always, programs } = defaultMapping;
  const missing: string[] = [];
  for (const [name, concepts] of Object.entries(programs)) {
    const { grounded } = await grounder.check({ concepts: [...always, ...concepts] });
    if (!grounded) missing.push(name);
  }
  expect(missing).toEqual([]);
});
