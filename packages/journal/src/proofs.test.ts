import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createCheckpoint, openCheckpoint } from './checkpoint.ts';
import { createMemoryJournal } from './journal.ts';
import {
  consistencyPath,
  emptyRoot,
  inclusionPath,
  leafHash,
  type NodeReader,
  nodeHash,
  rootOf,
  TreeBuilder,
} from './merkle.ts';
import { generateNoteKey, openNote, parseSigner, parseVerifier, signNote } from './note.ts';
import { isConsistent, isIncluded } from './verify-proof.ts';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const bytes = (text: string): Uint8Array => Buffer.from(text, 'hex');

/** The leaves and roots that the tests of Certificate Transparency logs share. */
const LEAVES = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'];
const ROOTS = [
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];

/** The definition of RFC 9162, 2.1.1, word for word, to hold the fast ways against. */
function definedRoot(leaves: readonly Uint8Array[]): Uint8Array {
  if (leaves.length === 0) return emptyRoot();
  if (leaves.length === 1) return leafHash(leaves[0] as Uint8Array);
  let half = 1;
  while (half * 2 < leaves.length) half *= 2;
  return nodeHash(definedRoot(leaves.slice(0, half)), definedRoot(leaves.slice(half)));
}

function readerOf(leaves: readonly Uint8Array[]): NodeReader {
  return async (level, index) => definedRoot(leaves.slice(index * 2 ** level, (index + 1) * 2 ** level));
}

function built(leaves: readonly Uint8Array[]): Uint8Array {
  const builder = new TreeBuilder();
  for (const leaf of leaves) builder.add(leafHash(leaf));
  return builder.root();
}

describe('Merkle trees', () => {
  const leaves = LEAVES.map(bytes);

  test('have the published roots', async () => {
    expect(hex(built([]))).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
    for (let size = 1; size <= leaves.length; size += 1) {
      expect(hex(built(leaves.slice(0, size)))).toBe(ROOTS[size - 1]);
      expect(hex(await rootOf(readerOf(leaves), size))).toBe(ROOTS[size - 1]);
    }
  });

  test('give the published proofs', async () => {
    const read = readerOf(leaves);
    expect((await inclusionPath(read, 0, 8)).map(hex)).toEqual([
      '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
    ]);
    expect((await inclusionPath(read, 5, 8)).map(hex)).toEqual([
      'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
      'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    ]);
    expect((await consistencyPath(read, 6, 8)).map(hex)).toEqual([
      '0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a',
      'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    ]);
    expect((await consistencyPath(read, 2, 5)).map(hex)).toEqual([
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
    ]);
  });

  test('prove every leaf and every earlier tree, and nothing else', async () => {
    const all = Array.from({ length: 40 }, (_, index) => Buffer.from(`leaf ${index}`));
    const read = readerOf(all);
    const roots = all.map((_, index) => definedRoot(all.slice(0, index)));
    roots.push(definedRoot(all));
    for (let size = 1; size <= all.length; size += 1) {
      const root = roots[size] as Uint8Array;
      for (let index = 0; index < size; index += 1) {
        const path = await inclusionPath(read, index, size);
        const proof = { leaf: leafHash(all[index] as Uint8Array), index, size, path, root };
        expect(isIncluded(proof)).toBe(true);
        expect(isIncluded({ ...proof, leaf: leafHash(Buffer.from('other')) })).toBe(false);
        expect(isIncluded({ ...proof, path: [...path, root] })).toBe(false);
        if (path.length > 0) expect(isIncluded({ ...proof, path: path.slice(1) })).toBe(false);
      }
      for (let from = 1; from <= size; from += 1) {
        const path = await consistencyPath(read, from, size);
        const proof = { from, to: size, fromRoot: roots[from] as Uint8Array, toRoot: root, path };
        expect(isConsistent(proof)).toBe(true);
        expect(isConsistent({ ...proof, path: [...path, root] })).toBe(false);
        expect(isConsistent({ ...proof, fromRoot: leafHash(Buffer.from('x')) })).toBe(false);
        if (path.length > 0) expect(isConsistent({ ...proof, path: path.slice(0, -1) })).toBe(false);
      }
    }
  });

  test('refuse what shows nothing', () => {
    const none = new Uint8Array();
    const root = definedRoot(leaves);
    expect(isIncluded({ leaf: none, index: 0, size: 1, path: [], root: none })).toBe(false);
    expect(isIncluded({ leaf: root, index: 0, size: 1, path: [], root })).toBe(true);
    for (const [index, size] of [
      [1, 1],
      [-1, 1],
      [0, 0],
      [0.5, 1],
      [Number.NaN, 1],
    ] as const) {
      expect(isIncluded({ leaf: root, index, size, path: [], root })).toBe(false);
    }
    for (const [from, to] of [
      [0, 0],
      [0, 1],
      [2, 1],
      [-1, 1],
      [0.5, 0.5],
    ] as const) {
      expect(isConsistent({ from, to, fromRoot: root, toRoot: root, path: [] })).toBe(false);
    }
    expect(isConsistent({ from: 1, to: 1, fromRoot: none, toRoot: none, path: [] })).toBe(false);
  });

  test('refuse proofs with any bit turned', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 2, max: 60 }),
        fc.nat(),
        fc.nat(),
        fc.nat(255),
        async (size, at, bit, byte) => {
          const all = Array.from({ length: size }, (_, index) => Buffer.of(index, byte));
          const index = at % size;
          const path = await inclusionPath(readerOf(all), index, size);
          const root = definedRoot(all);
          const turned = path.map((step) => Buffer.from(step));
          const place = bit % (path.length * 256);
          const step = turned[Math.floor(place / 256)] as Buffer;
          const offset = Math.floor((place % 256) / 8);
          step.writeUInt8(step.readUInt8(offset) ^ (1 << (place % 8)), offset);
          const proof = { leaf: leafHash(all[index] as Uint8Array), index, size, root };
          expect(isIncluded({ ...proof, path })).toBe(true);
          expect(isIncluded({ ...proof, path: turned })).toBe(false);
        },
      ),
      { numRuns: 100, seed: 1 },
    );
  });
});

