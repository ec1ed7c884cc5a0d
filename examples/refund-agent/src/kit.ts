import { readFileSync } from 'node:fs';
import { eventTypes } from '@warrant/chart/types';
import { readYamlDocument } from '@warrant/chart/yaml';
import type { Inbox } from '@warrant/core';
import {
  type AgentKit,
  createHumanDecider,
  createLlmDecider,
  createScriptedProvider,
  createTool,
  firstEnabled,
  type ScriptedProvider,
} from '@warrant/decide';
import { agentDataModel } from '@warrant/decide/cel';
import { ajvSchemas } from '@warrant/decide/schemas';

export type RefundKit = AgentKit & {
  readonly model: ScriptedProvider;
  readonly payments: { readonly to: string; readonly amount: number }[];
};

/** The model always wants to pay; what it may do is not its business. */
export function refundKit(inbox: Inbox): RefundKit {
  const { chart, placeOf } = readYamlDocument(readFileSync(new URL('refund.yaml', import.meta.url)));
  const payments: { readonly to: string; readonly amount: number }[] = [];
  const model = createScriptedProvider([
    ({ prompt }) => ({
      content: {
        event: 'pay',
        payload: { amount: Number(/"amount":(\d+)/.exec(prompt)?.[1]) },
        rationale: 'a good customer',
      },
    }),
    ({ prompt }) => ({
      content: {
        event: 'pay',
        payload: { amount: Number(/"amount":(\d+)/.exec(prompt)?.[1]) },
        rationale: 'a good customer',
      },
    }),
  ]);
  return {
    model,
    payments,
    agents: [
      { name: 'refund', chart, placeOf, dataModel: agentDataModel(), types: eventTypes(), schemas: ajvSchemas() },
    ],
    deciders: {
      model: createLlmDecider({ provider: model, model: 'large', instructions: 'Decide about the refund.' }),
      careful: firstEnabled('ask', 'decline'),
      people: createHumanDecider({
        inbox,
        quorum: 3,
        agree: 2,
        askedBy: ({ context }) => String((context['request'] as { readonly clerk?: string }).clerk),
      }),
    },
    tools: [
      createTool<{ readonly to: string; readonly amount: number }>({
        iri: 'https://example.org/tools/pay',
        arguments: {
          type: 'object',
          properties: { to: { type: 'string' }, amount: { type: 'number', exclusiveMinimum: 0 } },
          required: ['to', 'amount'],
        },
        call: ({ to, amount }) => {
          payments.push({ to, amount });
          return { receipt: payments.length };
        },
      }),
    ],
  };
}
