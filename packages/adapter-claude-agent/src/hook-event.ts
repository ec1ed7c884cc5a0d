import type { Json, JsonObject } from '@warrant/core';

/** A tool call as the client names it. */
export type HookCall = {
  /** The client's id of the call; null from clients that give none. */
  readonly id: string | null;
  readonly tool: string;
  readonly arguments: JsonObject;
};

/** Where a shell line stands that the client runs as it loads a text, before the model sees it. */
export type SkillLine = {
  readonly name: string;
  /** A person called the skill: the model does nothing while it is loaded. */
  readonly typed: boolean;
};

type Common = {
  readonly session: string;
  /** The working directory at the time of the event. */
  readonly directory: string;
  /** Id of the subagent the event belongs to; null for the session itself. */
  readonly agent: string | null;
  /** What kind of agent it is, where the client says so. */
  readonly kind: string | null;
  /** The client's id of the prompt that is being worked on. */
  readonly prompt: string | null;
  /** File in which the client keeps the conversation. */
  readonly transcript: string | null;
  /** Which of several installed hooks was called, such as `user` and `project`. */
  readonly source: string;
};

/** One thing that the client tells, in our words. */
export type HookEvent = Common &
  (
    | { readonly type: 'session-started'; readonly how: string }
    | {
        readonly type: 'prompt-submitted';
        readonly text: string;
        /** False where the client itself, a schedule or another machine speaks. */
        readonly human: boolean;
      }
    | {
        readonly type: 'tool-starting';
        readonly call: HookCall;
        /** The skill or command in whose text the call stands; null for calls of the model. */
        readonly skill: SkillLine | null;
      }
    | {
        readonly type: 'tool-ended';
        readonly call: HookCall;
        readonly outcome: 'ok' | 'error';
        readonly result: Json;
        /** Id of the task that goes on in the background. */
        readonly task: string | null;
      }
    | { readonly type: 'batch-ended'; readonly calls: readonly { readonly call: HookCall; readonly result: Json }[] }
    | {
        readonly type: 'permission-asked' | 'permission-denied';
        readonly call: HookCall;
        readonly reason: string | null;
      }
    | {
        readonly type: 'stopping' | 'subagent-stopping';
        readonly message: string | null;
        /** True when a hook has refused the end of this turn before. */
        readonly again: boolean;
        /** Tasks that still run in the background; null where the client does not say. */
        readonly tasks: readonly string[] | null;
      }
    | { readonly type: 'stop-failed'; readonly error: string }
    | { readonly type: 'subagent-started' }
    | { readonly type: 'compacting'; readonly trigger: string }
    | { readonly type: 'compacted'; readonly summary: string }
    | { readonly type: 'session-ended'; readonly reason: string }
    | { readonly type: 'unknown'; readonly name: string }
  );

export type HookEventOf<Type extends HookEvent['type']> = Extract<HookEvent, { readonly type: Type }>;

/** What the client is told. An empty answer leaves everything to the client's own rules. */
export type HookAnswer = {
  readonly permission?: { readonly decision: 'allow' | 'ask' | 'deny'; readonly reason: string };
  /** Why the end of a turn, or a compaction, is refused. */
  readonly block?: string;
  /** Text for the model. */
  readonly context?: string;
  /** Text for the person. */
  readonly notice?: string;
};
