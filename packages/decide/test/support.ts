import { eventTypes } from '@warrant/chart/types';
import { readYaml } from '@warrant/chart/yaml';
import {
  createVirtualClock,
  createVirtualTimer,
  type DecisionRequest,
  type Journal,
  type Json,
  type VirtualClock,
} from '@warrant/core';
import { createMemoryJournal } from '@warrant/journal';
import { agentDataModel } from '../src/cel/index.ts';
import {
  type AgentDefinition,
  type AgentHost,
  type AgentHostOptions,
  createAgentHost,
  createAgentMachine,
  type Input,
} from '../src/index.ts';
import type { AgentMachine } from '../src/machine/machine.ts';
import { planReader } from '../src/plans/index.ts';
import { ajvSchemas } from '../src/schemas/index.ts';
import type { AgentState } from '../src/state.ts';

export const AT = '2026-01-01T00:00:00.000Z';
export const GRANT = { targets: [], tools: [], deciders: [], functions: [] };
const schemas = ajvSchemas();

export function definitionOf(yaml: string, name = 'agent'): AgentDefinition {
  return {
    name,
    chart: readYaml(`format: warrant.chart/1\n${yaml}`),
    dataModel: agentDataModel(),
    types: eventTypes(),
    plans: planReader(),
    schemas,
  };
}

/** A question with two candidates. */
export const request: DecisionRequest = {
  correlation: 'urn:a/decision/1.0',
  actor: 'urn:a',
  state: 's',
  candidates: ['approve', 'reject'].map((event) => ({ event, payload: {}, conditional: false })),
  context: { amount: 250 },
  labels: {},
  binding: 'b',
  fallback: false,
  fingerprint: 'sha256:0',
};

export type Wanted = {
  readonly [Type in Input['type']]: {
    readonly type: Type;
    readonly at?: string;
    readonly data: Extract<Input, { type: Type }>['data'];
  };
}[Input['type']];

export type Machine = {
  readonly machine: AgentMachine;
  state: AgentState;
  readonly facts: { readonly type: string }[];
  /** Applies an input; the state goes through text each time, as through a store. */
  readonly take: (input: Wanted) => AgentState;
  readonly active: () => readonly string[];
  readonly data: (name: string) => unknown;
  readonly open: () => readonly string[];
};

/** A pure machine after its start. */
export function start(yaml: string, data: Partial<Extract<Input, { type: 'start' }>['data']> = {}): Machine {
  const machine = createAgentMachine(definitionOf(yaml));
  const one: Machine = {
    machine,
    state: machine.empty,
    facts: [],
    take: (input) => {
      const applied = machine.apply(one.state, { at: AT, ...input } as Input, one.state.position + 1);
      one.facts.push(...applied.facts);
      one.state = JSON.parse(JSON.stringify(applied.state)) as AgentState;
      return one.state;
    },
    active: () => one.state.sessions[0]?.chart.configuration ?? [],
    data: (name) => one.state.sessions[0]?.chart.data[name],
    open: () =>
      one.state.slots.filter(({ status }) => status === 'open').map(({ correlation, key }) => `${key} ${correlation}`),
  };
  one.take({
    type: 'start',
    data: { program: machine.program, input: {}, grant: GRANT, tools: [], maxAsks: null, ...data },
  });
  return one;
}

export const decision = (correlation: string, event: string, payload: Json = null, annotations?: object): Wanted => ({
  type: 'decision',
  data: { correlation, event, payload, ...(annotations === undefined ? {} : { annotations }) },
});
export const event = (name: string, data: Json = null): Wanted => ({ type: 'event', data: { name, data } });

export type World = {
  readonly clock: VirtualClock;
  readonly journal: Journal;
  readonly host: AgentHost;
  readonly open: (more?: Partial<AgentHostOptions>) => AgentHost;
};

/** A host on a virtual clock; `open` makes another one on the same journal. */
export function world(options: Partial<AgentHostOptions> & Pick<AgentHostOptions, 'agents'>): World {
  const clock = createVirtualClock();
  const journal = options.journal ?? createMemoryJournal({ clock });
  const timer = createVirtualTimer();
  const open = (more: Partial<AgentHostOptions> = {}): AgentHost =>
    createAgentHost({ journal, clock, timer, ...options, ...more });
  return { clock, journal, host: open(), open };
}

/** The journal with another append. */
export function withAppend(journal: Journal, append: Journal['append']): Journal {
  return {
    append,
    read: (...given) => journal.read(...given),
    readAll: (...given) => journal.readAll(...given),
    subscribe: (...given) => journal.subscribe(...given),
    streams: (...given) => journal.streams(...given),
    head: (...given) => journal.head(...given),
    fork: (...given) => journal.fork(...given),
    close: () => journal.close(),
  };
}

const PATIENCE_MS = 55_000;
const LOOK_MS = 5;

/** Looks again until it holds; however busy the machine is, it has a minute. */
export async function eventually(check: () => Promise<unknown>): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      await check();
      return;
    } catch (error) {
      if (performance.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  }
}
