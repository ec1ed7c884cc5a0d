export type { AgentFromTools, FunctionTool, RunOptions, RunResult } from './agent-from-tools.ts';
export { agentFromTools } from './agent-from-tools.ts';
export type { ReactChartOptions, ReactTool } from './chart.ts';
export { reactChart } from './chart.ts';
