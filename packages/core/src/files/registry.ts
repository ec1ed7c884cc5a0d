import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type Clock, isoTime, systemClock } from '../clock.ts';
import { WarrantError } from '../error.ts';
import { createIdSource, type IdSource } from '../ids.ts';
import type { ActorKey } from '../json.ts';
import { type Agent, type AgentRegistry, checkAgentKey } from '../registry.ts';
import { asFileError, isTemporaryOf, writeFileAtomic } from './atomic.ts';
import { offsetOfJsonFault } from './json-fault.ts';
import { withFileLock } from './lock.ts';

export type FileAgentRegistryOptions = {
  /** @default systemClock */
  readonly clock?: Clock;
  /** @default createIdSource() */
  readonly ids?: IdSource;
  /** Longest wait for other processes that register; milliseconds. @default 10_000 */
  readonly lockTimeoutMs?: number;
};

const FORMAT = 'warrant.agents/1';

/**
 * A registry in one JSON file, beside it its lock. A key that is known is read without locking; a new one is written
 * under the lock, replacing the file as a whole: a process killed at any moment leaves the agents that were there.
 */
export function createFileAgentRegistry(path: string, options: FileAgentRegistryOptions = {}): AgentRegistry {
  const clock = options.clock ?? systemClock;
  const ids = options.ids ?? createIdSource({ clock });
  const lock = options.lockTimeoutMs === undefined ? {} : { timeoutMs: options.lockTimeoutMs };
  const find = async (key: ActorKey): Promise<Agent | undefined> =>
    (await readAgents(path)).find((agent) => agent.key === key);
  return {
    register: async (key, cancel) => {
      cancel?.signal?.throwIfAborted();
      checkAgentKey(key);
      const known = await find(key);
      if (known !== undefined) return known;
      await asFileError(path, () => mkdir(dirname(path), { recursive: true }));
      return withFileLock(
        `${path}.lock`,
        async () => {
          const agents = await readAgents(path);
          const present = agents.find((agent) => agent.key === key);
          if (present !== undefined) return present;
          const agent: Agent = { key, id: ids.next(), registeredAt: isoTime(clock) };
          await clearUnfinished(path);
          await writeFileAtomic(path, print([...agents, agent]));
          return agent;
        },
        { ...lock, ...cancel },
      );
    },
    find,
    list: () => readAgents(path),
  };
}

function print(agents: readonly Agent[]): string {
  return `${JSON.stringify({ format: FORMAT, agents }, null, 2)}\n`;
}

/** The lock's holder is the only writer: what lies about unfinished was left by the dead. */
async function clearUnfinished(path: string): Promise<void> {
  const directory = dirname(path);
  for (const name of await readdir(directory)) {
    if (isTemporaryOf(name, basename(path))) await rm(join(directory, name), { force: true });
  }
}

async function readAgents(path: string): Promise<readonly Agent[]> {
  const text = await asFileError(path, () => readText(path));
  return text === undefined ? [] : parseAgents(text, path);
}

async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** @throws AGENTS_FILE_CORRUPT with the line of broken JSON, or the pointer to what does not belong. */
function parseAgents(text: string, path: string): readonly Agent[] {
  const document = parseJson(text, path) as { readonly format?: unknown; readonly agents?: unknown } | null;
  if (typeof document !== 'object' || document?.format !== FORMAT) throw corrupt(path, { pointer: '/format' });
  if (!Array.isArray(document.agents)) throw corrupt(path, { pointer: '/agents' });
  const seen = new Set<string>();
  document.agents.forEach((agent: unknown, index) => {
    const { key, id, registeredAt } = (agent ?? {}) as { readonly [name: string]: unknown };
    for (const [name, value] of Object.entries({ key, id, registeredAt })) {
      if (typeof value !== 'string' || value === '') throw corrupt(path, { pointer: `/agents/${index}/${name}` });
    }
    for (const unique of [`key ${String(key)}`, `id ${String(id)}`]) {
      if (seen.has(unique))
        throw corrupt(path, { pointer: `/agents/${index}`, repeated: unique.split(' ')[0] as string });
      seen.add(unique);
    }
  });
  return document.agents as readonly Agent[];
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const before = text.slice(0, offsetOfJsonFault(text)).split('\n');
    throw corrupt(path, { line: before.length, column: (before.at(-1) as string).length + 1 }, cause);
  }
}

function corrupt(
  path: string,
  place: { readonly [name: string]: string | number },
  cause?: unknown,
): WarrantError<'AGENTS_FILE_CORRUPT'> {
  const where = 'line' in place ? `line ${place['line']}` : String(place['pointer']);
  return new WarrantError('AGENTS_FILE_CORRUPT', `the list of agents is damaged at ${where}: ${path}`, {
    data: { path, ...place },
    cause,
  });
}
