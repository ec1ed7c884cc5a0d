import { foldName, type Primitive } from '@warrant/core';
import { LEVEL_WORDS } from '@warrant/graph/documents';
import { type CommandCall, type CommandModule, paint, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { visibleLine } from '../cli/visible.ts';
import { withWorkspace } from '../cli/with-workspace.ts';

export const command: CommandModule = {
  configure: (command) => void command.argument('[concept...]', 'concepts to show whole (default: a line each of all)'),
  run: (call) =>
    withWorkspace(
      call,
      async ({ graph }) => {
        const names = new Map<string, string>();
        const all: Primitive[] = [];
        for await (const primitive of graph.primitives()) {
          names.set(primitive.id, primitive.name);
          all.push(primitive);
        }
        const wanted = new Set(call.words.map(foldName));
        const chosen = wanted.size === 0 ? all : all.filter((primitive) => wanted.has(foldName(primitive.name)));
        const nameOf = (id: string) => names.get(id) ?? id;
        const text = chosen.map((primitive) =>
          wanted.size === 0 ? lineOf(primitive) : wholeOf(call, primitive, nameOf),
        );
        const missing = call.words.filter(
          (name) => !chosen.some((primitive) => foldName(primitive.name) === foldName(name)),
        );
        print(
          call,
          chosen,
          [...text, ...missing.map((name) => `${visibleLine(name)}: not known`)].join('\n') ||
            'The graph is empty; `warrant graph seed` lists domains to start from.',
        );
        return missing.length === 0 ? exitCodes.ok : exitCodes.missing;
      },
      { readOnly: true },
    ),
};

function lineOf({ name, depths, provenance }: Primitive): string {
  const levels = depths.map((depth) => depth.level).join(' ');
  const relata = depths.reduce((sum, depth) => sum + depth.relata.length, 0);
  return `${visibleLine(name).padEnd(24)} levels ${levels.padEnd(10)} ${relata} relata${provenance.source === 'authored' ? '' : `  (${provenance.source})`}`;
}

function wholeOf(call: CommandCall, { name, depths, provenance }: Primitive, nameOf: (id: string) => string): string {
  const origin = provenance.document ?? provenance.proposalId ?? provenance.source;
  const lines = depths.flatMap(({ level, properties, relata }) => [
    `  ${level} ${paint(call, 'bold', LEVEL_WORDS[level])}`,
    ...Object.entries(properties).map(
      ([key, value]) => `      ${visibleLine(`${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)}`,
    ),
    ...relata.map(
      (relatum) =>
        `      ${paint(call, 'cyan', relatum.relation)} ${visibleLine(nameOf(relatum.target))} (level ${relatum.targetDepth})`,
    ),
  ]);
  return [`${paint(call, 'bold', visibleLine(name))}  from ${visibleLine(origin)}, ${provenance.at}`, ...lines].join(
    '\n',
  );
}
