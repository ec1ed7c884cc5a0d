import { digestBytes } from '@warrant/core';
import { copyGraph, type GraphCopied, type GraphStore } from '@warrant/graph';
import { exportGraph } from '@warrant/graph/documents';
import { type CommandCall, type CommandModule, print } from '../cli/command.ts';
import { type ExitCode, exitCodes } from '../cli/exit-codes.ts';
import { refuse } from '../cli/failure.ts';
import { withWorkspace } from '../cli/with-workspace.ts';
import { type OpenedGraph, openGraphAt } from '../graph/address.ts';
import { primitivesOfFile } from '../graph/load-graph.ts';

const WORKSPACE = 'workspace';

export const command: CommandModule = {
  configure: (command) =>
    void command
      .argument('<from>', `a document (.yaml, .json), a database file, bolt://host:port?graph=NAME, or '${WORKSPACE}'`)
      .argument('<to>', 'the same; an empty or new place, or one where a copy was interrupted'),
  run: async (call) => {
    const [from = '', to = ''] = call.words;
    if (from === to) return refuse(call, exitCodes.usage, 'CLI_SAME_PLACE', 'A graph is not copied onto itself.');
    return withGraph(from, 'from', call, (source) =>
      withGraph(to, 'to', call, (target) => copy(source, target, to, call)),
    );
  },
};

async function withGraph(
  address: string,
  role: 'from' | 'to',
  call: CommandCall,
  work: (graph: OpenedGraph) => Promise<ExitCode>,
): Promise<ExitCode> {
  if (address === WORKSPACE) {
    const readOnly = role === 'from';
    return withWorkspace(call, ({ graph }) => work({ store: graph, close: async () => undefined }), { readOnly });
  }
  const opened = await openGraphAt(address, role, call);
  try {
    return await work(opened);
  } finally {
    await opened.close();
  }
}

async function copy(source: OpenedGraph, target: OpenedGraph, to: string, call: CommandCall): Promise<ExitCode> {
  const copied = await copyGraph(source.store, target.store);
  if (copied.type !== 'copied' && copied.type !== 'same') return refuseCopy(copied, call);
  if (target.save === undefined) {
    const proof = `both have the digest ${copied.digest}`;
    const done = copied.type === 'same' ? 'were there already' : 'copied';
    print(call, copied, `${copied.concepts} concepts ${done}; ${proof}`);
    return exitCodes.ok;
  }
  await target.save();
  return proveDocument(source.store, { to, concepts: copied.concepts }, call);
}

/** A document has no provenance: what it says is compared by the text that either side exports. */
async function proveDocument(
  source: GraphStore,
  { to, concepts }: { readonly to: string; readonly concepts: number },
  call: CommandCall,
): Promise<ExitCode> {
  const textOf = async (primitives: Parameters<typeof exportGraph>[0]): Promise<string> =>
    digestBytes(await exportGraph(primitives, { name: 'graph' }));
  const [left, right] = [
    await textOf(source.primitives()),
    await textOf(await primitivesOfFile(call.terminal.directory, to)),
  ];
  if (left !== right) return refuse(call, exitCodes.failed, 'CLI_COPY_DIFFERS', `${to} does not say what was copied.`);
  const text = `${concepts} concepts copied to ${to}; both export to the digest ${left} (a document has no provenance)`;
  print(call, { type: 'copied', concepts, digest: left, provenance: false }, text);
  return exitCodes.ok;
}

function refuseCopy(copied: Exclude<GraphCopied, { readonly type: 'copied' | 'same' }>, call: CommandCall): ExitCode {
  switch (copied.type) {
    case 'occupied': {
      const message = `The target has concepts of its own, which a copy never changes: ${copied.names.join(', ')}`;
      return refuse(call, exitCodes.no, 'CLI_COPY_OCCUPIED', message);
    }
    case 'moved':
      return refuse(call, exitCodes.no, 'CLI_GRAPH_CHANGED', 'The graph changed while it was copied; copy it again.');
    case 'refused': {
      const message = copied.reasons.map((reason) => reason.message).join('\n');
      return refuse(call, exitCodes.no, 'CLI_COPY_REFUSED', message);
    }
    case 'different': {
      const message = `The copy has the digest ${copied.target}, the graph ${copied.source}; something else writes to the target.`;
      return refuse(call, exitCodes.failed, 'CLI_COPY_DIFFERS', message);
    }
  }
}
