export { codingGate } from './coding-gate.ts';
export type { CallReading, ReadingOptions } from './read-call.ts';
export { conceptOfTool, readCall } from './read-call.ts';
export type { ToolEffect, ToolRule } from './tool-rule.ts';
export { findRule, matchesTool } from './tool-rule.ts';
export { DEFAULT_TOOLS } from './tool-table.ts';
