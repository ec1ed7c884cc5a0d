import { readFileSync } from 'node:fs';
import { readScxmlDocument } from '@warrant/chart/scxml';
import { eventTypes } from '@warrant/chart/types';
import type { Json, Provider, ProviderRequest, ProviderResult, ToolOutcome } from '@warrant/core';
import { type AgentKit, type AgentTool, createGuardDecider, createLlmDecider, createTool } from '@warrant/decide';
import { agentDataModel } from '@warrant/decide/cel';
import { ajvSchemas } from '@warrant/decide/schemas';

export const SEARCH = 'https://example.org/tools/search';
export const ORDERS = 'https://example.org/tools/orders';
export const NOTIFY = 'https://example.org/tools/notify';
export const TICKET = { id: 'T-1', text: 'My order A-17 came broken, I want my money back.' };

/** Where tools leave their mark: calls that were begun, and what came of those that ended. */
export type Outside = {
  readonly begun: (tool: string, key: string) => void;
  readonly ended: (tool: string, key: string, result: Json) => void;
  readonly find: (key: string) => Json | undefined;
  /** Called before and after everything that is done outside. */
  readonly point: (name: string) => void;
};

export function memoryOutside(): Outside & { readonly calls: string[] } {
  const results = new Map<string, Json>();
  const calls: string[] = [];
  return {
    calls,
    begun: (tool, key) => void calls.push(`${tool} ${key}`),
    ended: (_, key, result) => void results.set(key, result),
    find: (key) => results.get(key),
    point: () => undefined,
  };
}

/** A model that always says the same to the same: it looks at how far the work has come. */
function scripted(
  point: Outside['point'],
  answer: (request: ProviderRequest) => Json,
  asked: ProviderRequest[],
): Provider {
  return {
    complete: async (request) => {
      point('before model');
      asked.push(request);
      const content = answer(request);
      point('after model');
      const result: ProviderResult = {
        content,
        model: request.model,
        usage: { promptTokens: 100, completionTokens: 10 },
        toolCalls: [],
      };
      return { type: 'ok', result };
    },
  };
}

function nextMove({ prompt }: ProviderRequest): Json {
  const context = JSON.parse(prompt.split('\n').find((line) => line.startsWith('{"answer"')) ?? '{}') as {
    readonly log?: readonly Json[];
  };
  const log = context.log ?? [];
  const call = (tool: string, args: Json) => ({
    event: 'call_tool',
    payload: { tool, args },
    rationale: `step ${log.length + 1}`,
    confidence: 0.8,
  });
  if (log.length === 0) return call(SEARCH, { q: 'broken on arrival' });
  if (log.length === 1) return call(ORDERS, { id: 'A-17' });
  if (log.length === 2) return call(NOTIFY, { text: 'A-17 came broken' });
  const told = JSON.stringify(log[2]).includes('failed')
    ? 'We are looking into it.'
    : 'Your refund for A-17 is on its way.';
  return { event: 'finish', payload: { text: told } };
}

type Effect = {
  readonly iri: string;
  readonly description: string;
  readonly more: Partial<AgentTool>;
  readonly work: (args: Record<string, Json>) => Json;
};

function toolOf(outside: Outside, { iri, description, more, work }: Effect): AgentTool {
  const tool = createTool<Record<string, Json>>({
    iri,
    description,
    call: (args, { key }) => {
      outside.point(`before ${iri}`);
      outside.begun(iri, key);
      const result = work(args);
      outside.ended(iri, key, result);
      outside.point(`after ${iri}`);
      return result;
    },
  });
  return { ...tool, ...more };
}

/** Asks what came of a call: the work is done and noted at once, so that a call without a mark was never begun. */
function statusIn(outside: Outside, iri: string) {
  return async (key: string): Promise<ToolOutcome | { readonly type: 'never-seen' }> => {
    const result = outside.find(key);
    return result === undefined
      ? { type: 'never-seen' }
      : { type: 'ok', result, label: { trust: 'tool', sources: [iri] } };
  };
}

export type SupportKit = AgentKit & { readonly asked: readonly ProviderRequest[] };

export function supportKit(outside: Outside): SupportKit {
  const { chart, placeOf } = readScxmlDocument(readFileSync(new URL('support.scxml', import.meta.url)));
  const asked: ProviderRequest[] = [];
  const dataModel = agentDataModel();
  const model = scripted(outside.point, nextMove, asked);
  return {
    asked,
    agents: [{ name: 'support', chart, placeOf, dataModel, types: eventTypes(), schemas: ajvSchemas() }],
    providers: { sorter: scripted(outside.point, () => 'damage', asked) },
    deciders: {
      'llm/support': createLlmDecider({
        provider: model,
        model: 'large',
        instructions: 'Help the customer. Use the tools, then finish.',
      }),
      'people/support': createGuardDecider({
        dataModel,
        rules: [{ event: 'finish', payload: "{'text': 'A person will call you back.'}" }],
      }),
    },
    tools: [
      toolOf(outside, {
        iri: SEARCH,
        description: 'Searches the handbook',
        more: { repeatable: true },
        work: () => ({ found: 'Broken on arrival: refund.' }),
      }),
      toolOf(outside, {
        iri: ORDERS,
        description: 'Looks up an order',
        more: { status: statusIn(outside, ORDERS) },
        work: (args) => ({ id: args['id'] ?? null, state: 'delivered' }),
      }),
      toolOf(outside, { iri: NOTIFY, description: 'Tells the shop', more: {}, work: () => ({ told: true }) }),
    ],
  };
}
