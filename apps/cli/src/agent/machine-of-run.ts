import type { Journal } from '@warrant/core';
import { type AgentMachine, createAgentMachine, provenanceOf } from '@warrant/decide';
import { type ExitCode, exitCodes } from '../cli/exit-codes.ts';
import { type Asked, refuse } from '../cli/failure.ts';
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

/** Refuses to read a run by a chart that it was not started with. */
export function refuseOtherChart(call: Asked, actor: string, chart: string): ExitCode {
  return refuse(call, exitCodes.usage, 'CLI_CHART', `${actor} was started with another chart than ${chart}`);
}
