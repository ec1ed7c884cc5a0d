export { blockCapOf } from './block-cap.ts';
export { codingGate } from './coding-gate.ts';
export type { ClaudeEngine, SessionStatus } from './engine.ts';
export { createClaudeEngine } from './engine.ts';
export type { ClaudeErrorCode } from './errors.ts';
export { CLAUDE_ERRORS } from './errors.ts';
export { readGateRecord } from './gate-records.ts';
export type { HookAnswer, HookCall, HookEvent, HookEventOf, SkillLine } from './hook-event.ts';
export type { HookName } from './hook-input.ts';
export { GUARDING_EVENTS, HOOK_NAMES, hookNameOf, readHookInput } from './hook-input.ts';
export { toHookOutput } from './hook-output.ts';
export { journalHistory } from './journal-history.ts';
export type { MemoryScene, TurnMemory } from './memory/turn-memory.ts';
export type { CaptureOf, TurnHandle, TurnMemoryOptions } from './memory/turn-memory-of.ts';
export { createTurnMemory } from './memory/turn-memory-of.ts';
export type { Mode } from './mode.ts';
export { isMode, MODES } from './mode.ts';
export type { CallReading, ReadingOptions } from './read-call.ts';
export { conceptOfTool, readCall } from './read-call.ts';
export type { SessionState } from './session-state.ts';
export { openObligations } from './session-state.ts';
export type { KeptSession, SeenHashes, SessionKey, SessionStep, SessionStore, Told } from './session-store.ts';
export { CLAUDE_STREAM, createMemorySessionStore, joinSeen, keyOf } from './session-store.ts';
export type { ClaimVerifier, ClaudeOptions, SubagentRights } from './settings.ts';
export type { ExtractorRule, NormalizerRule } from './text-rules.ts';
export { textRules } from './text-rules.ts';
export type { ToolEffect, ToolRule } from './tool-rule.ts';
export { findRule, matchesTool } from './tool-rule.ts';
export { DEFAULT_TOOLS } from './tool-table.ts';
export type {
  ClaudeQuestion,
  ClaudeWorkspace,
  WarrantCanUseTool,
  WarrantHook,
  WarrantHookMatcher,
  WarrantHooks,
  WarrantHooksOptions,
} from './warrant-hooks.ts';
export { warrantHooks } from './warrant-hooks.ts';
