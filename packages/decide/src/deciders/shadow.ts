import { canonicalJson, type Decider, type Entry, type Journal, type Json } from '@warrant/core';
import { cleanerOf, type SecretMarks } from '../host/secrets.ts';
import type { DeciderAnswer } from '../kit.ts';
import { copyOfRequest } from '../request.ts';

export type ShadowOptions = {
  readonly decider: Decider;
  /** Answers too, and changes nothing. */
  readonly shadow: Decider;
  readonly journal: Pick<Journal, 'append'>;
  /** Replaces secrets in both answers before they are recorded; give it what the host has, so that equal secrets get equal marks. `false` records them as they come. @default the usual patterns, under a key of this decider's own */
  readonly secretMarks?: SecretMarks;
  /** Told where the second answer could not be had or written. */
  readonly onFault?: (error: unknown) => void;
};

/** The stream that holds what a shadow would have chosen. */
export function shadowStream(actor: string): string {
  return `shadow/${actor}`;
}

/** A second decider answers beside the first; both answers are written down side by side. The agent never sees the second, nor waits for it. */
export function createShadowDecider(options: ShadowOptions): Decider {
  const { decider, shadow, journal, onFault = () => undefined } = options;
  const clean = cleanerOf(options.secretMarks);
  return {
    kind: decider.kind,
    decide: async (request, signal) => {
      const copied = copyOfRequest(request);
      const second = Promise.resolve().then(() => shadow.decide(copied, signal));
      let first: DeciderAnswer;
      try {
        first = await decider.decide(request, signal);
      } catch (error) {
        // There is nothing to compare, and nobody else would hear of the second's fault.
        second.catch(onFault);
        throw error;
      }
      second
        .then(async (other) => {
          const entry: Entry = {
            id: request.correlation,
            type: 'agent.shadow',
            schemaVersion: 1,
            data: {
              correlation: request.correlation,
              state: request.state,
              first: clean(told(first)),
              shadow: clean(told(other)),
              agree: same(first, other),
            },
          };
          await journal.append(shadowStream(request.actor), [entry], { expected: 'any' });
        })
        .catch(onFault);
      return first;
    },
    cancel: (correlation) => {
      decider.cancel?.(correlation);
      shadow.cancel?.(correlation);
    },
  };
}

function told(answer: DeciderAnswer): Json {
  return JSON.parse(canonicalJson(answer as unknown as Json)) as Json;
}

/** No payload is null to an agent. */
function payloadText({ payload = null }: { readonly payload?: Json }): string {
  return canonicalJson(payload);
}

/** Whether both would have moved the chart alike. */
function same(first: DeciderAnswer, second: DeciderAnswer): boolean {
  if (first.type === 'refusal' || second.type === 'refusal') return first.type === second.type;
  return first.event === second.event && payloadText(first) === payloadText(second);
}
