import type { JsonObject } from '@warrant/core';
import { WarrantError } from '@warrant/core';
import type { Chart, ChartNode } from './chart.ts';
import type { Scope } from './data-model.ts';
import type { ChartEvent } from './event.ts';
import type { ChartState } from './state.ts';

/** The active nodes of a state. @throws CHART_MISMATCH when the state belongs to another chart. */
export function activeNodes(chart: Chart, state: ChartState): readonly ChartNode[] {
  if (state.chart !== chart.digest) {
    throw new WarrantError('CHART_MISMATCH', 'this state belongs to another chart', {
      data: { expected: state.chart, actual: chart.digest },
    });
  }
  return state.configuration.map((id) => chart.byId.get(id) as ChartNode);
}

/** What conditions see when a state is only looked at. */
export function probeScope(state: ChartState, event: ChartEvent | null, variables: JsonObject): Scope {
  return new Probe(state, event, variables);
}

class Probe implements Scope {
  readonly data: JsonObject;
  readonly event: ChartEvent | null;
  readonly variables: JsonObject;
  private readonly state: ChartState;

  constructor(state: ChartState, event: ChartEvent | null, variables: JsonObject) {
    this.data = state.data;
    this.event = event;
    this.variables = variables;
    this.state = state;
  }

  get session(): Scope['session'] {
    return { id: this.state.session, name: this.state.name };
  }

  isActive(id: string): boolean {
    return this.state.configuration.includes(id);
  }
}
