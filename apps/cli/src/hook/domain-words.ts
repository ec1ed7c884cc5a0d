import type { ClaudeEngine, HookEvent, Mode } from '@warrant/adapter-claude-agent';
import type { ConceptMapping } from '@warrant/shell';
import { shellWords, type Workspace } from '@warrant/workspace';

/**
 * An engine that reads each command line in the words of the domains that the graph has then: it may have learned since the
 * last one. Calls that are judged at the same time do not share their words. What reads command lines is loaded with the
 * first of them.
 */
export async function engineInWords(
  { graph, config }: Pick<Workspace, 'graph' | 'config'>,
  mode: Mode,
  make: (mapping: ConceptMapping | undefined) => ClaudeEngine,
): Promise<ClaudeEngine> {
  const words = await shellWords(graph, config);
  const engines = new Map<string, ClaudeEngine>();
  const engineFor = (mapping?: ConceptMapping): ClaudeEngine => {
    const name = mapping === undefined ? '' : JSON.stringify(mapping);
    const known = engines.get(name) ?? make(mapping);
    engines.set(name, known);
    return known;
  };
  return {
    mode,
    status: () => engineFor().status(),
    handle: async (event) => {
      const line = lineOf(event);
      return engineFor(line === undefined ? undefined : await words(line)).handle(event);
    },
  };
}

function lineOf(event: HookEvent): string | undefined {
  const line = event.type === 'tool-starting' ? event.call.arguments['command'] : undefined;
  return typeof line === 'string' ? line : undefined;
}
