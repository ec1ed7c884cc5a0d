import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ENFORCING_VERSION } from './entries.ts';

const run = promisify(execFile);

/** The version of Claude Code on this machine, or null where there is none that answers. */
export async function clientVersion(environment: Readonly<Record<string, string | undefined>>): Promise<string | null> {
  try {
    const { stdout } = await run('claude', ['--version'], { env: environment as NodeJS.ProcessEnv, timeout: 20_000 });
    return /\d+\.\d+\.\d+/.exec(stdout)?.[0] ?? null;
  } catch {
    return null;
  }
}

/** True for versions that refuse a call when its hook fails. */
export function canEnforce(version: string): boolean {
  const parts = version.split('.').map((part) => Number.parseInt(part, 10));
  for (const [index, least] of ENFORCING_VERSION.entries()) {
    const part = parts[index] ?? 0;
    if (part !== least) return part > least;
  }
  return true;
}
