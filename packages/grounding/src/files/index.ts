export { readTraces } from './read-traces.ts';
export type { TraceFiles, TraceFilesOptions } from './trace-files.ts';
export { createTraceFiles } from './trace-files.ts';
