import { type Primitive, WarrantError } from '@warrant/core';
import { createMemoryGraphStore, type LocalGraphStore } from '@warrant/graph';
import {
  applyImport,
  formatProblem,
  type GraphFile,
  importProblems,
  parseGraphDocuments,
  planImport,
} from '@warrant/graph/documents';
import { readNamedDocument } from '../cli/read-named.ts';

/** The concepts of one document file. @throws GRAPH_DOCUMENT_INVALID with every fault and its line */
export async function primitivesOfFile(directory: string, name: string): Promise<readonly Primitive[]> {
  const graph = await graphOfFiles([await readGraphFile(directory, name)]);
  const primitives: Primitive[] = [];
  for await (const primitive of graph.primitives()) primitives.push(primitive);
  await graph.close();
  return primitives;
}

export async function readGraphFile(directory: string, name: string): Promise<GraphFile> {
  return { file: name, text: await readNamedDocument(directory, name) };
}

/** A graph of these documents that lives in memory. @throws GRAPH_DOCUMENT_INVALID with every fault and its line */
export async function graphOfFiles(files: readonly GraphFile[]): Promise<LocalGraphStore> {
  const parsed = parseGraphDocuments(files);
  const graph = createMemoryGraphStore();
  const plan =
    parsed.type === 'parsed'
      ? await planImport(graph, parsed.documents)
      : ({ type: 'invalid', problems: await importProblems(graph, parsed) } as const);
  if (plan.type === 'invalid')
    throw new WarrantError('GRAPH_DOCUMENT_INVALID', plan.problems.map(formatProblem).join('\n'));
  await applyImport(graph, plan);
  return graph;
}
