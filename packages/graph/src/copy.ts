import {
  type Cancel,
  type Digest,
  digest,
  digestBytes,
  type GraphChange,
  type GraphStore,
  type Primitive,
  type Reason,
} from '@warrant/core';

/** What came of a copy. Metrics and the ids of batches are not part of a graph and stay behind. */
export type GraphCopied =
  /** The digest is that of both graphs. */
  | { readonly type: 'copied'; readonly concepts: number; readonly digest: Digest }
  /** Nothing had to be written. */
  | { readonly type: 'same'; readonly concepts: number; readonly digest: Digest }
  /** The target holds concepts that the source does not have like that; some of their names. */
  | { readonly type: 'occupied'; readonly names: readonly string[] }
  /** The source changed while it was copied; another copy goes on from here. */
  | { readonly type: 'moved' }
  | { readonly type: 'refused'; readonly reasons: readonly Reason[] }
  /** The target does not hold what was written. */
  | { readonly type: 'different'; readonly source: Digest; readonly target: Digest };

/** Options of {@link copyGraph}. */
export type CopyOptions = Cancel & {
  /** Concepts of one batch, where a graph takes several; up to twice as many go in one. @default 5000 */
  readonly perBatch?: number;
};

const PER_BATCH = 5000;
const MAX_NAMES = 10;

/** Names the whole content of a graph, ids and provenance included, whatever store holds it. */
export async function graphDigest(store: Pick<GraphStore, 'primitives'>, options: Cancel = {}): Promise<Digest> {
  return digestOfAll([...(await digestsOf(store, options)).values()]);
}

/**
 * Writes every concept of one graph into another, empty one, and compares the digests of both. Up to 10,000 concepts go
 * in one batch; more go in several: a copy that was interrupted then leaves a part, which another copy completes.
 * @throws what either store throws
 */
export async function copyGraph(from: GraphStore, to: GraphStore, options: CopyOptions = {}): Promise<GraphCopied> {
  const before = await from.version();
  const source = await digestsOf(from, options);
  const held = await digestsOf(to, options);
  const names = await othersIn(from, to, { source, held });
  if (names.length > 0) return { type: 'occupied', names };
  const missing = [...source].filter(([id, one]) => held.get(id) !== one).length;
  const reasons = missing === 0 ? null : await write(from, to, { source, held, options });
  if (reasons !== null) return { type: 'refused', reasons };
  const after = await from.version();
  if (after.epoch !== before.epoch || after.revision !== before.revision) return { type: 'moved' };
  const [left, right] = [digestOfAll([...source.values()]), await graphDigest(to, options)];
  if (left !== right) return { type: 'different', source: left, target: right };
  return { type: missing === 0 ? 'same' : 'copied', concepts: source.size, digest: left };
}

type Digests = ReadonlyMap<string, Digest>;
type Both = { readonly source: Digests; readonly held: Digests };

async function digestsOf(store: Pick<GraphStore, 'primitives'>, options: Cancel): Promise<Digests> {
  const digests = new Map<string, Digest>();
  for await (const primitive of store.primitives(options)) digests.set(primitive.id, digest(primitive));
  return digests;
}

function digestOfAll(digests: readonly Digest[]): Digest {
  return digestBytes([...digests].sort().join('\n'));
}

/** Names of concepts in the target that are neither the source's nor what an interrupted copy left of it. */
async function othersIn(from: GraphStore, to: GraphStore, { source, held }: Both): Promise<readonly string[]> {
  const unlike = new Set([...held].filter(([id, one]) => source.get(id) !== one).map(([id]) => id));
  if (unlike.size === 0) return [];
  for await (const primitive of from.primitives()) {
    if (held.get(primitive.id) === digest(bare(primitive))) unlike.delete(primitive.id);
  }
  const names: string[] = [];
  if (unlike.size === 0) return names;
  for await (const { id, name } of to.primitives()) {
    if (unlike.has(id) && names.push(name) === MAX_NAMES) break;
  }
  return names;
}

/** Without relata, which can only be written where their targets are. */
function bare(primitive: Primitive): Primitive {
  return { ...primitive, depths: primitive.depths.map((depth) => ({ ...depth, relata: [] })) };
}

async function write(
  from: GraphStore,
  to: GraphStore,
  { source, held, options }: Both & { readonly options: CopyOptions },
): Promise<readonly Reason[] | null> {
  const isMissing = (primitive: Primitive): boolean => held.get(primitive.id) !== source.get(primitive.id);
  const size = options.perBatch ?? PER_BATCH;
  if (source.size <= 2 * size) return writePass(from, to, { take: isMissing, shape: same, size: 2 * size, options });
  const isAbsent = (primitive: Primitive): boolean => !held.has(primitive.id);
  return (
    (await writePass(from, to, { take: isAbsent, shape: bare, size, options })) ??
    (await writePass(from, to, { take: isMissing, shape: same, size, options }))
  );
}

function same(primitive: Primitive): Primitive {
  return primitive;
}

type Pass = {
  readonly take: (primitive: Primitive) => boolean;
  readonly shape: (primitive: Primitive) => Primitive;
  readonly size: number;
  readonly options: Cancel;
};

/** @returns the reasons of a refusal, or null */
async function writePass(
  from: GraphStore,
  to: GraphStore,
  { take, shape, size, options }: Pass,
): Promise<readonly Reason[] | null> {
  let part: GraphChange[] = [];
  const send = async (): Promise<readonly Reason[] | null> => {
    if (part.length === 0) return null;
    const changes = part;
    part = [];
    // Named by its content, so that trying again does no harm.
    const id = `copy-${digest(changes.map((change) => digest(change)))}-${(await to.version()).revision}`;
    const applied = await to.apply(changes, { id, expected: 'any', ...options });
    return applied.type === 'refused' ? applied.reasons : null;
  };
  for await (const primitive of from.primitives(options)) {
    if (!take(primitive)) continue;
    part.push({ type: 'put-primitive', primitive: shape(primitive) });
    if (part.length < size) continue;
    const reasons = await send();
    if (reasons !== null) return reasons;
  }
  return send();
}
