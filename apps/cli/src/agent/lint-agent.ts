import { type ChartFault, lintChart } from '@warrant/chart';
import { createAgentMachine, lintAgentChart } from '@warrant/decide';
import { loadChart } from '../chart/load-chart.ts';
import { loadAgent } from './load-agent.ts';

/** What is hardly meant in an agent's chart. @throws CHART_INVALID with every fault, those of its decide states and calls too */
export function lintAgent(directory: string, file: string): readonly ChartFault[] {
  createAgentMachine(loadAgent(directory, file));
  const { chart, placeOf } = loadChart(directory, file, ['vt_usage']);
  return [...lintChart(chart, { placeOf }), ...lintAgentChart(chart, { placeOf })];
}
