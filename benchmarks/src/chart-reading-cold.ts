import { compileChart } from '@warrant/chart';
import { celDataModel } from '@warrant/chart/cel';
import { readScxml } from '@warrant/chart/scxml';
import { largeScxml } from './chart-reading.ts';

// Run by itself in a new process: prints how long the first read, check and compile took, in milliseconds.
const bytes = largeScxml();
const start = performance.now();
compileChart(readScxml(bytes), { dataModel: celDataModel() });
console.log(String(performance.now() - start));
