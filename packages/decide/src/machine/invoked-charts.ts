import type { Chart, ChartFault, ChartIr, PlaceOf } from '@warrant/chart';
import { type DecideBinding, eachState, readBindings } from '../binding.ts';
import { invokeFaults } from './invoke-faults.ts';
import type { Schemas } from './program.ts';

export type InvokedChart = { readonly ir: ChartIr; readonly path: string };

/** The charts that one invokes, and those that they invoke, as far as they are known beforehand; those read from elsewhere only where the chart was compiled. */
export function invokedCharts(ir: ChartIr, compiled?: Pick<Chart, 'byId'>, prefix = ''): readonly InvokedChart[] {
  const found: InvokedChart[] = [];
  eachState(ir, (state, id, path) => {
    for (const [index, { content }] of state.invokes.entries()) {
      const written = content !== undefined && 'chart' in content ? content.chart : undefined;
      const inner = compiled?.byId.get(id)?.invokes[index]?.chart ?? written;
      if (inner === undefined) continue;
      const place = `${prefix}${path}/invokes/${index}/content/chart`;
      found.push({ ir: inner, path: place }, ...invokedCharts(inner, undefined, place));
    }
  });
  return found;
}

/** The decide states of a chart and of those that it invokes. */
export function bindingsWithin(ir: ChartIr): readonly DecideBinding[] {
  return [ir, ...invokedCharts(ir).map((one) => one.ir)].flatMap((one) => readBindings(one).bindings);
}

/** What invoked charts say to agents and should not: found before the first input, not when one of them starts. */
export function invokedFaults(
  charts: readonly InvokedChart[],
  schemas: Schemas | undefined,
  placeOf: PlaceOf | undefined,
): readonly ChartFault[] {
  return charts.flatMap(({ ir, path }) =>
    [...readBindings(ir).faults, ...invokeFaults(ir, schemas)].map((fault) => {
      const whole = `${path}${fault.path}`;
      return { ...placeOf?.(whole), ...fault, path: whole };
    }),
  );
}
