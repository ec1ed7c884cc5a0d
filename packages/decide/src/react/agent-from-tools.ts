import type { ChartIr } from '@warrant/chart';
import { createIdSource, type Decider, type Json, type JsonObject, type Provider } from '@warrant/core';
import { agentDataModel } from '../cel/index.ts';
import { createLlmDecider } from '../deciders/llm.ts';
import { createAgentHost } from '../host/host.ts';
import type { AgentHostOptions } from '../host/host-types.ts';
import type { AgentDefinition, AgentKit, AgentTool } from '../kit.ts';
import { ajvSchemas } from '../schemas/ajv.ts';
import { jsonEventTypes } from '../schemas/event-types.ts';
import type { UsageTotals } from '../state.ts';
import { createTool, type Returned, type ToolOptions } from '../tool.ts';
import { reactChart } from './chart.ts';

/** A function is a tool; beside it may stand what models are told and what is checked. */
export type FunctionTool =
  // biome-ignore lint/suspicious/noExplicitAny: what the function takes is checked by its schema.
  ((args: any) => Promise<Returned> | Returned) | (Omit<ToolOptions<any>, 'iri'> & { readonly iri?: string });

export type AgentFromToolsOptions = {
  readonly tools: Readonly<Record<string, FunctionTool>>;
  /** A provider, or any decider. */
  readonly model: Provider | Decider;
  /** Name of the model, for a provider. @default the provider's choice */
  readonly modelName?: string;
  readonly instructions?: string;
  /** @default 20 */
  readonly maxDecisions?: number;
  /** JSON Schema of the final answer. @default anything */
  readonly answer?: JsonObject;
};

export type RunOptions = Pick<AgentHostOptions, 'journal'> &
  Partial<Omit<AgentHostOptions, keyof AgentKit | 'journal'>> & {
    /** @default a new one */
    readonly actor?: string;
  };
export type RunResult = {
  readonly actor: string;
  readonly type: 'finished' | 'gave-up';
  readonly answer: Json;
  readonly usage: UsageTotals;
};

export type AgentFromTools = {
  readonly chart: ChartIr;
  /** For a host of your own. */
  readonly kit: AgentKit;
  /** Runs one task to its end. */
  run(task: Json, options: RunOptions): Promise<RunResult>;
};

const NAME = /^[A-Za-z][A-Za-z0-9_-]*$/;

/** An agent from async functions and a model: the ReAct loop as a chart, with every decision checked and recorded. */
export function agentFromTools(options: AgentFromToolsOptions): AgentFromTools {
  const tools = Object.entries(options.tools).map(([name, tool]) => ({ name, tool: toolOf(name, tool) }));
  const { maxDecisions, answer } = options;
  const chart = reactChart({
    tools: tools.map(({ name, tool }) => ({ name, iri: tool.iri, arguments: tool.arguments })),
    ...(maxDecisions === undefined ? {} : { maxDecisions }),
    ...(answer === undefined ? {} : { answer }),
  });
  const schemas = ajvSchemas();
  const agent: AgentDefinition = {
    name: 'react',
    chart,
    dataModel: agentDataModel(),
    types: jsonEventTypes(schemas),
    schemas,
  };
  const kit: AgentKit = {
    agents: [agent],
    tools: tools.map(({ tool }) => tool),
    deciders: { model: deciderOf(options) },
  };
  return {
    chart,
    kit,
    run: async (task, { actor = `urn:uuid:${createIdSource().next()}`, ...hostOptions }) => {
      const host = createAgentHost({ ...kit, ...hostOptions });
      try {
        await host.spawn(actor, 'react', { task });
        await host.settled();
        const { result, usage } = await host.state(actor);
        const data = (result ?? {}) as JsonObject;
        const finished = 'answer' in data;
        return {
          actor,
          type: finished ? 'finished' : 'gave-up',
          answer: (finished ? data['answer'] : data['why']) ?? null,
          usage,
        };
      } finally {
        await host.close();
      }
    },
  };
}

function toolOf(name: string, tool: FunctionTool): AgentTool {
  if (!NAME.test(name)) throw new TypeError(`a tool's name is a word of letters, digits, - and _: '${name}'`);
  const given = typeof tool === 'function' ? { call: tool } : tool;
  return createTool({ iri: `urn:tool:${name}`, ...given });
}

function deciderOf({ model, modelName = '', instructions }: AgentFromToolsOptions): Decider {
  if ('decide' in model) return model;
  return createLlmDecider({
    provider: model,
    model: modelName,
    ...(instructions === undefined ? {} : { instructions }),
  });
}
