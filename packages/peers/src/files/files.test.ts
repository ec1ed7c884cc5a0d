import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { generatePeerKeys, type Pin } from '../index.ts';
import {
  createBundlesFolder,
  createOwnKey,
  createPeerStatesFile,
  nextSequence,
  parsePins,
  readOwnKey,
  withPin,
} from './index.ts';

const { publicKey } = generatePeerKeys();
const pin: Pin = {
  name: 'acme',
  publicKey,
  concepts: ['cluster', 'kube*'],
  maxLevel: 3,
  maxPrimitives: 10_000,
  mode: 'informs',
  pinnedAt: '2026-01-01T00:00:00.000Z',
};
const folder = () => mkdtempSync(join(tmpdir(), 'warrant-peer-files-'));
const digest = `sha256:${'0'.repeat(64)}` as const;

describe('the pin file', () => {
  it('reads back what was pinned, and keeps what a person wrote', () => {
    const text = withPin('# ours\nformat: warrant.peers/1\npeers:\n', pin);
    expect(text).toContain('# ours');
    expect(parsePins({ file: 'p', text })).toEqual({ type: 'pins', pins: [pin] });
    const again = withPin(text, { ...pin, mode: 'grounds' });
    expect(parsePins({ file: 'p', text: again })).toMatchObject({ pins: [{ mode: 'grounds' }] });
    expect(parsePins({ file: 'p', text: withPin('', pin) })).toEqual({ type: 'pins', pins: [pin] });
    expect(parsePins({ file: 'p', text: '' })).toEqual({ type: 'pins', pins: [] });
    expect(parsePins({ file: 'p', text: new Uint8Array() })).toEqual({ type: 'pins', pins: [] });
  });

  it('has defaults for what may be left out', () => {
    const text = `format: warrant.peers/1\npeers: { a: { key: "${publicKey}", concepts: [], maxLevel: 0, mode: informs } }\n`;
    expect(parsePins({ file: 'p', text })).toMatchObject({ pins: [{ maxPrimitives: 10_000, pinnedAt: null }] });
  });

  it.each([
    ['key: x', 'wrong-key'],
    ['maxLevel: 5', 'wrong-level'],
    ['maxPrimitives: -1', 'wrong-count'],
    ['mode: trusts', 'wrong-mode'],
    ['pinnedAt: yesterday', 'wrong-time'],
    ['concepts: cluster', 'wrong-scope'],
    ["concepts: ['']", 'wrong-scope'],
    ['modes: informs', 'unknown-key'],
  ])('tells the line of %s', (member, code) => {
    const members = {
      key: `key: "${publicKey}"`,
      concepts: 'concepts: []',
      maxLevel: 'maxLevel: 1',
      mode: 'mode: informs',
    };
    const own = Object.entries(members).filter(([name]) => !member.startsWith(`${name}:`));
    const text = [
      'format: warrant.peers/1',
      'peers:',
      '  a:',
      ...[...own.map(([, line]) => line), member].map((line) => `    ${line}`),
    ];
    const parsed = parsePins({ file: 'p', text: text.join('\n') });
    expect(parsed.type === 'invalid' && parsed.faults.map((one) => `${one.line} ${one.code}`)).toEqual([
      `${text.length} ${code}`,
    ]);
  });

  it('refuses one key under two names', () => {
    const parsed = parsePins({ file: 'p', text: withPin(withPin('', pin), { ...pin, name: 'other' }) });
    expect(parsed.type === 'invalid' && parsed.faults.map(({ code }) => code)).toEqual(['same-key']);
  });
});

describe('what is remembered', () => {
  const state = { peer: 'acme', sequence: 3, bundle: digest, pin: digest, importedAt: 'x', revokedAt: null };

  it('is there for the next process', async () => {
    const file = join(folder(), 'states.json');
    const states = createPeerStatesFile(file);
    expect(await states.read()).toEqual({});
    await states.exclusively(() => states.write('k', state));
    expect(await createPeerStatesFile(file).read()).toEqual({ k: state });
  });

  it.each(['', '{', '[]', '{"format":"other","peers":{}}', '{"format":"warrant.peer-states/1","peers":{"k":{}}}'])(
    'lets nothing in when its file holds %j',
    async (text) => {
      const file = join(folder(), 'states.json');
      writeFileSync(file, text);
      await expect(createPeerStatesFile(file).read()).rejects.toMatchObject({ code: 'PEERS_FILE_CORRUPT' });
    },
  );

  it('has bundles under their digests alone', async () => {
    const bundles = createBundlesFolder(join(folder(), 'deep'));
    expect(await bundles.get(digest)).toBeUndefined();
    await bundles.put(digest, 'text');
    expect(await bundles.get(digest)).toBe('text');
    for (const name of ['../x', 'sha256:..', ''])
      await expect(bundles.get(name as never)).rejects.toMatchObject({ code: 'PEERS_BUNDLE_INVALID' });
  });
});

describe('the key of a publisher', () => {
  it('is made once, and gives every bundle a sequence of its own', async () => {
    const file = join(folder(), 'key.json');
    const own = await createOwnKey(file, 'acme');
    expect(await readOwnKey(file)).toEqual(own);
    await expect(createOwnKey(file, 'acme')).rejects.toMatchObject({ code: 'PEERS_KEY_EXISTS' });
    const drawn = await Promise.all([1, 2, 3].map(() => nextSequence(file)));
    expect(drawn.map(({ sequence }) => sequence).sort()).toEqual([1, 2, 3]);
  });

  it('is refused when its parts do not belong together, or there is none', async () => {
    const file = join(folder(), 'key.json');
    await expect(readOwnKey(file)).rejects.toMatchObject({ code: 'PEERS_KEY_MISSING' });
    await createOwnKey(file, 'acme');
    writeFileSync(file, readFileSync(file, 'utf8').replace(/ed25519:[^"]+/, publicKey));
    await expect(readOwnKey(file)).rejects.toMatchObject({ code: 'PEERS_KEY_INVALID' });
    await expect(createOwnKey(join(folder(), 'k'), '')).rejects.toMatchObject({ code: 'PEERS_KEY_INVALID' });
  });
});
