import { type DepthLevel, type Json, type ToolCall, type Verdict, WarrantError } from '@warrant/core';
import { evaluatePolicies, explain } from '@warrant/policy';
import type { Workspace } from '@warrant/workspace';
import { type CommandModule, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { readNamed } from '../cli/read-named.ts';
import { withWorkspace } from '../cli/with-workspace.ts';

type Options = {
  readonly tool: string;
  readonly arguments: string;
  readonly call?: string;
  readonly cardinality?: string;
};

export const command: CommandModule<Options> = {
  configure: (command) =>
    void command
      .argument('<concept...>', 'what the call is about')
      .option('--tool <name>', 'the tool', 'tool')
      .option('--arguments <json>', 'its arguments as a JSON object', '{}')
      .option('--call <file>', 'a whole call as JSON instead')
      .option('--cardinality <word>', 'single or multiple'),
  run: (call) =>
    withWorkspace(call, async (workspace) => {
      const verdict = await verdictOf(
        workspace,
        await callOf(workspace, call.terminal.directory, call.options),
        call.words,
        call.options.cardinality ?? null,
      );
      const explanation = explain(verdict);
      print(call, { verdict, explanation }, explanation.text);
      if (verdict.decision === 'confirm') return exitCodes.pending;
      return verdict.decision === 'allow' ? exitCodes.ok : exitCodes.no;
    }),
};

async function callOf({ config, paths }: Workspace, directory: string, options: Options): Promise<ToolCall> {
  if (options.call !== undefined)
    return parse(await readNamed(directory, options.call), options.call) as unknown as ToolCall;
  const given = parse(options.arguments, '--arguments');
  return { id: 'explain', tool: options.tool, arguments: given, actor: config.agent, directory: paths.directory };
}

function parse(text: string, place: string): { readonly [key: string]: Json } {
  try {
    const value = JSON.parse(text) as Json;
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as { readonly [key: string]: Json };
  } catch {
    // Said below, as for JSON that is no object.
  }
  throw new WarrantError('CLI_ARGUMENTS', `${place} is not a JSON object`);
}

async function verdictOf(
  { grounder, policies, config }: Workspace,
  call: ToolCall,
  concepts: readonly string[],
  cardinality: string | null,
): Promise<Verdict> {
  const set = await policies.enforced();
  const { minDepth } = config.grounding;
  const grounding = await grounder.check({
    concepts,
    ...(minDepth === undefined ? {} : { minDepth: minDepth as DepthLevel }),
  });
  const decided = await evaluatePolicies({ grounding, policies: set, call, cardinality, dormant: 'refuse' });
  return {
    decision: decided.decision,
    enforced: config.enforce,
    call,
    grounding: { grounded: grounding.grounded, resolved: grounding.resolved, gaps: grounding.gaps },
    policies: decided.findings,
    reasons: decided.reasons,
    inputs: { graph: grounding.graph, view: grounding.view, policy: set.digest() },
  };
}
