import {
  applyImport,
  formatProblem,
  type GraphFile,
  importProblems,
  parseGraphDocuments,
  planImport,
} from '@warrant/graph/documents';
import type { Workspace } from '@warrant/workspace';
import { type CommandCall, print } from '../cli/command.ts';
import { type ExitCode, exitCodes } from '../cli/exit-codes.ts';
import { refuse } from '../cli/failure.ts';
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
    const problems = await importProblems(workspace.graph, parsed);
    print(call, { type: 'invalid', problems }, problems.map(formatProblem).join('\n'));
    return exitCodes.usage;
  }
  for (let attempt = 1; ; attempt += 1) {
    const done = await planAndApply(call, workspace, parsed.documents);
    if (done !== 'conflict') return done;
    if (attempt === ATTEMPTS) return refuse(call, exitCodes.no, 'CLI_GRAPH_CHANGED', CHANGED);
    if (call.options.json !== true) call.terminal.write('The graph changed meanwhile; planning again.\n');
  }
}

const ATTEMPTS = 5;
const CHANGED = 'The graph kept changing while the import was planned; nothing was changed. Run it again.';

async function planAndApply(
  call: CommandCall<ImportFlags>,
  workspace: Workspace,
  documents: Parameters<typeof planImport>[1],
): Promise<ExitCode | 'conflict'> {
  const { prune = false, removeLearned = [], dryRun = false } = call.options;
  const plan = await planImport(workspace.graph, documents, { prune, removeLearned, clock: workspace.clock });
  if (plan.type === 'invalid') {
    print(call, plan, plan.problems.map(formatProblem).join('\n'));
    return exitCodes.usage;
  }
  const { changes: _, ...summary } = plan;
  if (dryRun) {
    print(call, { ...summary, applied: false }, `${planText(call, plan)}\nNothing was changed (--dry-run).`);
    return exitCodes.ok;
  }
  const told = call.options.json !== true;
  if (told) print(call, summary, planText(call, plan));
  const applied = await applyImport(workspace.graph, plan);
  if (applied.type === 'conflict') return 'conflict';
  if (applied.type === 'refused') {
    print(call, applied, `Refused, nothing was changed:\n${describeReasons(applied.reasons)}`);
    return exitCodes.no;
  }
  if (!told) print(call, { ...summary, applied: true, version: applied.version }, '');
  return exitCodes.ok;
}
