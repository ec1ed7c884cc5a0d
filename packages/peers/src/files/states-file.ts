import { readFile } from 'node:fs/promises';
import { type Digest, WarrantError } from '@warrant/core';
import { withFileLock, writeFileAtomic } from '@warrant/core/files';
import type { PeerState, PeerStates } from '../pins.ts';
import type { PeerStateStore } from '../state-store.ts';

const FORMAT = 'warrant.peer-states/1';

/**
 * Remembers in a file, beside which lies its lock.
 * @throws PEERS_FILE_CORRUPT when it is none of ours; nothing is imported then
 */
export function createPeerStatesFile(file: string): PeerStateStore {
  const read = async (): Promise<PeerStates> => parse(await readText(file), file);
  return {
    read,
    write: async (key, state) => {
      const peers = { ...(await read()), [key]: state };
      await writeFileAtomic(file, `${JSON.stringify({ format: FORMAT, peers }, null, 2)}\n`, { mode: 0o600 });
    },
    exclusively: (work) => withFileLock(`${file}.lock`, work, { timeoutMs: 60_000 }),
  };
}

async function readText(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new WarrantError('PEERS_FILE_CORRUPT', `${file} cannot be read`, { data: { file }, cause });
  }
}

function parse(text: string | undefined, file: string): PeerStates {
  if (text === undefined) return {};
  try {
    const { format, peers } = JSON.parse(text) as { readonly format: unknown; readonly peers: unknown };
    if (format === FORMAT && isStates(peers)) return peers;
  } catch {
    // Told below.
  }
  throw new WarrantError('PEERS_FILE_CORRUPT', `${file} does not remember peers`, { data: { file } });
}

function isStates(value: unknown): value is PeerStates {
  return typeof value === 'object' && value !== null && Object.values(value).every(isState);
}

function isState(value: unknown): value is PeerState {
  if (typeof value !== 'object' || value === null) return false;
  const { peer, sequence, bundle, pin, importedAt, revokedAt } = value as Partial<PeerState>;
  return (
    typeof peer === 'string' &&
    Number.isSafeInteger(sequence) &&
    isDigest(bundle) &&
    isDigest(pin) &&
    typeof importedAt === 'string' &&
    (revokedAt === null || typeof revokedAt === 'string')
  );
}

function isDigest(value: unknown): value is Digest {
  return typeof value === 'string' && /^sha256:[0-9a-f]{64}$/.test(value);
}
