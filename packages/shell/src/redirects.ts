import { type Sink, touch } from './sink.ts';
import type { Redirect } from './syntax/tree.ts';

const SOCKET = /^\/dev\/(?:tcp|udp)\//;

/** What redirections open: files that they read or write, or sockets. */
export function redirectEffects(sink: Sink, redirects: readonly Redirect[]): void {
  for (const { kind, target } of redirects) {
    if (target === null || kind === 'duplicate' || kind === 'here') continue;
    if (SOCKET.test(target.lead)) {
      sink.network = true;
      sink.changes = true;
      continue;
    }
    if (kind !== 'write') touch(sink, 'reads', target);
    if (kind !== 'read') touch(sink, 'writes', target);
  }
}

/** The redirection that gives a command its standard input. */
export function inputOf(redirects: readonly Redirect[]): Redirect | null {
  return redirects.findLast(({ descriptor, kind }) => descriptor === 0 && kind !== 'write') ?? null;
}
