import { createMemoryGraphStore } from '@warrant/graph';
import { applyImport, loadSeed, parseGraphDocuments, planImport } from '@warrant/graph/documents';
import { createGrounder } from '@warrant/grounding';

/** A graph that knows files and what can be done with them, and a grounder over it. */
export async function openFilesystem() {
  const graph = createMemoryGraphStore();
  const parsed = parseGraphDocuments([loadSeed('filesystem')]);
  if (parsed.type === 'invalid') throw new Error('the seed has faults');
  const plan = await planImport(graph, parsed.documents);
  if (plan.type === 'invalid') throw new Error('the seed cannot be imported');
  await applyImport(graph, plan);
  return { graph, grounder: createGrounder({ graph }) };
}
