import type { Action, ChartIr, StateIr, TransitionIr } from '@warrant/chart';
import type { Extension, JsonObject } from '@warrant/core';
import { DECIDE_NAMESPACE, VT_NAMESPACE } from '../extensions.ts';

export type ReactTool = { readonly name: string; readonly iri: string; readonly arguments: JsonObject };
export type ReactChartOptions = {
  readonly tools: readonly ReactTool[];
  /** Binding of the decider. @default model */
  readonly decider?: string;
  /** @default 20 */
  readonly maxDecisions?: number;
  /** How long to wait for a decision, such as `30s`. @default no limit */
  readonly deadline?: string;
  readonly fallback?: string;
  /** JSON Schema of the final answer. @default anything */
  readonly answer?: JsonObject;
};

/**
 * The loop of a model that uses tools, as a chart: the event `task`, or the data item of that name at the start, begins it; at `decide` one event a tool (`call.<name>`, its
 * payload the tool's arguments) and `finish` are on offer, and what tools say is gathered in `observations`.
 */
export function reactChart(options: ReactChartOptions): ChartIr {
  const { tools } = options;
  const types = Object.fromEntries([
    ...tools.map(({ name, arguments: schema }) => [`call.${name}`, schema] as const),
    ...(options.answer === undefined ? [] : [['finish', options.answer] as const]),
  ]);
  const observe = (entry: string): Action => ({
    type: 'assign',
    location: 'observations',
    expr: `ctx.observations + [${entry}]`,
  });
  return {
    name: 'react',
    datamodel: 'cel',
    binding: 'early',
    data: [
      { id: 'task', value: null },
      { id: 'observations', value: [] },
      { id: 'answer', value: null },
      { id: 'why', value: null },
    ],
    extensions: [{ namespace: VT_NAMESPACE, local: 'types', attribute: JSON.stringify(types) }],
    states: [
      state('idle', [
        { events: [], cond: 'ctx.task != null', targets: ['decide'], type: 'external', content: [] },
        on('task', 'decide', { type: 'assign', location: 'task', expr: 'ev.data' }),
      ]),
      decideState(options),
      state('tooling', [
        on('vt:reply', 'decide', observe('{"tool": ev.data.tool, "result": ev.data.result}')),
        on(
          'error.tool',
          'decide',
          observe('{"tool": ev.data.tool, "error": ev.data.class, "message": ev.data.message}'),
        ),
        on('error', 'decide', observe('{"error": ev.name}')),
      ]),
      final('done', 'answer'),
      final('gave_up', 'why'),
    ],
  };
}

function decideState(options: ReactChartOptions): StateIr {
  const { tools, decider = 'model', maxDecisions = 20, deadline, fallback } = options;
  const said = { decide: decider, maxDecisions: String(maxDecisions), deadline, fallback };
  const extensions = Object.entries(said).flatMap(([local, attribute]): readonly Extension[] =>
    attribute === undefined ? [] : [{ namespace: DECIDE_NAMESPACE, local, attribute }],
  );
  const calls = tools.map(({ name, iri }) => on(`call.${name}`, 'tooling', call(iri)));
  const giveUp = (event: string) => on(event, 'gave_up', { type: 'assign', location: 'why', expr: 'ev.name' });
  return {
    ...state('decide', [
      ...calls,
      on('finish', 'done', { type: 'assign', location: 'answer', expr: 'ev.data' }),
      on('error.decide.invalid', 'decide', {
        type: 'assign',
        location: 'observations',
        expr: 'ctx.observations + [{"error": "not accepted", "reason": ev.data.reason, "paths": ev.data.paths}]',
      }),
      giveUp('vt.agent.budget-exhausted'),
      giveUp('vt.decide.refused'),
      giveUp('error.decide.timeout'),
    ]),
    extensions,
  };
}

function call(iri: string): Action {
  return { type: 'send', event: 'tool.call', target: iri, content: { expr: 'ev.data' } };
}

function on(event: string, target: string, ...content: readonly Action[]): TransitionIr {
  return { events: [event], targets: [target], type: 'external', content };
}

function state(id: string, transitions: readonly TransitionIr[]): StateIr {
  return { type: 'state', id, transitions, onEntry: [], onExit: [], data: [], invokes: [], states: [] };
}

function final(id: string, name: string): StateIr {
  return { ...state(id, []), type: 'final', doneData: { params: [{ name, expr: `ctx.${name}` }] } };
}
