import { applyImport, formatProblem, type GraphFile, parseGraphDocuments, planImport } from '@warrant/graph/documents';
import type { Workspace } from '@warrant/workspace';
import { type CommandCall, print } from '../cli/command.ts';
import { type ExitCode, exitCodes } from '../cli/exit-codes.ts';
import { describeReasons } from '../learn/describe.ts';
import { planText } from './plan-text.ts';

export type ImportFlags = {
  readonly prune?: boolean;
  readonly removeLearned?: readonly string[];
  readonly dryRun?: boolean;
};

/** Plans an import, prints the plan, then does it unless it is only asked for. */
export async function importDocuments(
  call: CommandCall<ImportFlags>,
  workspace: Workspace,
  files: readonly GraphFile[],
): Promise<ExitCode> {
  const parsed = parseGraphDocuments(files);
  if (parsed.type === 'invalid') {
    print(call, parsed, parsed.problems.map(formatProblem).join('\n'));
    return exitCodes.usage;
  }
  const { prune = false, removeLearned = [], dryRun = false } = call.options;
  const plan = await planImport(workspace.graph, parsed.documents, { prune, removeLearned, clock: workspace.clock });
  if (plan.type === 'invalid') {
    print(call, plan, plan.problems.map(formatProblem).join('\n'));
    return exitCodes.usage;
  }
  const { changes: _, ...summary } = plan;
  if (dryRun) {
    print(call, { ...summary, applied: false }, `${planText(call, plan)}\nNothing was changed (--dry-run).`);
    return exitCodes.ok;
  }
  const applied = await applyImport(workspace.graph, plan);
  if (applied.type === 'conflict') {
    print(call, applied, 'The graph changed while the import was planned; nothing was changed. Run it again.');
    return exitCodes.no;
  }
  if (applied.type === 'refused') {
    print(call, applied, `Refused, nothing was changed:\n${describeReasons(applied.reasons)}`);
    return exitCodes.no;
  }
  print(call, { ...summary, applied: true, version: applied.version }, planText(call, plan));
  return exitCodes.ok;
}
