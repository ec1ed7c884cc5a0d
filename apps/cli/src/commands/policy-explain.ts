import { type DepthLevel, type Json, type ToolCall, type Verdict, WarrantError } from '@warrant/core';
import { evaluatePolicies, explain, findOrphans, type OrphanedPlacement, type PolicySet } from '@warrant/policy';
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
      const policies = await workspace.policies.load();
      const orphans = await findOrphans(policies.placements, workspace.graph);
      const verdict = await verdictOf(workspace, {
        policies,
        call: await callOf(workspace, call.terminal.directory, call.options),
        concepts: call.words,
        cardinality: call.options.cardinality ?? null,
      });
      const explanation = explain(verdict);
      print(call, { verdict, explanation, orphans }, [explanation.text, ...orphanLines(orphans)].join('\n'));
      if (orphans.length > 0) return exitCodes.no;
      if (verdict.decision === 'confirm') return exitCodes.pending;
      return verdict.decision === 'allow' ? exitCodes.ok : exitCodes.no;
    }),
};

/** Guards check every policy before the first call, so one without its edge stands in the way of all. */
function orphanLines(orphans: readonly OrphanedPlacement[]): readonly string[] {
  if (orphans.length === 0) return [];
  const lines = orphans.map(
    ({ key, type, source, target, sourceDepth }) =>
      `- ${key} on ${source} -> ${target} (level ${sourceDepth}): ${type}`,
  );
  return ['Yet no guard lets any call pass until the graph has the edge of every policy:', ...lines];
}

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

type Question = {
  readonly policies: PolicySet;
  readonly call: ToolCall;
  readonly concepts: readonly string[];
  readonly cardinality: string | null;
};

async function verdictOf(
  { grounder, config }: Workspace,
  { policies, call, concepts, cardinality }: Question,
): Promise<Verdict> {
  const { minDepth } = config.grounding;
  const grounding = await grounder.check({
    concepts,
    ...(minDepth === undefined ? {} : { minDepth: minDepth as DepthLevel }),
  });
  const decided = await evaluatePolicies({ grounding, policies, call, cardinality, dormant: 'refuse' });
  return {
    decision: decided.decision,
    enforced: config.enforce,
    call,
    grounding: { grounded: grounding.grounded, resolved: grounding.resolved, gaps: grounding.gaps },
    policies: decided.findings,
    reasons: decided.reasons,
    inputs: { graph: grounding.graph, view: grounding.view, policy: policies.digest() },
  };
}
