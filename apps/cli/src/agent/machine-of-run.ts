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

/** Option of the commands that read a run from its journal alone. */
export const chartOption = [
  '--chart <file>',
  'the chart that the run was started with: tells also what entries had no room for',
] as const;

/** The machine where a chart was named; none where none was, or where there is no such run. */
export async function namedMachine(
  journal: Pick<Journal, 'read'>,
  actor: string,
  { directory, chart }: { readonly directory: string; readonly chart: string | undefined },
): Promise<AgentMachine | 'other-chart' | undefined> {
  if (chart === undefined) return undefined;
  const machine = await machineOfRun(journal, actor, { directory, chart });
  return machine === 'no-run' ? undefined : machine;
}

/** Refuses to read a run by a chart that it was not started with. */
export function refuseOtherChart(call: Asked, actor: string, chart: string): ExitCode {
  return refuse(call, exitCodes.usage, 'CLI_CHART', `${actor} was started with another chart than ${chart}`);
}
