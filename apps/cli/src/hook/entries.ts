import { GUARDING_EVENTS, HOOK_NAMES, type HookName, type Mode } from '@warrant/adapter-claude-agent';

/** What is called where no other command is named. */
export const DEFAULT_COMMAND = 'warrant';
/** By these words an entry is known as one of ours. */
const CALL = 'hook claude-code';

/** The oldest Claude Code that refuses a call when its hook fails. */
export const ENFORCING_VERSION = [2, 1, 295] as const;

export type HookEntry = {
  readonly type: 'command';
  readonly command: string;
  readonly timeout?: number;
  readonly onFailure?: 'block';
};
export type EntryOptions = {
  readonly mode: Mode;
  /** Where the settings lie: two hooks of one client are told apart by it. */
  readonly from: 'project' | 'user' | 'local';
  readonly command: string;
  /** Longest time for one answer, in seconds. */
  readonly timeout: number;
};

/** The entries of a mode, by event. */
export function hookEntries(options: EntryOptions): readonly { readonly event: HookName; readonly entry: HookEntry }[] {
  const command = `${options.command} ${CALL} --mode ${options.mode} --from ${options.from}`;
  return HOOK_NAMES.map((event) => {
    const guards = options.mode === 'enforce' && GUARDING_EVENTS.has(event);
    return {
      event,
      entry: { type: 'command', command, timeout: options.timeout, ...(guards ? { onFailure: 'block' } : {}) },
    };
  });
}

/** What one of our entries says, or null for others'. */
export function readEntry(value: unknown): { readonly mode: string | null; readonly entry: HookEntry } | null {
  if (typeof value !== 'object' || value === null) return null;
  const entry = value as { readonly type?: unknown; readonly command?: unknown };
  if (entry.type !== 'command' || typeof entry.command !== 'string' || !entry.command.includes(CALL)) return null;
  return { mode: /--mode (\S+)/.exec(entry.command)?.[1] ?? null, entry: value as HookEntry };
}
