import type { Decider, DecisionRequest, Json } from '@warrant/core';
import type { AgentEvent } from '../host/host-types.ts';

export type ActorDecider = Decider & { readonly kind: 'actor'; readonly actor: string };

/**
 * Lets another agent decide. It gets the event `vt.decide.request` and answers by sending `vt.decide.reply` to the
 * event's origin, with `{ correlation, event, payload, rationale?, confidence? }`; only its own answer counts.
 * Nobody waits meanwhile.
 */
export function createActorDecider(options: {
  readonly actor: string;
  /** Usually `host.send`; a function, since the host is made after its deciders. */
  readonly send: (actor: string, event: AgentEvent) => Promise<unknown>;
}): ActorDecider {
  const { actor, send } = options;
  return {
    kind: 'actor',
    actor,
    decide: async (request, signal) => {
      await send(actor, {
        name: 'vt.decide.request',
        data: dataOf(request),
        id: request.correlation,
        origin: request.actor,
      });
      return new Promise((_, reject) => {
        const stop = () => reject(new Error('no longer asked'));
        if (signal.aborted) stop();
        signal.addEventListener('abort', stop);
      });
    },
  };
}

function dataOf({ correlation, state, candidates, context, fallback }: DecisionRequest): Json {
  return { correlation, state, candidates, context, fallback };
}
