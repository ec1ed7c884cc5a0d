import type { Entry, Journal, JsonObject } from '@warrant/core';
import { contentOf } from './gate-records.ts';
import { CLAUDE_STREAM, type SessionKey } from './session-store.ts';
import type { ClaudeOptions } from './settings.ts';

/**
 * Earlier records of a session, from the journal that they went to.
 * @param settle brings what is still on its way into the journal
 */
export function journalHistory(
  journal: Pick<Journal, 'read'>,
  settle?: () => Promise<unknown>,
): NonNullable<ClaudeOptions['history']> {
  return async ({ session, agent }: SessionKey) => {
    await settle?.();
    const own = `${session}/${agent ?? ''}/`;
    const entries: Entry[] = [];
    for await (const entry of journal.read(CLAUDE_STREAM)) if (entry.id.startsWith(own)) entries.push(entry);
    const named = new Set(entries.flatMap((entry) => contentOf(entry.data as JsonObject) ?? []));
    if (named.size === 0) return entries;
    // Long arguments stand once for all sessions; those of others are not held in memory.
    const contents: Entry[] = [];
    for await (const entry of journal.read(CLAUDE_STREAM)) if (named.has(entry.id)) contents.push(entry);
    return [...contents, ...entries];
  };
}
