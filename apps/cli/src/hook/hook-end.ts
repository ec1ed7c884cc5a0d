import { type HookAnswer, type HookEvent, type Mode, readHookInput, toHookOutput } from '@warrant/adapter-claude-agent';
import { isWarrantError, WarrantError } from '@warrant/core';

/** What a hook ends with: 0 with an answer, or 2, which refuses what waits for it. */
export type HookEnd = { readonly code: 0 | 2; readonly out: string; readonly error: string };

/** An answer that decides nothing. */
export const PASSES = '{}\n';

/** The event in what the client wrote. @throws CLAUDE_INPUT_INVALID */
export function eventIn(input: string, source: string): HookEvent {
  return readHookInput(parsed(input), { source });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    throw new WarrantError('CLAUDE_INPUT_INVALID', "the hook's input is no JSON");
  }
}

/** What a person may want to know beside the answer, by line. */
export type Notes = {
  readonly report: (report: { readonly what: string; readonly error: unknown }) => void;
  readonly text: () => string;
};

export function createNotes(event: HookEvent): Notes {
  const lines = event.type === 'unknown' ? [`Warrant: the event ${event.name} is not known and passes\n`] : [];
  return {
    report: ({ what, error }) => void lines.push(`Warrant: ${what}: ${String(error)}\n`),
    text: () => lines.join(''),
  };
}

export function answeredEnd(event: HookEvent, answer: HookAnswer, error = ''): HookEnd {
  return { code: 0, out: `${JSON.stringify(toHookOutput(event, answer))}\n`, error };
}

/** Whatever goes wrong refuses what waits, except in `observe`, which never stands in the way. */
export function failedEnd(mode: Mode, error: unknown): HookEnd {
  const text = `Warrant: ${isWarrantError(error) ? `${error.message} (${error.code})` : String(error)}\n`;
  return mode === 'observe' ? { code: 0, out: PASSES, error: text } : { code: 2, out: '', error: text };
}
