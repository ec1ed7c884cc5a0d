import { isWithin } from '@warrant/core';
import { createMemoryGraphStore } from '@warrant/graph';
import { applyImport, loadSeeds, parseGraphDocuments, planImport } from '@warrant/graph/documents';
import { createGrounder } from '@warrant/grounding';
import { createPolicyRegistry, guard } from '@warrant/policy';
import { createShellClassifier, shellCardinality, shellConcepts } from '@warrant/shell';

const workspace = '/work';

/** A shell tool behind a guard; `run` gets the lines that may run. */
export async function openShellTool(run: (command: string) => string) {
  const graph = createMemoryGraphStore();
  const parsed = parseGraphDocuments(loadSeeds(['shell', 'git']));
  if (parsed.type === 'invalid') throw new Error('the seeds have faults');
  const plan = await planImport(graph, parsed.documents);
  if (plan.type === 'invalid') throw new Error('the seeds cannot be imported');
  await applyImport(graph, plan);
  return guard((input: { readonly command: string }) => run(input.command), {
    name: 'bash',
    concepts: shellConcepts(),
    cardinality: shellCardinality(),
    effects: createShellClassifier(),
    directory: workspace,
    grounder: createGrounder({ graph }),
    policies: deletesStayInside(),
  });
}

function deletesStayInside() {
  const registry = createPolicyRegistry();
  registry.register(
    { key: 'deletes-stay-inside', source: 'delete', target: 'file', sourceDepth: 3, requiresConfirmation: false },
    ({ effects }) => ({
      passed:
        effects !== null &&
        effects !== undefined &&
        !effects.unknownTargets.includes('deletes') &&
        effects.deletes.every((path) => path !== workspace && isWithin(path, workspace)),
      message: 'a line may only delete what lies inside the workspace',
    }),
  );
  return registry.freeze();
}
