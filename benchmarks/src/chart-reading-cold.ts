import { compileChart } from '@warrant/chart';
import { celDataModel } from '@warrant/chart/cel';
import { readScxml } from '@warrant/chart/scxml';
import { largeScxml } from './chart-reading.ts';

// Run by itself in a new process: prints how long the first read, check and compile took, and its processor time, in milliseconds.
const bytes = largeScxml();
const used = process.cpuUsage();
const start = performance.now();
compileChart(readScxml(bytes), { dataModel: celDataModel() });
const elapsed = performance.now() - start;
const { user, system } = process.cpuUsage(used);
console.log(JSON.stringify({ elapsed, used: (user + system) / 1000 }));
