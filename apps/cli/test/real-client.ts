import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The version that the stories were seen with. */
export const PINNED = '0.3.332';

/** The folder that holds the SDK and its command line; installed into a cache outside of this repository the first time. */
export function claudeFolder(): string {
  const given = process.env['WARRANT_CLAUDE_SDK'];
  if (given !== undefined) return given;
  const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'warrant', `claude-${PINNED}`);
  if (existsSync(join(cache, 'node_modules/@anthropic-ai/claude-agent-sdk/package.json'))) return cache;
  mkdirSync(cache, { recursive: true });
  const packages = [`@anthropic-ai/claude-agent-sdk@${PINNED}`, 'zod@4'];
  execFileSync('npm', ['install', '--prefix', cache, '--no-audit', '--no-fund', ...packages], { stdio: 'inherit' });
  return cache;
}

/** The command line that comes with the SDK. */
export function claudeBinary(): string {
  const scope = join(claudeFolder(), 'node_modules/@anthropic-ai');
  const name = `claude-agent-sdk-${process.platform}-${process.arch}`;
  return join(scope, name, 'claude');
}

/** An environment in which the client talks to nobody but this machine. */
export function clientEnvironment(scratch: string, url: string): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: scratch,
    CLAUDE_CONFIG_DIR: join(scratch, 'claude'),
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: 'sk-ant-none',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_ERROR_REPORTING: '1',
    NO_PROXY: '127.0.0.1',
    IS_SANDBOX: '1',
  };
}

export type Ended = { readonly code: number; readonly out: string; readonly error: string };

/** One headless run of the client in a project. */
export function runClient(
  project: string,
  environment: Record<string, string>,
  words: readonly string[] = [],
): Promise<Ended> {
  const all = ['-p', 'MAIN-TASK: do what the script says', '--dangerously-skip-permissions', ...words];
  return new Promise((resolve) => {
    const child = execFile(
      claudeBinary(),
      all,
      { cwd: project, env: environment, timeout: 240_000, maxBuffer: 50_000_000 },
      (error, out, err) =>
        resolve({ code: error === null ? 0 : ((error.code as unknown as number) ?? 1), out, error: err }),
    );
    child.stdin?.end();
  });
}
