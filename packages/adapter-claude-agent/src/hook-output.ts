import type { Json, JsonObject } from '@warrant/core';
import type { HookAnswer, HookEvent } from './hook-event.ts';
import { hookNameOf } from './hook-input.ts';

/** Events whose answer may carry text for the model. */
const TAKES_CONTEXT: ReadonlySet<HookEvent['type']> = new Set([
  'session-started',
  'prompt-submitted',
  'tool-starting',
  'tool-ended',
  'subagent-started',
]);

/** The answer as the client reads it. */
export function toHookOutput(event: HookEvent, answer: HookAnswer): JsonObject {
  const { permission, block, context, notice } = answer;
  const special: { [name: string]: Json } = {};
  if (permission !== undefined && event.type === 'tool-starting') {
    special['permissionDecision'] = permission.decision;
    special['permissionDecisionReason'] = permission.reason;
  }
  if (permission?.decision === 'allow' && event.type === 'permission-asked')
    special['decision'] = { behavior: 'allow' };
  if (context !== undefined && TAKES_CONTEXT.has(event.type)) special['additionalContext'] = context;
  return {
    ...(block === undefined ? {} : { decision: 'block', reason: block }),
    ...(notice === undefined ? {} : { systemMessage: notice }),
    ...(Object.keys(special).length === 0
      ? {}
      : { hookSpecificOutput: { hookEventName: hookNameOf(event), ...special } }),
  };
}
