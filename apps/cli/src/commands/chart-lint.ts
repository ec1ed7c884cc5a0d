import { resolve } from 'node:path';
import { type ChartFault, type ChartIr, faultsOf, lintChart } from '@warrant/chart';
import { isWarrantError } from '@warrant/core';
import { loadSurveyed, surveyChartFile } from '../chart/load-chart.ts';
import { type CommandModule, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';

type Found = ChartFault & { readonly file: string };

export const command: CommandModule = {
  configure: (command) => void command.argument('<file...>', 'charts as .scxml, .yaml or .json'),
  run: async (call) => {
    const found: Found[] = [];
    for (const file of call.words) found.push(...(await findingsIn(call.terminal.directory, file)));
    const lines = found.map(
      ({ file, line, column, path, code, message }) =>
        `${file}${line === undefined ? ` ${path}` : `:${line}:${column ?? 1}`}: ${code}: ${message}`,
    );
    print(call, found, lines.length === 0 ? 'Nothing to remark.' : lines.join('\n'));
    return found.length === 0 ? exitCodes.ok : exitCodes.no;
  },
};

async function findingsIn(directory: string, file: string): Promise<readonly Found[]> {
  try {
    const findings = await remarksOn(directory, file);
    return findings.map((finding) => ({ ...finding, file }));
  } catch (error) {
    if (!isWarrantError(error, 'CHART_INVALID')) throw error;
    return faultsOf(error).map((fault) => ({ ...fault, file }));
  }
}

/** Charts that name deciders, models or tools are looked at as agents. */
async function remarksOn(directory: string, file: string): Promise<readonly ChartFault[]> {
  const surveyed = surveyChartFile(resolve(directory, file));
  if (surveyed.faults.length === 0 && speaksToAgents(surveyed.chart))
    return (await import('../agent/lint-agent.ts')).lintAgent(directory, file);
  const { chart, placeOf } = loadSurveyed(directory, file, surveyed);
  return lintChart(chart, { placeOf });
}

const AGENT_MARKS = ['"https://w3id.org/vertep/vt#"', '"urn:warrant:decide:1"', '"vt:'];

/** Looked for in the text, so that other charts load no agents. */
function speaksToAgents(ir: ChartIr): boolean {
  const text = JSON.stringify(ir);
  return AGENT_MARKS.some((mark) => text.includes(mark));
}
