import type { Actor } from '../actor.ts';
import { type DeleteResult, deleteKey } from '../remove.ts';
import type { Setup } from '../setup.ts';
import type { WriteResult } from '../write-step.ts';
import { type BeforeToolRequest, beforeTool, type ToolContext } from './before-tool.ts';
import { type CompactionSummary, checkpoint, writeCompactionSummary } from './compaction.ts';
import { type FinalizedTurn, type FinishedTurn, finalizeTurn } from './finalize.ts';
import { type Pin, type PinRequest, pin, pinKey, pinsFor } from './pins.ts';
import { type PreparedTurn, prepareTurn, type TurnRequest } from './prepare.ts';
import type { SessionStart } from './session.ts';
import { type SessionStarted, startAndConsolidate } from './start-and-consolidate.ts';

/** What a host calls around a conversation of an agent. */
export type TurnHelpers = {
  /** Counts the session, tells of it, and consolidates when that is due. */
  readonly startSession: (start: SessionStart) => Promise<SessionStarted>;
  /** What the agent should have in view in its next turn. */
  readonly prepareTurn: (request: TurnRequest) => Promise<PreparedTurn>;
  /** What is remembered about what a call is about to touch. */
  readonly beforeTool: (request: BeforeToolRequest) => Promise<ToolContext>;
  /** Remembers what the turn brought. */
  readonly finalizeTurn: (turn: FinishedTurn) => Promise<FinalizedTurn>;
  /** Keeps the session's working memory before its conversation is compacted. */
  readonly checkpoint: (session: string) => Promise<WriteResult>;
  readonly writeCompactionSummary: (compacted: CompactionSummary) => Promise<WriteResult>;
  /** Constraints that hold for this agent, those of people first. */
  readonly pins: () => Promise<readonly Pin[]>;
  /** Keeps a reminder of the agent's own in view; it never binds as a person's does. */
  readonly pin: (request: PinRequest) => Promise<WriteResult>;
  readonly unpin: (name: string) => Promise<DeleteResult>;
};

/** @internal */
export function createTurnHelpers(setup: Setup, actor: Actor): TurnHelpers {
  return {
    startSession: (start) => startAndConsolidate(setup, actor, start),
    prepareTurn: (request) => prepareTurn(setup, actor, request),
    beforeTool: (request) => beforeTool(setup, actor, request),
    finalizeTurn: (turn) => finalizeTurn(setup, actor, turn),
    checkpoint: (session) => checkpoint(setup, actor, session),
    writeCompactionSummary: (compacted) => writeCompactionSummary(setup, actor, compacted),
    pins: () => pinsFor(setup, actor),
    pin: (request) => pin(setup, actor, request),
    unpin: (name) => deleteKey(setup, actor, pinKey(actor, name)),
  };
}
