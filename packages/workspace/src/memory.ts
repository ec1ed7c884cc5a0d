import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import {
  type AgentRegistry,
  type Clock,
  type Digest,
  digestBytes,
  type IdSource,
  type ProposalKind,
  type Reviewer,
  WarrantError,
} from '@warrant/core';
import { drainOutbox, type ProvenJournal } from '@warrant/journal';
import type { OpenedMemory } from '@warrant/memory/sqlite';
import type { ReviewGate, ReviewKind } from '@warrant/review-policy';
import type { WorkspacePaths } from './paths.ts';

/** Kinds of proposals that a memory carries out, by name: the queue knows them before a memory is loaded. */
const KINDS: readonly string[] = ['memory.write', 'memory.skill', 'memory.merge', 'memory.clean-up'];

type MemoryParts = {
  readonly paths: WorkspacePaths;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly journal: ProvenJournal;
  readonly agents: AgentRegistry;
  readonly readOnly: boolean;
  /** What `reviewed` made. */
  readonly reviewer: () => Reviewer;
};
/** The workspace's memory, opened when it is first asked for. @internal */
export type LazyMemory = {
  readonly open: () => Promise<OpenedMemory>;
  /** A queue that knows the memory's kinds; approving one of them opens the memory. */
  readonly reviewed: (gate: ReviewGate) => ReviewGate;
  readonly close: () => Promise<void>;
};

/** Nothing of the layer is loaded before somebody asks for it, so that a check starts no slower for it. @internal */
export function lazyMemory(parts: MemoryParts): LazyMemory {
  const kinds = new Map<string, ProposalKind>();
  let opened: Promise<OpenedMemory> | undefined;
  const open = (): Promise<OpenedMemory> => {
    opened ??= openOwn(parts, { ...parts.reviewer(), register: (kind) => fill(kinds, kind) });
    opened.catch(() => {
      opened = undefined;
    });
    return opened;
  };
  return {
    open,
    reviewed: (gate) => {
      for (const name of KINDS) gate.register(lazyKind(name, () => kindOf(kinds, name, open)));
      const register = (kind: ReviewKind): void => {
        if (!KINDS.includes(kind.kind) || kinds.has(kind.kind)) gate.register(kind);
        else kinds.set(kind.kind, kind);
      };
      return { ...gate, register };
    },
    close: async () => {
      if (opened === undefined) return;
      await (await opened).close();
    },
  };
}

/** Whoever opened a memory on this queue by hand keeps its kinds. */
function fill(kinds: Map<string, ProposalKind>, kind: ProposalKind): void {
  if (!kinds.has(kind.kind)) kinds.set(kind.kind, kind);
}

async function kindOf(
  kinds: ReadonlyMap<string, ProposalKind>,
  name: string,
  open: () => Promise<unknown>,
): Promise<ProposalKind> {
  if (!kinds.has(name)) await open();
  const kind = kinds.get(name);
  if (kind !== undefined) return kind;
  throw new WarrantError('WORKSPACE_IO', `the memory carries out no proposals of the kind ${name}`, {
    data: { kind: name },
  });
}

/** Proposals of a memory name no evidence and no confidence, so that these need no memory. */
function lazyKind(name: string, find: () => Promise<ProposalKind>): ProposalKind {
  return {
    kind: name,
    check: async (payload, options) => (await find()).check(payload, options),
    evidence: () => null,
    confidence: () => null,
    apply: async (proposal, approval) => (await find()).apply(proposal, approval),
  };
}

async function openOwn(parts: MemoryParts, reviewer: Reviewer): Promise<OpenedMemory> {
  const { paths, clock, ids, journal, agents, readOnly } = parts;
  const { openMemory } = await import('@warrant/memory/sqlite');
  const { loadSettings } = await import('@warrant/memory/files');
  const memory = openMemory({
    folder: paths.memory,
    ...loadSettings(paths.memory),
    reviewer,
    agents,
    clock,
    ids,
    fileDigest: (path) => fileDigest(resolve(paths.directory, path)),
    ...(readOnly ? { sqlite: { readOnly } } : { journal }),
  });
  // What a crashed process left.
  if (!readOnly) await drainOutbox(memory.outbox, journal);
  return memory;
}

async function fileDigest(path: string): Promise<Digest | null> {
  try {
    return digestBytes(await readFile(path));
  } catch {
    // A file that cannot be read says no more than one that is gone.
    return null;
  }
}
