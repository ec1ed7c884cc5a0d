import type { AccessVerdict, Recall } from '@warrant/memory';
import { Option } from 'commander';
import { type CommandCall, type CommandModule, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { reasonLines, recordLines } from '../memory/lines.ts';
import { type MemoryOptions, withMemory, withMemoryOptions } from '../memory/with-memory.ts';

type Options = MemoryOptions & { readonly agent?: string; readonly access?: 'read' | 'write' | 'delete' };

export const command: CommandModule<Options> = {
  configure: (command) =>
    void withMemoryOptions(command)
      .argument('<words...>', 'what to look for; with --access one key')
      .option('--agent <name>', 'as this agent would get it')
      .addOption(
        new Option('--access <action>', 'may the agent do this with the key?').choices(['read', 'write', 'delete']),
      ),
  run: (call) =>
    withMemory(call, async ({ memory, human }) => {
      const { agent, access } = call.options;
      const handle = agent === undefined ? human : memory.agent(agent);
      if (access !== undefined) {
        const verdict = handle.explain(access, call.words.join(' '));
        print(call, verdict, verdictText(verdict));
        return verdict.allowed ? exitCodes.ok : exitCodes.no;
      }
      const recall = await handle.retrieve({ query: call.words.join(' '), explain: true });
      print(call, recall, recallText(call, recall));
      return exitCodes.ok;
    }),
};

function verdictText({ allowed, rule, permissions, reasons }: AccessVerdict): string {
  const by = rule === null ? 'no rule decided' : `the rule ${rule} decided`;
  return `${allowed ? 'allowed' : 'refused'}: ${by}, under ${permissions ?? 'no permission file'}\n${reasonLines(reasons)}`;
}

function recallText(call: CommandCall, recall: Recall): string {
  const { dropped, nearestMiss } = recall;
  const items = recall.items.map(({ record, score, signals }) => {
    const parts = Object.entries(signals)
      .filter(([, { part }]) => part !== 0)
      .map(([name, { value, part }]) => `${name} ${part.toFixed(3)} (${value.toFixed(2)})`);
    return `${score.toFixed(3)}  ${recordLines(call, record)}\n  ${parts.join(', ')}`;
  });
  const drops = [
    ['over budget', dropped.budget.length],
    ['over the limit', dropped.limit],
    ['under the least score', dropped.minScore.length],
    ['superseded', dropped.superseded.length],
    ['expired', dropped.expired.length],
    ['not readable', dropped.unreadable],
  ].filter(([, count]) => count !== 0);
  return [
    ...items,
    drops.length === 0
      ? 'nothing was dropped'
      : `dropped: ${drops.map(([why, count]) => `${count} ${why}`).join(', ')}`,
    ...(nearestMiss === null
      ? []
      : [`nearest miss: ${nearestMiss.id} at ${nearestMiss.score.toFixed(3)}, by ${nearestMiss.why}`]),
    ...recall.notes.map(({ message }) => message),
  ].join('\n');
}