describe('signed notes', () => {
  const text = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n";
  const signature =
    '— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n';
  const peter = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';

  test('are made and read as in the published examples', () => {
    const signer = parseSigner('PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz');
    expect(signNote(text, [signer])).toBe(`${text}\n${signature}`);
    expect(openNote(`${text}\n${signature}`, [parseVerifier(peter)])).toEqual({ text, signedBy: ['PeterNeumann'] });
    const foo = parseVerifier('example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k');
    const note =
      'This is an example message.\n\n— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n';
    expect(openNote(note, [foo]).text).toBe('This is an example message.\n');
  });

  test('are refused when text, key or form differ', () => {
    const verifiers = [parseVerifier(peter)];
    for (const bad of [
      `${text}more\n\n${signature}`,
      `${text}\n${signature.replace('x08go', 'x08gp')}`,
      `${text}\n${signature.replace('ZJku', 'ZJkv')}`,
      `${text}\n${signature}`.slice(0, -1),
      `${text}${signature}`,
      text,
      '',
      `\u0000${text}\n${signature}`,
    ]) {
      expect(() => openNote(bad, verifiers), JSON.stringify(bad)).toThrow(/checkpoint/);
    }
    const other = parseVerifier(generateNoteKey('PeterNeumann').verifier);
    expect(() => openNote(`${text}\n${signature}`, [other])).toThrow(/no known key/);
    for (const bad of [peter.replace('c74f', 'c74e'), peter.replace('ARpc', 'AhRpc'), 'x', `${peter}AA`, '']) {
      expect(() => parseVerifier(bad)).toThrow(/key/);
    }
    const secret = 'PRIVATE+KEY+PeterNeumann+c74f20a4+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz';
    expect(() => parseSigner(secret)).toThrow(/^(?!.*AYEK).*$/);
  });

  test('pass over signatures by unknown keys', () => {
    const [one, two] = [generateNoteKey('one'), generateNoteKey('two')];
    const note = signNote('x\n', [parseSigner(one.signer), parseSigner(two.signer)]);
    expect(openNote(note, [parseVerifier(two.verifier)]).signedBy).toEqual(['two']);
    expect(openNote(note, [parseVerifier(one.verifier), parseVerifier(two.verifier)]).signedBy).toEqual(['one', 'two']);
  });

  test('carry checkpoints there and back', () => {
    const key = generateNoteKey('log');
    const root = leafHash(Buffer.from('x'));
    const note = createCheckpoint({ origin: 'example/log', size: 7, root }, [parseSigner(key.signer)]);
    expect(note.split('\n').slice(0, 4)).toEqual(['example/log', '7', Buffer.from(root).toString('base64'), '']);
    const opened = openCheckpoint(note, [parseVerifier(key.verifier)]);
    expect([opened.origin, opened.size, hex(opened.root)]).toEqual(['example/log', 7, hex(root)]);
    for (const text of ['o\n07\nAAAA\n', 'o\n-1\n', 'o\n1\nAAAA\n', '\n1\n', 'o\n1e3\n']) {
      const bad = signNote(text, [parseSigner(key.signer)]);
      expect(() => openCheckpoint(bad, [parseVerifier(key.verifier)])).toThrow(/checkpoint/);
    }
  });
});

