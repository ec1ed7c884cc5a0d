import { type GuardTrace, guard, guardAll } from '@warrant/policy';
import { openFilesystem } from './filesystem.ts';

type Action = 'read' | 'write' | 'delete' | 'encrypt';

/** Each action is a concept of the graph by its own name; asynchronous, as an extractor that asks a model would be. */
async function conceptsOf(action: Action, path: string): Promise<readonly string[]> {
  return [action, path.endsWith('/') ? 'directory' : 'file'];
}

const targets = /[*?[]/;

export async function openChangeTools(log: string[]) {
  const { grounder } = await openFilesystem();
  const act = (action: Action, path: string): void => {
    log.push(`${action} ${path}`);
  };
  const traces: GuardTrace[] = [];
  const onTrace = (_grounding: unknown, trace: GuardTrace): void => {
    traces.push(trace);
  };
  const change = guard((action: Action, path: string) => act(action, path), {
    name: 'change',
    parameters: ['action', 'path'],
    concepts: conceptsOf,
    cardinality: (_action, path) => (targets.test(path) ? 'multiple' : 'single'),
    grounder,
    onTrace,
  });
  const narrow = guardAll(
    {
      readFile: { tool: (path: string) => act('read', path), parameters: ['path'], concepts: ['read', 'file'] },
      deleteFile: { tool: (path: string) => act('delete', path), parameters: ['path'], concepts: ['delete', 'file'] },
    },
    { grounder, onTrace },
  );
  return { change, ...narrow, traces };
}
