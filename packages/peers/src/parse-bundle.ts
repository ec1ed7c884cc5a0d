import {
  canonicalJson,
  type DepthLevel,
  type Digest,
  digest,
  foldName,
  isWellFormed,
  type Json,
  type JsonObject,
  type Reason,
  type RelationType,
} from '@warrant/core';
import {
  BUNDLE_FORMAT,
  BUNDLE_LIMITS,
  type Bundle,
  type BundleLevel,
  type BundleManifest,
  type BundlePrimitive,
  type BundleRelatum,
} from './format.ts';
import { type PeerReasonCode, quote, reason } from './reasons.ts';

/** A bundle that is what its own digests say; who signed it is another question. */
export type ParsedBundle =
  | { readonly type: 'bundle'; readonly bundle: Bundle; readonly digest: Digest }
  | { readonly type: 'refused'; readonly reasons: readonly Reason[] };

const RELATIONS: readonly unknown[] = ['requires', 'depends-on', 'constrained-by', 'applies-to', 'includes'];
const DIGEST = /^sha256:[0-9a-f]{64}$/;
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?Z$/;

/** Thrown inside this file only: the first fault ends the reading. */
class Fault extends Error {
  readonly code: PeerReasonCode;
  readonly path: string;
  constructor(code: PeerReasonCode, path: string, problem: string) {
    super(problem);
    this.code = code;
    this.path = path;
  }
}

/** Reads the text of a bundle. Everything in it comes from outside; what is wrong is a value with its place. */
export function parseBundle(text: string): ParsedBundle {
  try {
    const bundle = readBundle(text);
    return { type: 'bundle', bundle, digest: digest(bundle.manifest as unknown as Json) };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const message = `${error.message} (at ${error.path || 'the bundle'})`;
    return { type: 'refused', reasons: [reason(error.code, message, { path: error.path })] };
  }
}

/** The text of a bundle, the same for the same bundle. */
export function formatBundle(bundle: Bundle): string {
  return `${canonicalJson(bundle as unknown as Json)}\n`;
}

function readBundle(text: string): Bundle {
  if (text.length > BUNDLE_LIMITS.length) throw new Fault('peers.too-large', '', 'the bundle is too large');
  checkNesting(text);
  const root = record(parseJson(text), '', ['manifest', 'signature', 'primitives']);
  const manifest = readManifest(root['manifest']);
  const signature = root['signature'];
  if (typeof signature !== 'string' || signature.length > 200) throw malformed('/signature', 'a signature is a text');
  const primitives = readPrimitives(root['primitives'], manifest);
  if (manifest.graph !== graphDigest(manifest.primitives))
    throw new Fault('peers.digest-mismatch', '/manifest/graph', 'the graph digest is another one');
  return { manifest, signature, primitives };
}

/** The digest of a bundle's whole knowledge. */
export function graphDigest(primitives: readonly Digest[]): Digest {
  return digest([...primitives].sort());
}

/** Counted in the text, since a parser may run out of stack on what is nested too deeply. */
function checkNesting(text: string): void {
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charCodeAt(at);
    if (quoted) {
      if (sign === 92) at += 1;
      else if (sign === 34) quoted = false;
    } else if (sign === 34) quoted = true;
    else if (sign === 91 || sign === 123) {
      depth += 1;
      if (depth > BUNDLE_LIMITS.nesting)
        throw new Fault('peers.nested-too-deep', '', 'the bundle is nested too deeply');
    } else if (sign === 93 || sign === 125) depth -= 1;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw malformed('', 'the bundle is not JSON');
  }
}

function readManifest(value: unknown): BundleManifest {
  const path = '/manifest';
  const keys = ['format', 'peer', 'createdAt', 'sequence', 'graph', 'primitives'];
  const { format, peer, createdAt, sequence, graph, primitives } = record(value, path, keys);
  if (format !== BUNDLE_FORMAT) throw malformed(`${path}/format`, `the format is ${BUNDLE_FORMAT}`);
  if (typeof createdAt !== 'string' || !TIME.test(createdAt)) throw malformed(`${path}/createdAt`, 'not a time in UTC');
  if (!Number.isSafeInteger(sequence) || (sequence as number) < 1)
    throw malformed(`${path}/sequence`, 'a sequence is a whole number from 1');
  if (!Array.isArray(primitives)) throw malformed(`${path}/primitives`, 'primitives are a list of digests');
  if (primitives.length > BUNDLE_LIMITS.primitives)
    throw new Fault('peers.too-large', `${path}/primitives`, 'there are too many primitives');
  const digests = primitives.map((one, index) => readDigest(one, `${path}/primitives/${index}`));
  if (digests.some((one, index) => index > 0 && one <= (digests[index - 1] as string)))
    throw malformed(`${path}/primitives`, 'digests are sorted, each once');
  return {
    format: BUNDLE_FORMAT,
    peer: readName(peer, `${path}/peer`),
    createdAt,
    sequence: sequence as number,
    graph: readDigest(graph, `${path}/graph`),
    primitives: digests,
  };
}

