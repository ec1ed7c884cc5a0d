import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Chart, ChartState } from '@warrant/chart';
import { initial, step } from '@warrant/chart';
import { WarrantError } from '@warrant/core';
import { typedEvent } from './typed-event.ts';

/** When a state is made from nothing here, its clock stands at this time. */
export const FIRST_MOMENT = '2026-01-01T00:00:00.000Z';

/** A state from a file, or the chart's first one, with some events sent to it. @throws CLI_USAGE when the file holds no state */
export function stateFrom(
  chart: Chart,
  from: {
    readonly directory: string;
    readonly file?: string | undefined;
    readonly after?: readonly string[] | undefined;
  },
): ChartState {
  const events = (from.after ?? []).map(typedEvent);
  const first = from.file === undefined ? firstState(chart) : readState(resolve(from.directory, from.file));
  return events.reduce((state, event) => step(chart, state, { at: FIRST_MOMENT, event })[0], first);
}

function firstState(chart: Chart): ChartState {
  return initial(chart, { sessionId: 's1', at: FIRST_MOMENT })[0];
}

/** Either a state, or what `chart step --json` printed. */
function readState(file: string): ChartState {
  try {
    const value = JSON.parse(readFileSync(file, 'utf8')) as ChartState | { readonly state: ChartState };
    const state = 'state' in value ? value.state : value;
    if (typeof state.chart === 'string' && Array.isArray(state.configuration)) return state;
  } catch (cause) {
    throw new WarrantError('CLI_USAGE', `${file} cannot be read as a state`, { cause });
  }
  throw new WarrantError('CLI_USAGE', `${file} holds no state of a chart`);
}
