import type { WarrantHooks } from '../warrant-hooks.ts';

/** What a hook answers, as the client reads it. */
export type Told = {
  readonly decision?: string;
  readonly reason?: string;
  readonly systemMessage?: string;
  readonly hookSpecificOutput?: {
    readonly permissionDecision?: string;
    readonly permissionDecisionReason?: string;
    readonly additionalContext?: string;
  };
};

/** Events of one session for tests of this package. */
export function conversation({ hooks }: Pick<WarrantHooks, 'hooks'>, common: object = {}) {
  let calls = 0;
  let prompts = 0;
  const event = async (name: keyof typeof hooks, more: object = {}): Promise<Told> => {
    const input = {
      session_id: 's',
      cwd: '/repo',
      prompt_id: `p${prompts}`,
      hook_event_name: name,
      ...common,
      ...more,
    };
    const [matcher] = hooks[name];
    return (await matcher?.hooks[0]?.(input)) as Told;
  };
  const before = (tool: string, input: object, id: string): Promise<Told> =>
    event('PreToolUse', { tool_name: tool, tool_input: input, tool_use_id: id });
  return {
    event,
    before,
    prompt: (text: string) => {
      prompts += 1;
      return event('UserPromptSubmit', { prompt: text });
    },
    run: async (tool: string, input: object, response: unknown = {}): Promise<Told> => {
      calls += 1;
      const id = `t${calls}`;
      const told = await before(tool, input, id);
      if (told.hookSpecificOutput?.permissionDecision === 'deny') return told;
      return event('PostToolUse', { tool_name: tool, tool_input: input, tool_use_id: id, tool_response: response });
    },
    fail: async (tool: string, input: object, error: string): Promise<Told> => {
      calls += 1;
      const id = `t${calls}`;
      await before(tool, input, id);
      return event('PostToolUseFailure', { tool_name: tool, tool_input: input, tool_use_id: id, error });
    },
    stop: (message: string, more: object = {}) =>
      event('Stop', { last_assistant_message: message, stop_hook_active: false, ...more }),
  };
}

export function file(content: string): object {
  return { type: 'text', file: { filePath: 'f', content } };
}
