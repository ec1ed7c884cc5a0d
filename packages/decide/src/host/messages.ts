import { combineLabels, type Decision, isWarrantError, type Json, type JsonObject } from '@warrant/core';
import type { AgentKit } from '../kit.ts';
import type { AgentState, MessageCall } from '../state.ts';
import type { AgentHost } from './host-types.ts';
import { parseCorrelation } from './names.ts';

type Context = {
  readonly kit: AgentKit;
  readonly host: Pick<AgentHost, 'send' | 'answer'> & { state(actor: string): Promise<AgentState> };
};

/** Hands a message to its actor; an answer to that actor's question goes to the offer. */
export async function deliverMessage(
  from: string,
  call: MessageCall,
  { kit, host }: Context,
): Promise<'delivered' | 'unknown-actor'> {
  const { target, event, data, effect } = call;
  try {
    if (event === 'vt.decide.reply' && (await replyToOffer(from, target, data, { kit, host }))) return 'delivered';
    const label = combineLabels([call.label, { trust: 'agent', sources: [from] }]);
    await host.send(target, { name: event, data, origin: from, label, id: `${from}#${effect}` });
    return 'delivered';
  } catch (error) {
    if (isWarrantError(error, 'DECIDE_UNKNOWN_ACTOR') || isWarrantError(error, 'DECIDE_ACTOR_NAME'))
      return 'unknown-actor';
    throw error;
  }
}

async function replyToOffer(from: string, target: string, data: Json, { kit, host }: Context): Promise<boolean> {
  const reply = (typeof data === 'object' && data !== null ? data : {}) as JsonObject;
  const { correlation: iri, event, payload = null, rationale, confidence } = reply;
  const named = typeof iri === 'string' ? parseCorrelation(iri) : undefined;
  if (typeof iri !== 'string' || named?.actor !== target || typeof event !== 'string') return false;
  const slot = (await host.state(target)).slots.find(({ correlation }) => correlation === named.correlation);
  const decider =
    slot && (kit.deciders?.[slot.binding] as { readonly kind: string; readonly actor?: string } | undefined);
  // Only the agent that was asked may answer.
  if (decider?.kind !== 'actor' || decider.actor !== from) return false;
  const annotations = {
    kind: 'actor',
    ...(rationale === undefined ? {} : { rationale }),
    ...(confidence === undefined ? {} : { confidence }),
  };
  await host.answer(iri, { type: 'decision', event, payload, annotations } as Decision);
  return true;
}
