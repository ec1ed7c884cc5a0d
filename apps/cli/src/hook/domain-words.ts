import type { ClaudeEngine, HookEvent } from '@warrant/adapter-claude-agent';
import { type ConceptMapping, defaultMapping } from '@warrant/shell';
import { shellWords, type Workspace } from '@warrant/workspace';

/** In whose words the command lines of a client are read: asked for each call, as the graph may have learned meanwhile. */
export type DomainWords = {
  /** For the call that was looked at last. */
  readonly mapping: () => ConceptMapping;
  /** An engine that has the words ready for each call. */
  readonly around: (engine: ClaudeEngine) => ClaudeEngine;
};

/** The words of the domains that the graph of a workspace has. */
export async function domainWords({ graph, config }: Pick<Workspace, 'graph' | 'config'>): Promise<DomainWords> {
  const words = await shellWords(graph, config);
  let mapping = defaultMapping;
  return {
    mapping: () => mapping,
    around: (engine) => ({
      ...engine,
      handle: async (event) => {
        const line = lineOf(event);
        if (line !== undefined) mapping = await words(line);
        return engine.handle(event);
      },
    }),
  };
}

function lineOf(event: HookEvent): string | undefined {
  const line = event.type === 'tool-starting' ? event.call.arguments['command'] : undefined;
  return typeof line === 'string' ? line : undefined;
}
