import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, type GraphStore, type IdSource, WarrantError } from '@warrant/core';
import type { BundleStore, PeerImportParts, PeerStateStore, Pin } from '@warrant/peers';

/** Where what belongs to peers lies in a workspace. */
export type PeerPaths = {
  /** The pin file, which people read and keep under version control. */
  readonly pins: string;
  readonly folder: string;
  /** The key of this workspace as a publisher; it never leaves this machine. */
  readonly key: string;
};
export type WorkspacePeers = PeerImportParts & { readonly paths: PeerPaths; readonly states: PeerStateStore };

/** Everything that imports from peers need, from files of the workspace. */
export function workspacePeers(parts: {
  readonly folder: string;
  readonly graph: GraphStore;
  readonly clock: Clock;
  readonly ids: IdSource;
}): WorkspacePeers {
  const { folder, ...rest } = parts;
  const paths = {
    pins: join(folder, 'peers.yaml'),
    folder: join(folder, 'peers'),
    key: join(folder, 'peers', 'key.json'),
  };
  return {
    ...rest,
    paths,
    pins: () => readPins(paths.pins),
    states: statesIn(join(paths.folder, 'states.json')),
    bundles: bundlesIn(join(paths.folder, 'bundles')),
  };
}

/** What reads these files brings a parser with it, and few runs have to do with peers. */
function statesIn(file: string): PeerStateStore {
  const states = once(async () => (await import('@warrant/peers/files')).createPeerStatesFile(file));
  return {
    read: async () => (await states()).read(),
    write: async (key, state) => (await states()).write(key, state),
    exclusively: async (work) => (await states()).exclusively(work),
  };
}

function bundlesIn(folder: string): BundleStore {
  const bundles = once(async () => (await import('@warrant/peers/files')).createBundlesFolder(folder));
  return {
    put: async (bundle, text) => (await bundles()).put(bundle, text),
    get: async (bundle) => (await bundles()).get(bundle),
  };
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}

/** @throws PEERS_PINS_INVALID with every fault and its line */
async function readPins(file: string): Promise<readonly Pin[]> {
  const { parsePins } = await import('@warrant/peers/files');
  const parsed = parsePins({ file, text: await textOf(file) });
  if (parsed.type === 'pins') return parsed.pins;
  const { formatFault } = await import('@warrant/core/documents');
  const message = parsed.faults[0] === undefined ? file : formatFault(parsed.faults[0]);
  throw new WarrantError('PEERS_PINS_INVALID', message, { data: { faults: parsed.faults } });
}

/** Nobody is pinned where there is no file. */
async function textOf(file: string): Promise<string | Uint8Array> {
  try {
    return await readFile(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}
