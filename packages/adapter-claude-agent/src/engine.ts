import { isWarrantError } from '@warrant/core';
import { promptSubmitted } from './handlers/prompt-submitted.ts';
import { compacting, noted, sessionStarted, subagentStarted } from './handlers/session.ts';
import { stopping } from './handlers/stopping.ts';
import { batchEnded, permissionTold, toolEnded } from './handlers/tool-ended.ts';
import { toolStarting } from './handlers/tool-starting.ts';
import type { HookAnswer, HookEvent } from './hook-event.ts';
import { mendSession } from './mend-session.ts';
import { openObligations } from './session-state.ts';
import { type ClaudeOptions, createSetup, type Setup } from './settings.ts';
import { withCleanNames } from './without-secrets.ts';

/** How a session stands. */
export type SessionStatus = {
  readonly session: string;
  readonly agent: string | null;
  /** The last turn was let go although something was not looked at. */
  readonly exitedUnverified: boolean;
  readonly unverified: readonly string[];
  /** What nobody has looked at since it was changed. */
  readonly open: readonly string[];
  /** False while a turn is under way, or when its end was never judged. */
  readonly judged: boolean;
};

/** Answers the events of a client. */
export interface ClaudeEngine {
  readonly mode: Setup['mode'];
  /** Decides and keeps what an event comes to. @throws what the store throws; whoever asked must not go on then */
  handle(event: HookEvent): Promise<HookAnswer>;
  status(): Promise<readonly SessionStatus[]>;
}

/** @throws CLAUDE_OPTIONS_INVALID, SUBMIT_GATE_CONFIG_INVALID */
export function createClaudeEngine(options: ClaudeOptions): ClaudeEngine {
  const setup = createSetup(options);
  return {
    mode: setup.mode,
    handle: (given) => {
      const event = withCleanNames(given, setup.replace);
      return mending(setup, event, () => handled(setup, event));
    },
    status: async () =>
      (await options.store.sessions()).map(({ session, agent, state }) => ({
        session,
        agent,
        exitedUnverified: state.exitedUnverified === true,
        unverified: Array.isArray(state.unverified) ? state.unverified : [],
        open: openObligations(state),
        judged: state.judged === true,
      })),
  };
}

/** What was kept of the session, by another version or damaged, is no reason to refuse all that comes: it is mended, once. */
async function mending(setup: Setup, event: HookEvent, work: () => Promise<HookAnswer>): Promise<HookAnswer> {
  try {
    return await work();
  } catch (error) {
    if (!isWarrantError(error, 'CLAUDE_STATE_INVALID')) throw error;
    const { session, agent } = event;
    setup.report('session', error);
    for (const one of new Set([null, agent])) await mendSession(setup, { session, agent: one });
    return work();
  }
}

function handled(setup: Setup, event: HookEvent): Promise<HookAnswer> {
  return setup.reference ? referenceAnswer(setup, event) : answer(setup, event);
}

/** The reference keeps one state for all agents of a session, and passes over what subagents call. */
async function referenceAnswer(setup: Setup, event: HookEvent): Promise<HookAnswer> {
  const foreign = event.agent !== null && setup.options.gateSubagents !== true;
  if (foreign && event.type === 'tool-ended') return {};
  return answer(setup, { ...event, agent: null });
}

function answer(setup: Setup, event: HookEvent): Promise<HookAnswer> {
  switch (event.type) {
    case 'tool-starting':
      return toolStarting(setup, event);
    case 'tool-ended':
      return toolEnded(setup, event);
    case 'batch-ended':
      return batchEnded(setup, event);
    case 'permission-asked':
    case 'permission-denied':
      return permissionTold(setup, event);
    case 'stopping':
    case 'subagent-stopping':
      return stopping(setup, event);
    case 'prompt-submitted':
      return promptSubmitted(setup, event);
    case 'session-started':
      return sessionStarted(setup, event);
    case 'compacting':
      return compacting(setup, event);
    case 'subagent-started':
      return subagentStarted(setup, event);
    case 'stop-failed':
    case 'compacted':
    case 'session-ended':
    case 'unknown':
      return noted(setup, event);
    default:
      return event satisfies never;
  }
}
