import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Mode } from '@warrant/adapter-claude-agent';
import { openSdkHooks, ran } from './claude-client.ts';
import { claudeBinary, claudeFolder, clientEnvironment } from './real-client.ts';
import { type Asked, type Saying, startScriptedApi, toolResults } from './scripted-api.ts';

export type PlayOptions = {
  readonly mode?: Mode;
  /** What the person says, one after the other turn has ended. */
  readonly prompts?: readonly string[];
  readonly environment?: Record<string, string>;
  /** Whether the SDK reads what lies in the project, such as its skills; the command line always does. */
  readonly reads?: boolean;
};
export type Played = {
  /** What the model was told about its calls, in order. */
  readonly results: readonly string[];
  readonly asked: readonly Asked[];
  /** The last text of each turn. */
  readonly ends: readonly string[];
};
/** Somebody who plays a script with the real client. */
export type Player = {
  readonly name: string;
  readonly play: (directory: string, script: readonly Saying[], options?: PlayOptions) => Promise<Played>;
};

const SERVER = fileURLToPath(new URL('tool-server.mjs', import.meta.url));
const servers = { desk: { type: 'stdio' as const, command: process.execPath, args: [SERVER] } };

/** This program as the settings call it; `WARRANT_HOOK_COMMAND` names a built one, which starts sooner. */
export function hookCommand(): string {
  const given = process.env['WARRANT_HOOK_COMMAND'];
  if (given !== undefined) return given;
  const root = fileURLToPath(new URL('../../..', import.meta.url));
  const loader = join(root, 'node_modules/tsx/dist/loader.mjs');
  return `"${process.execPath}" --import "${loader}" --conditions=@warrant/source "${join(root, 'apps/cli/src/bin/warrant.ts')}"`;
}

/** The command line of the client with the command hook in its settings. */
export const commandPlayer: Player = {
  name: 'the command hook',
  play: (directory, script, { mode = 'enforce', prompts = ['Do what the script says.'], environment = {} } = {}) =>
    withApi(script, async (url, scratch) => {
      const how = ['--mode', mode, '--client-version', '2.1.332', '--command', hookCommand()];
      await ran(directory, ['hook', 'install', ...how]);
      const words = ['-p', '--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose'];
      const tools = ['--mcp-config', JSON.stringify({ mcpServers: servers }), '--strict-mcp-config'];
      const child = spawn(claudeBinary(), [...words, ...tools, '--dangerously-skip-permissions'], {
        cwd: directory,
        env: { ...clientEnvironment(scratch, url), ...environment },
        stdio: ['pipe', 'pipe', 'ignore'],
        timeout: 240_000,
      });
      const waiting = [...prompts];
      const say = (): void => {
        const content = waiting.shift();
        if (content === undefined) child.stdin.end();
        else child.stdin.write(`${JSON.stringify({ type: 'user', message: { role: 'user', content } })}\n`);
      };
      say();
      const ends: string[] = [];
      for await (const line of createInterface({ input: child.stdout })) {
        const message = JSON.parse(line) as { readonly type: string; readonly result?: string };
        if (message.type !== 'result') continue;
        ends.push(message.result ?? '');
        say();
      }
      return ends;
    }),
};

type Query = (call: { readonly prompt: AsyncIterable<object>; readonly options: object }) => AsyncIterable<{
  readonly type: string;
  readonly result?: string;
}>;

/** The SDK with the hooks of the adapter. */
export const sdkPlayer: Player = {
  name: 'the SDK adapter',
  play: (
    directory,
    script,
    { mode = 'enforce', prompts = ['Do what the script says.'], environment = {}, reads = false } = {},
  ) =>
    withApi(script, async (url, scratch) => {
      const sdk = join(claudeFolder(), 'node_modules/@anthropic-ai/claude-agent-sdk/sdk.mjs');
      const { query } = (await import(pathToFileURL(sdk).href)) as { readonly query: Query };
      const { hooks, close } = await openSdkHooks(directory, mode);
      const ends: string[] = [];
      let next = (): void => undefined;
      async function* said(): AsyncGenerator<object> {
        for (const content of prompts) {
          const ended = new Promise<void>((done) => {
            next = done;
          });
          yield { type: 'user', message: { role: 'user', content }, parent_tool_use_id: null, session_id: '' };
          await ended;
        }
      }
      try {
        const options = {
          cwd: directory,
          env: { ...clientEnvironment(scratch, url), ...environment },
          settingSources: reads ? ['project'] : [],
          mcpServers: servers,
          permissionMode: 'bypassPermissions',
          allowDangerouslySkipPermissions: true,
          hooks,
        };
        for await (const message of query({ prompt: said(), options })) {
          if (message.type !== 'result') continue;
          ends.push(message.result ?? '');
          next();
        }
      } finally {
        await close();
      }
      return ends;
    }),
};

async function withApi(
  script: readonly Saying[],
  work: (url: string, scratch: string) => Promise<readonly string[]>,
): Promise<Played> {
  const api = await startScriptedApi(script);
  try {
    const ends = await work(api.url, mkdtempSync(join(tmpdir(), 'warrant-client-')));
    return { results: toolResults(api.asked.at(-1)), asked: api.asked, ends };
  } finally {
    api.close();
  }
}