function readPrimitives(value: unknown, manifest: BundleManifest): Bundle['primitives'] {
  const given = record(value, '/primitives', null);
  const wanted = new Set<string>(manifest.primitives);
  const primitives = new Map<Digest, BundlePrimitive>();
  const names = new Set<string>();
  for (const [key, one] of Object.entries(given)) {
    const path = `/primitives/${key.slice(0, 80)}`;
    if (!wanted.has(key)) throw new Fault('peers.digest-mismatch', path, 'the manifest does not name this primitive');
    const primitive = readPrimitive(one, path);
    if (digest(primitive as unknown as Json) !== key)
      throw new Fault('peers.digest-mismatch', path, 'the primitive is not what its digest says');
    if (names.has(foldName(primitive.name))) throw malformed(`${path}/name`, 'a name is there twice');
    names.add(foldName(primitive.name));
    primitives.set(key as Digest, primitive);
  }
  if (primitives.size < wanted.size)
    throw new Fault('peers.digest-mismatch', '/primitives', 'a primitive of the manifest is missing');
  return Object.fromEntries(primitives);
}

function readPrimitive(value: unknown, path: string): BundlePrimitive {
  const { name, levels } = record(value, path, ['name', 'levels']);
  if (!Array.isArray(levels) || levels.length > 5)
    throw malformed(`${path}/levels`, 'a primitive has at most 5 levels');
  const read = levels.map((one, index) => readLevel(one, `${path}/levels/${index}`));
  if (read.some(({ level }, index) => index > 0 && level <= (read[index - 1] as BundleLevel).level))
    throw malformed(`${path}/levels`, 'levels ascend, each once');
  if (read.reduce((sum, { relata }) => sum + relata.length, 0) > BUNDLE_LIMITS.relata)
    throw new Fault('peers.too-large', `${path}/levels`, 'there are too many relata');
  return { name: readName(name, `${path}/name`), levels: read };
}

function readLevel(value: unknown, path: string): BundleLevel {
  const { level, properties, relata } = record(value, path, ['level', 'properties', 'relata']);
  if (!Array.isArray(relata)) throw malformed(`${path}/relata`, 'relata are a list');
  return {
    level: readDepth(level, `${path}/level`),
    properties: readObject(properties, `${path}/properties`),
    relata: relata.map((one, index) => readRelatum(one, `${path}/relata/${index}`)),
  };
}

function readRelatum(value: unknown, path: string): BundleRelatum {
  const { relation, target, targetDepth, metadata } = record(value, path, [
    'relation',
    'target',
    'targetDepth',
    'metadata',
  ]);
  if (!RELATIONS.includes(relation)) throw malformed(`${path}/relation`, 'not one of the five relations');
  const read = {
    relation: relation as RelationType,
    target: readName(target, `${path}/target`),
    targetDepth: readDepth(targetDepth, `${path}/targetDepth`),
  };
  return metadata === undefined ? read : { ...read, metadata: readObject(metadata, `${path}/metadata`) };
}

function readDepth(value: unknown, path: string): DepthLevel {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 4)
    return (value + 0) as DepthLevel;
  throw malformed(path, 'a level is 0 to 4');
}

function readObject(value: unknown, path: string): JsonObject {
  const object = record(value, path, null);
  try {
    canonicalJson(object as Json);
  } catch {
    throw malformed(path, 'not JSON that can be stored, such as a lone surrogate or a huge number');
  }
  return object as JsonObject;
}

function readName(value: unknown, path: string): string {
  if (typeof value === 'string' && value !== '' && value.length <= BUNDLE_LIMITS.nameLength && isWellFormed(value))
    return value;
  throw malformed(path, `a name is a text of 1 to ${BUNDLE_LIMITS.nameLength} characters`);
}

function readDigest(value: unknown, path: string): Digest {
  if (typeof value === 'string' && DIGEST.test(value)) return value as Digest;
  throw malformed(path, 'not a digest');
}

function record(value: unknown, path: string, keys: readonly string[] | null): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw malformed(path, 'not an object');
  const odd = keys === null ? undefined : Object.keys(value).find((key) => !keys.includes(key));
  if (odd !== undefined) throw malformed(path, `unknown key ${quote(odd)}`);
  return value as Record<string, unknown>;
}

function malformed(path: string, problem: string): Fault {
  return new Fault('peers.malformed', path, problem);
}
