import { type JsonObject, WarrantError } from '@warrant/core';

/** Codes that this package throws. Refusals are values and never thrown. */
export type SubmitGateErrorCode =
  | 'SUBMIT_GATE_CONFIG_INVALID'
  | 'SUBMIT_GATE_CONFIG_CHANGED'
  | 'SUBMIT_GATE_STATE_INVALID'
  | 'SUBMIT_GATE_CALL_OPEN'
  | 'SUBMIT_GATE_SEQUENCE'
  | 'SUBMIT_GATE_TRACE_INVALID'
  | 'SUBMIT_GATE_CONTRACT_INVALID';

export function gateError(code: SubmitGateErrorCode, message: string, data: JsonObject = {}): WarrantError {
  return new WarrantError(code, message, { data });
}
