import { compileChart } from '@warrant/chart';
import { celDataModel } from '@warrant/chart/cel';
import { readScxml } from '@warrant/chart/scxml';
import { largeScxml } from './chart-reading.ts';
import { threadMs } from './processor.ts';

// Run by itself in a new process: prints how long the first read, check and compile took, and how long its thread ran for it, in milliseconds.
const bytes = largeScxml();
const before = threadMs();
const start = performance.now();
compileChart(readScxml(bytes), { dataModel: celDataModel() });
const elapsed = performance.now() - start;
console.log(JSON.stringify({ elapsed, ran: threadMs() - before }));