describe('a journal', () => {
  test('seals in several goes and proves every entry and every earlier size', async () => {
    const journal = createMemoryJournal();
    const roots = new Map<number, Uint8Array>();
    let count = 0;
    for (const batch of [1, 2, 255, 300, 1000]) {
      const entries = Array.from({ length: batch }, () => {
        count += 1;
        return { id: `e${count}`, type: 't', data: count, schemaVersion: 1 };
      });
      await journal.append(`s${batch % 2}`, entries, { expected: 'any' });
      const { size, root } = await journal.seal();
      expect(size).toBe(count);
      roots.set(size, root);
    }
    const digests = await journal.store.leaves(0, count);
    expect(hex(roots.get(count) as Uint8Array)).toBe(hex(built(digests.map(bytes))));
    for (const [from, fromRoot] of roots) {
      for (const [to, toRoot] of roots) {
        if (from > to) continue;
        const { path } = await journal.proveConsistency(from, to);
        const steps = path.map((step) => Buffer.from(step, 'base64'));
        expect(isConsistent({ from, to, fromRoot, toRoot, path: steps })).toBe(true);
      }
    }
    for (const position of [1, 2, 256, 700]) {
      const proof = await journal.prove('s0', position);
      const leaf = leafHash(bytes(proof.digest.slice(7)));
      const path = proof.path.map((step) => Buffer.from(step, 'base64'));
      const root = roots.get(count) as Uint8Array;
      expect(isIncluded({ leaf, index: proof.leaf, size: proof.size, path, root })).toBe(true);
    }
    const told: unknown[] = [];
    await journal.seal({ onProgress: (progress) => told.push(progress) });
    expect(told).toEqual([{ entries: count, total: count }]);
    await journal.append('s0', [{ id: 'late', type: 't', data: 0, schemaVersion: 1 }], { expected: 'any' });
    const late = (await journal.head('s0'))?.position as number;
    await expect(journal.prove('s0', late)).rejects.toMatchObject({ code: 'JOURNAL_NOT_SEALED' });
    await expect(journal.proveConsistency(1, count + 1)).rejects.toMatchObject({ code: 'JOURNAL_NOT_SEALED' });
    const signer = parseSigner(generateNoteKey('log').signer);
    await journal.checkpoint({ origin: 'log', signer, onProgress: (progress) => told.push(progress) });
    expect(told.slice(1)).toEqual([
      { entries: count, total: count + 1 },
      { entries: count + 1, total: count + 1 },
    ]);
  });
});
