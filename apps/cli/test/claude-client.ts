import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTurnMemory, type Mode, type WarrantHooks, warrantHooks } from '@warrant/adapter-claude-agent';
import { drainOutbox } from '@warrant/journal';
import { openMemory } from '@warrant/memory/sqlite';
import { openWorkspace, shellOptions } from '@warrant/workspace';
import { runHook } from '../src/hook/run-hook.ts';
import { runWarrant } from './warrant.ts';

/** What a client is told, as it reads it. */
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
export type Send = (input: Readonly<Record<string, unknown>>) => Promise<Told>;
export type Started = { readonly send: Send; readonly close: () => Promise<void> };
export type StartOptions = { readonly mode?: Mode; readonly source?: string };
export type Client = {
  readonly name: string;
  readonly start: (directory: string, options?: StartOptions) => Promise<Started>;
};

/** The command hook: each event opens the workspace anew, as a process of its own would. */
export const commandHook: Client = {
  name: 'the command hook',
  start: async (directory, { mode = 'enforce', source = 'project' } = {}) => ({
    send: async (input) => {
      const environment = { CLAUDE_PROJECT_DIR: directory };
      const ended = await runHook({ input: JSON.stringify(input), mode, source, environment });
      if (ended.code !== 0) throw new Error(ended.error);
      return JSON.parse(ended.out) as Told;
    },
    close: async () => undefined,
  }),
};

export type OpenedHooks = { readonly hooks: WarrantHooks['hooks']; readonly close: () => Promise<void> };

/** The hooks of the SDK over one open workspace, wired by hand as a program of one's own would. */
export async function openSdkHooks(directory: string, mode: Mode): Promise<OpenedHooks> {
  const workspace = await openWorkspace({ directory, create: false });
  const { claude } = workspace.config;
  const memory = claude.memory ? openMemory({ folder: join(workspace.paths.folder, 'memory') }) : undefined;
  const { hooks } = warrantHooks({
    workspace,
    mode,
    ask: claude.ask,
    askTimeoutMs: claude.askSeconds * 1000,
    tools: claude.tools as never,
    shell: await shellOptions(workspace.paths, workspace.config),
    ...(memory === undefined ? {} : { memory: createTurnMemory((agent) => memory.agent(agent)) }),
  });
  return {
    hooks,
    close: async () => {
      if (memory !== undefined) {
        await memory.settle();
        await drainOutbox(memory.outbox, workspace.journal);
        await memory.close();
      }
      await workspace.close();
    },
  };
}

/** The SDK's hooks over one open workspace. */
export const sdkHooks: Client = {
  name: 'the SDK adapter',
  start: async (directory, { mode = 'enforce' } = {}) => {
    const { hooks, close } = await openSdkHooks(directory, mode);
    return {
      send: async (input) => {
        const [matcher] = hooks[input['hook_event_name'] as keyof typeof hooks];
        const [hook] = matcher?.hooks ?? [];
        if (hook === undefined) throw new Error('no such hook');
        return (await hook(input, input['tool_use_id'] as string | undefined, {})) as Told;
      },
      close,
    };
  },
};

export type ProjectOptions = { readonly policies?: string; readonly claude?: string; readonly graph?: string };

/** A project with a workspace that knows files, git and the shell. */
export async function project(options: ProjectOptions = {}): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'warrant-claude-'));
  mkdirSync(join(directory, '.warrant'));
  const files = options.policies === undefined ? '[]' : '[policies.yaml]';
  const claude = options.claude === undefined ? '' : `claude:\n${options.claude}\n`;
  const settings = `format: warrant.workspace/1\npolicy:\n  files: ${files}\njournal:\n  synchronous: normal\ntraces:\n  enabled: false\n${claude}`;
  writeFileSync(join(directory, '.warrant/warrant.yaml'), settings);
  if (options.policies !== undefined) writeFileSync(join(directory, '.warrant/policies.yaml'), options.policies);
  await ran(directory, ['init']);
  await ran(directory, ['graph', 'seed', 'filesystem', 'git', 'shell']);
  if (options.graph !== undefined) {
    writeFileSync(join(directory, 'graph.yaml'), options.graph);
    await ran(directory, ['graph', 'import', 'graph.yaml']);
  }
  return directory;
}

/** Runs a command that has to succeed, and gives what it printed. */
export async function ran(directory: string, words: readonly string[]): Promise<string> {
  const { code, out, error } = await runWarrant(directory, words);
  if (code !== 0) throw new Error(`warrant ${words.join(' ')} ended with ${code}: ${error}${out}`);
  return out;
}

/** Events of one session, one after the other. */
export class Conversation {
  private readonly sendInput: Send;
  private readonly common: Readonly<Record<string, unknown>>;
  private calls = 0;
  private prompts = 0;

  constructor(send: Send, directory: string, more: Readonly<Record<string, unknown>> = {}) {
    this.sendInput = send;
    this.common = {
      session_id: 'session-1',
      cwd: directory,
      transcript_path: join(directory, 'transcript.jsonl'),
      ...more,
    };
  }

  event(name: string, more: Readonly<Record<string, unknown>> = {}): Promise<Told> {
    return this.sendInput({ ...this.common, prompt_id: `prompt-${this.prompts}`, hook_event_name: name, ...more });
  }

  prompt(text: string): Promise<Told> {
    this.prompts += 1;
    return this.event('UserPromptSubmit', { prompt: text });
  }

  /** Asks before a call; `run` tells its end as well when nobody refused it. */
  before(tool: string, input: object, id = this.nextId()): Promise<Told> {
    return this.event('PreToolUse', { tool_name: tool, tool_input: input, tool_use_id: id });
  }

  after(tool: string, input: object, response: unknown, id: string): Promise<Told> {
    return this.event('PostToolUse', {
      tool_name: tool,
      tool_input: input,
      tool_use_id: id,
      tool_response: response,
    });
  }

  async run(tool: string, input: object, response: unknown, how: 'ok' | 'error' = 'ok'): Promise<Told> {
    const id = this.nextId();
    const told = await this.before(tool, input, id);
    const decision = told.hookSpecificOutput?.permissionDecision;
    if (decision === 'deny') return told;
    const common = { tool_name: tool, tool_input: input, tool_use_id: id };
    if (how === 'ok') await this.after(tool, input, response, id);
    else await this.event('PostToolUseFailure', { ...common, error: response });
    return told;
  }

  stop(message: string, more: Readonly<Record<string, unknown>> = {}): Promise<Told> {
    return this.event('Stop', { last_assistant_message: message, stop_hook_active: false, ...more });
  }

  nextId(): string {
    this.calls += 1;
    return `toolu_${this.calls}`;
  }
}

export function decisionOf(told: Told): string | undefined {
  return told.hookSpecificOutput?.permissionDecision;
}

export function readResult(path: string, content: string): object {
  return { type: 'text', file: { filePath: path, content, numLines: 1, startLine: 1, totalLines: 1 } };
}

export function bashResult(stdout: string): object {
  return { stdout, stderr: '', interrupted: false, isImage: false };
}
