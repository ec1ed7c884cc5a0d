import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, type GraphStore, type IdSource, WarrantError } from '@warrant/core';
import type { PeerImportParts, PeerStateStore, Pin } from '@warrant/peers';
import { createBundlesFolder, createPeerStatesFile, parsePins } from '@warrant/peers/files';

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
    states: createPeerStatesFile(join(paths.folder, 'states.json')),
    bundles: createBundlesFolder(join(paths.folder, 'bundles')),
  };
}

/** @throws PEERS_PINS_INVALID with every fault and its line */
async function readPins(file: string): Promise<readonly Pin[]> {
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
