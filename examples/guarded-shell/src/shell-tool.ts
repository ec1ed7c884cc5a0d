import { isWithin } from '@warrant/core';
import { createMemoryGraphStore } from '@warrant/graph';
import { applyImport, loadSeed, parseGraphDocuments, planImport } from '@warrant/graph/documents';
import { createGrounder } from '@warrant/grounding';
import { createPolicyRegistry, guard } from '@warrant/policy';
import { createShellClassifier, shellCardinality, shellConcepts } from '@warrant/shell';

const workspace = '/work';

/** The seeds are islands of their own; a line touches several, so this says what they stand on together. */
const bridges = {
  file: 'bridges.graph.yaml',
  text: `format: warrant.graph/1
name: bridges
concepts:
  shell:
    identity:
      text: A command interpreter that reads a line, expands it, and starts what it names.
      requires: { operating_system: identity }
  repository:
    identity:
      text: A folder with its history.
      requires: { filesystem: identity, operating_system: identity }
`,
};

/** A shell tool behind a guard; `run` gets the lines that may run. */
export async function openShellTool(run: (command: string) => string) {
  const graph = createMemoryGraphStore();
  const parsed = parseGraphDocuments([loadSeed('filesystem'), loadSeed('shell'), loadSeed('git')]);
  if (parsed.type === 'invalid') throw new Error('the seeds have faults');
  const connected = parseGraphDocuments([bridges]);
  if (connected.type === 'invalid') throw new Error('the bridges have faults');
  for (const documents of [parsed.documents, connected.documents]) {
    const plan = await planImport(graph, documents);
    if (plan.type === 'invalid') throw new Error(JSON.stringify(plan));
    await applyImport(graph, plan);
  }
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
