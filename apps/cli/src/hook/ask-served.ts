import { createConnection } from 'node:net';
import type { Mode } from '@warrant/adapter-claude-agent';
import type { HookEnd } from './run-hook.ts';

/** One event, as a hook hands it to the process that stays. */
export type ServedCall = {
  readonly input: string;
  readonly mode: Mode;
  readonly source: string;
  readonly blockCap?: number | undefined;
};

/** Hands an event to the process that stays; null where none answers, and the event is still to be told. */
export function askServed(path: string, call: ServedCall): Promise<HookEnd | null> {
  return new Promise((done) => {
    let connected = false;
    const chunks: Buffer[] = [];
    const socket = createConnection(path, () => {
      connected = true;
      socket.end(JSON.stringify(call));
    });
    socket.on('data', (chunk) => void chunks.push(chunk));
    socket.on('error', () => done(connected ? LOST : null));
    socket.on('close', () => done(connected ? endFrom(chunks) : null));
  });
}

/** The event was handed over and no answer came: nobody knows what was decided, so it is a failure. */
const LOST: HookEnd = { code: 2, out: '', error: 'Warrant: the process that answers hooks went away\n' };

function endFrom(chunks: readonly Buffer[]): HookEnd {
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8')) as HookEnd;
  } catch {
    return LOST;
  }
}
