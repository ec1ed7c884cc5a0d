import type { Journal } from '@warrant/core';
import { type AgentMachine, createAgentMachine, provenanceOf } from '@warrant/decide';
import { loadAgent } from './load-agent.ts';

/** The machine of a chart file for a run of it; otherwise why the run is not read by that chart. @throws CHART_INVALID */
export async function machineOfRun(
  journal: Pick<Journal, 'read'>,
  actor: string,
  { directory, chart }: { readonly directory: string; readonly chart: string },
): Promise<AgentMachine | 'no-run' | 'other-chart'> {
  const machine = createAgentMachine(loadAgent(directory, chart));
  const { program } = await provenanceOf(journal, actor, 1);
  if (program === null) return 'no-run';
  return program === machine.program ? machine : 'other-chart';
}
