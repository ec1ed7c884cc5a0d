import { open, readFile } from 'node:fs/promises';
import { isWellFormed, WarrantError } from '@warrant/core';
import { withFileLock, writeFileAtomic } from '@warrant/core/files';
import { generatePeerKeys, type PeerKeys, publicKeyOf } from '../keys.ts';

const FORMAT = 'warrant.peer-key/1';

/** Who publishes from here, and the sequence of the last bundle. */
export type OwnKey = PeerKeys & { readonly name: string; readonly sequence: number };

/** Makes keys in a file that only its owner can read. @throws PEERS_KEY_EXISTS rather than replacing one */
export async function createOwnKey(file: string, name: string): Promise<OwnKey> {
  if (name === '' || name.length > 512 || !isWellFormed(name))
    throw new WarrantError('PEERS_KEY_INVALID', 'a publisher has a name of 1 to 512 characters');
  const own: OwnKey = { name, sequence: 0, ...generatePeerKeys() };
  try {
    const handle = await open(file, 'wx', 0o600);
    try {
      await handle.writeFile(textOf(own));
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
    throw new WarrantError('PEERS_KEY_EXISTS', `${file} holds a key already`, { data: { file }, cause });
  }
  return own;
}

/** @throws PEERS_KEY_MISSING, PEERS_KEY_INVALID */
export async function readOwnKey(file: string): Promise<OwnKey> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (cause) {
    throw new WarrantError('PEERS_KEY_MISSING', `there is no key at ${file}`, { data: { file }, cause });
  }
  const own = parse(text);
  if (own === undefined) throw new WarrantError('PEERS_KEY_INVALID', `${file} holds no key`, { data: { file } });
  return own;
}

/** Hands out the next sequence, so that no two bundles of a key ever have the same. */
export async function nextSequence(file: string): Promise<OwnKey> {
  return withFileLock(`${file}.lock`, async () => {
    const own = await readOwnKey(file);
    const next = { ...own, sequence: own.sequence + 1 };
    await writeFileAtomic(file, textOf(next), { mode: 0o600 });
    return next;
  });
}

function textOf(own: OwnKey): string {
  return `${JSON.stringify({ format: FORMAT, ...own }, null, 2)}\n`;
}

function parse(text: string): OwnKey | undefined {
  try {
    const { format, name, sequence, publicKey, privateKey } = JSON.parse(text) as Partial<OwnKey> & {
      format?: unknown;
    };
    if (format !== FORMAT || typeof name !== 'string' || typeof privateKey !== 'string') return undefined;
    if (!Number.isSafeInteger(sequence) || publicKeyOf(privateKey) !== publicKey) return undefined;
    return { name, sequence: sequence as number, publicKey, privateKey };
  } catch {
    return undefined;
  }
}
