import type { Json, JsonObject } from '@warrant/core';
import type { Claim, GateVerdict, RecordedObservation } from './types.ts';

/** What a model does next. Several calls of one move run side by side. */
export type ModelMove =
  | { readonly type: 'reason' }
  | {
      readonly type: 'calls';
      readonly calls: readonly {
        readonly id?: string;
        readonly tool: string;
        readonly arguments: JsonObject;
        readonly expects?: Json;
      }[];
    }
  | { readonly type: 'submit'; readonly claim: Claim };

/** What the model is told: the message of the turn, answers to its calls, and refusals with the moves that would help. */
export type ModelInput =
  | { readonly type: 'message'; readonly text: string }
  | {
      readonly type: 'result';
      readonly callId: string;
      readonly outcome: RecordedObservation['outcome'];
      readonly result: Json;
    }
  | { readonly type: 'refused'; readonly verdict: GateVerdict };

export type TurnModel = {
  next(inputs: readonly ModelInput[], options: { readonly signal: AbortSignal }): Promise<ModelMove>;
};
