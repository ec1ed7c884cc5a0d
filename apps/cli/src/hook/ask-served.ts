import { createConnection } from 'node:net';
import type { Mode } from '@warrant/adapter-claude-agent';
import type { HookEnd } from './hook-end.ts';
import type { ServedPlace } from './served-place.ts';

/** One event, as a hook hands it to the process that stays. */
export type ServedCall = {
  readonly input: string;
  readonly mode: Mode;
  readonly source: string;
  readonly blockCap?: number | undefined;
};

/** Who only watches waits no longer, in milliseconds. */
const PATIENCE_MS = 10_000;

/** Hands an event to the process that stays; null where none answers, and the event is still to be told. */
export function askServed({ path, asks, answers }: ServedPlace, call: ServedCall): Promise<HookEnd | null> {
  return new Promise((done) => {
    let connected = false;
    const chunks: Buffer[] = [];
    const socket = createConnection(path, () => {
      connected = true;
      socket.end(`${asks}\n${JSON.stringify(call)}`);
    });
    if (call.mode === 'observe') socket.setTimeout(PATIENCE_MS, () => socket.destroy());
    socket.on('data', (chunk) => void chunks.push(chunk));
    socket.on('error', () => done(connected ? LOST : null));
    socket.on('close', () => done(connected ? endFrom(chunks, answers) : null));
  });
}

/** The event was handed over and no answer came: nobody knows what was decided, so it is a failure. */
const LOST: HookEnd = { code: 2, out: '', error: 'Warrant: the process that answers hooks went away\n' };

function endFrom(chunks: readonly Buffer[], answers: string): HookEnd {
  const text = Buffer.concat(chunks).toString('utf8');
  if (!text.startsWith(`${answers}\n`)) return LOST;
  try {
    const { code, out, error } = JSON.parse(text.slice(answers.length + 1)) as HookEnd;
    const whole = (code === 0 || code === 2) && typeof out === 'string' && typeof error === 'string';
    // An answer that is empty would pass for one that decides nothing.
    return whole && (code === 2 || out !== '') ? { code, out, error } : LOST;
  } catch {
    return LOST;
  }
}
