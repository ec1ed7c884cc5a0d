import { openObligations } from '@warrant/adapter-claude-agent';
import { createSqliteSessionStore } from '@warrant/adapter-claude-agent/sqlite';
import { isWarrantError } from '@warrant/core';
import type { Workspace } from '@warrant/workspace';

export type ClaudeStatus = {
  /** True when the last turn of a session was let go although something was not looked at. */
  readonly exitedUnverified: boolean;
  readonly unverified: readonly string[];
  /** The latest first. */
  readonly sessions: readonly {
    readonly session: string;
    readonly agent: string | null;
    readonly at: string;
    readonly exitedUnverified: boolean;
    readonly judged: boolean;
    readonly open: readonly string[];
  }[];
};

const MOST_SESSIONS = 20;

/** How the sessions of Claude Code in a workspace stand; of those that are held, the latest counts. */
export async function claudeStatus(workspace: Workspace): Promise<ClaudeStatus> {
  const kept = await sessionsOf(workspace);
  const sessions = kept.slice(0, MOST_SESSIONS).map(({ session, agent, at, state }) => ({
    session,
    agent,
    at,
    exitedUnverified: state.exitedUnverified === true,
    judged: state.judged === true,
    open: openObligations(state),
  }));
  // What lies there may be damaged, and is mended with the session's next event.
  const marked = kept.filter(({ state }) => state.exitedUnverified === true);
  return {
    exitedUnverified: marked.length > 0,
    unverified: marked
      .flatMap(({ state }) => (Array.isArray(state.unverified) ? state.unverified : []))
      .slice(0, MOST_SESSIONS),
    sessions,
  };
}

async function sessionsOf({ file }: Workspace) {
  try {
    return await createSqliteSessionStore(file).sessions();
  } catch (error) {
    // A workspace that no hook has been in has no such tables, and is not given any for being looked at.
    if (isWarrantError(error, 'SQLITE_SCHEMA_OLDER')) return [];
    throw error;
  }
}

export function claudeText({ sessions, exitedUnverified, unverified }: ClaudeStatus): string {
  const left = exitedUnverified ? `, left unverified: ${unverified.slice(0, 3).join('; ')}` : '';
  return `${sessions.length} sessions${left}`;
}
