import { type Difference, diffGraphs } from '@warrant/graph';
import { type CommandModule, paint, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { withWorkspace } from '../cli/with-workspace.ts';
import { primitivesOfFile } from '../graph/load-graph.ts';

export const command: CommandModule = {
  configure: (command) =>
    void command
      .argument('<file>', 'a graph document')
      .argument('[other]', 'another document (default: the graph of the workspace)'),
  run: async (call) => {
    const [first = '', second] = call.words;
    const { directory } = call.terminal;
    const left = await primitivesOfFile(directory, first);
    const compare = async (right: Parameters<typeof diffGraphs>[1]) => {
      const difference = await diffGraphs(left, right);
      const lines = [
        ...difference.added.map((name) => paint(call, 'green', `+ ${name}`)),
        ...difference.removed.map((name) => paint(call, 'red', `- ${name}`)),
        ...difference.changed.flatMap(({ name, differences }) => [
          paint(call, 'yellow', `~ ${name}`),
          ...differences.map((one) => `    ${describe(one)}`),
        ]),
      ];
      print(call, difference, lines.length === 0 ? 'The same.' : lines.join('\n'));
      return lines.length === 0 ? exitCodes.ok : exitCodes.no;
    };
    if (second !== undefined) return compare(await primitivesOfFile(directory, second));
    return withWorkspace(call, ({ graph }) => compare(graph.primitives()), { readOnly: true });
  },
};

function describe(difference: Difference): string {
  switch (difference.type) {
    case 'renamed':
      return `renamed from ${difference.from}`;
    case 'level-added':
    case 'level-removed':
    case 'properties-changed':
      return `${difference.type.replace('-', ' ')}: ${difference.level}`;
    default:
      return `${difference.type.replace('-', ' ')}: level ${difference.level} ${difference.relation} ${difference.target} (level ${difference.targetDepth})`;
  }
}
