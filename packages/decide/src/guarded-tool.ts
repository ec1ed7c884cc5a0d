import type { GuardOutcome, Json, ToolOutcome } from '@warrant/core';
import { isJson } from './host/calls.ts';

/** What a guarded function came to, as a tool's outcome: what was not allowed is refused with its reasons, what waits for a person is pending. */
export function guardToolOutcome(outcome: GuardOutcome<unknown>, iri: string): ToolOutcome {
  switch (outcome.type) {
    case 'executed': {
      const value = outcome.value ?? null;
      if (!isJson(value)) return { type: 'failed', message: 'the function gave no JSON' };
      return { type: 'ok', result: value as Json, label: { trust: 'tool', sources: [iri] } };
    }
    case 'blocked':
    case 'ungrounded':
      return { type: 'refused', reasons: outcome.verdict.reasons };
    case 'declined':
      return { type: 'refused', reasons: [...outcome.verdict.reasons, declined(outcome.answer?.answeredBy ?? null)] };
    case 'pending':
      return { type: 'pending', question: outcome.question };
    case 'failed':
      return { type: 'failed', message: outcome.error instanceof Error ? outcome.error.message : 'the call failed' };
  }
}

function declined(by: string | null) {
  const message = by === null ? 'nobody allowed the call' : `${by} did not allow the call`;
  return { code: 'decide.declined', message, data: { by } };
}
