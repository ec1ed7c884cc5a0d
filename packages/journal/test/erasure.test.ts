import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { archiveJournal, createFileKeyStore } from '../src/files/index.ts';
import {
  createEraser,
  createMemoryJournal,
  createMemoryKeyStore,
  exportJsonl,
  generateNoteKey,
  type IgnoredSnapshot,
  importJsonl,
  type KeyStore,
  parseSigner,
  verifyJournal,
} from '../src/index.ts';
import { openText, sealText } from '../src/sealing.ts';
import { collect, dataOf, entry, openJournal, temporaryFolder } from './support.ts';

const SECRET = 'lives at 12 Elm Street';
const ofPerson = (id: string, data: string = SECRET) => entry(id, { note: data }, { subject: 'person-1' });

function filesContain(folder: string, text: string): readonly string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(join(folder, name)).isFile(),
  );
  return names.filter((name) => readFileSync(join(folder, name)).includes(text));
}

describe.each<[string, (folder: string) => KeyStore]>([
  ['memory', () => createMemoryKeyStore()],
  ['files', (folder) => createFileKeyStore(join(folder, 'keys'))],
])('erasure with keys in %s', (_name, keysIn) => {
  test('makes the data of a subject unreadable everywhere and leaves every proof', async () => {
    const folder = temporaryFolder();
    const keys = keysIn(folder);
    const ignored: IgnoredSnapshot[] = [];
    const { journal, file } = openJournal(join(folder, 'workspace.db'), {
      keys,
      onIgnoredSnapshot: (one) => ignored.push(one),
    });
    await journal.append('s', [ofPerson('1'), entry('2', 'of nobody'), entry('3', 'other', { subject: 'person-2' })], {
      expected: 'none',
    });
    await journal.fork('s', 3, 'f');
    const head = await journal.head('s');
    if (head === undefined) throw new Error('no head');
    const program = 'sha256:program' as const;
    for (const stream of ['s', 'f']) {
      await journal.snapshots.save({ stream, position: 3, entry: head.digest, program, state: { seen: SECRET } });
    }
    const signer = parseSigner(generateNoteKey('log').signer);
    await journal.checkpoint({ origin: 'log/test', signer });
    const exported = (await collect(exportJsonl(journal))).join('');
    expect(await dataOf(journal.read('s'))).toEqual([{ note: SECRET }, 'of nobody', 'other']);
    expect((await journal.snapshots.load('s', program))?.state).toEqual({ seen: SECRET });

    const erased = await createEraser(journal).erase('person-1');
    expect(erased).toMatchObject({ subject: 'person-1', keyDestroyed: true });
    expect(erased.covered).toEqual([
      { place: 'entries', count: 1 },
      { place: 'archived entries', count: 0 },
      { place: 'snapshots', count: 2 },
    ]);
    expect(erased.notCovered).toHaveLength(2);
    expect(await dataOf(journal.read('s'))).toEqual([null, 'of nobody', 'other']);
    expect(await dataOf(journal.read('f'))).toEqual([null, 'of nobody', 'other']);
    expect((await collect(journal.read('s')))[0]?.sealed).toMatch(/^v1\./);
    expect(await journal.snapshots.load('s', program)).toBeUndefined();
    expect(ignored).toEqual([{ stream: 's', program, reason: 'erased' }]);
    const verified = await verifyJournal(journal);
    expect([verified.type, verified.checkpoint]).toEqual(['intact', 3]);

    const copy = createMemoryJournal({ keys });
    expect((await importJsonl(copy, [exported])).problems).toEqual([]);
    expect(await dataOf(copy.read('s'))).toEqual([null, 'of nobody', 'other']);
    file.write((db) => db.run('UPDATE journal_snapshots SET position = position'));
    file.close();
    expect(filesContain(folder, SECRET)).toEqual([]);
    expect(exported).not.toContain(SECRET);
  });

  test('knows a redelivery before and after, and stores nothing new of an erased subject', async () => {
    const folder = temporaryFolder();
    const { journal } = openJournal(join(folder, 'workspace.db'), { keys: keysIn(folder) });
    await journal.append('s', [ofPerson('1')], { expected: 'none' });
    const duplicate = { type: 'duplicate', positions: [1] };
    expect(await journal.append('s', [ofPerson('1')], { expected: 'none' })).toEqual(duplicate);
    await expect(journal.append('s', [ofPerson('1', 'moved')], { expected: 'any' })).rejects.toMatchObject({
      code: 'JOURNAL_ID_REUSED',
    });
    const before = await collect(exportJsonl(journal));
    expect((await createEraser(journal).erase('person-1')).keyDestroyed).toBe(true);
    expect(await journal.append('s', [ofPerson('1')], { expected: 'none' })).toEqual(duplicate);
    await expect(journal.append('s', [ofPerson('2')], { expected: 'any' })).rejects.toMatchObject({
      code: 'JOURNAL_SUBJECT_ERASED',
    });
    await expect(journal.append('s', [entry('1', SECRET)], { expected: 'any' })).rejects.toMatchObject({
      code: 'JOURNAL_ID_REUSED',
    });
    expect(await collect(exportJsonl(journal))).toEqual(before);
    expect((await createEraser(journal).erase('person-1')).keyDestroyed).toBe(false);
  });

  test('gives racing callers one key, and none after the end', async () => {
    const keys = keysIn(temporaryFolder());
    const found = await Promise.all(Array.from({ length: 20 }, () => keys.obtain('p')));
    expect(new Set(found.map((one) => (one.type === 'key' ? Buffer.from(one.key).toString('hex') : '-'))).size).toBe(1);
    expect(await keys.find('q')).toEqual({ type: 'none' });
    expect(await keys.destroy('p')).toBe(true);
    expect(await keys.destroy('q')).toBe(false);
    expect(await Promise.all([keys.obtain('p'), keys.find('p'), keys.obtain('q')])).toEqual(
      Array(3).fill({ type: 'erased' }),
    );
  });
});

describe('erasure', () => {
  test('says what was stored before there was a key store', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'workspace.db');
    const plain = openJournal(path);
    await plain.journal.append('s', [ofPerson('1')], { expected: 'none' });
    plain.file.close();
    const { journal } = openJournal(path, { keys: createMemoryKeyStore() });
    expect(await journal.append('s', [ofPerson('1')], { expected: 'none' })).toEqual({
      type: 'duplicate',
      positions: [1],
    });
    await journal.append('s', [ofPerson('2')], { expected: 1 });
    const { covered, notCovered } = await createEraser(journal).erase('person-1');
    expect(covered[0]).toEqual({ place: 'entries', count: 1 });
    expect(notCovered[0]).toMatch(/^1 entries that were stored before/);
    expect(await dataOf(journal.read('s'))).toEqual([{ note: SECRET }, null]);
  });

  test('says of archived entries which were sealed, and which lie open in their segment', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'workspace.db');
    const archive = { folder: join(folder, 'archive'), before: '9999-01-01T00:00:00.000Z' };
    const plain = openJournal(path);
    await plain.journal.append('s', [ofPerson('1'), ofPerson('2')], { expected: 'none' });
    plain.file.close();
    const { journal } = openJournal(path, { keys: createMemoryKeyStore() });
    await journal.append('s', [ofPerson('3')], { expected: 2 });
    await journal.seal();
    expect((await archiveJournal(journal, archive)).entries).toBe(3);
    await journal.append('s', [ofPerson('4')], { expected: 3 });
    expect(await journal.append('s', [ofPerson('3')], { expected: 0 })).toEqual({ type: 'duplicate', positions: [3] });
    const { covered, notCovered } = await createEraser(journal).erase('person-1');
    expect(covered.slice(0, 2)).toEqual([
      { place: 'entries', count: 1 },
      { place: 'archived entries', count: 1 },
    ]);
    expect(notCovered[0]).toMatch(/^2 archived entries/);
    expect((await verifyJournal(journal)).type).toBe('intact');
  });

  test('tells an id that is used again for something else, as far as that can be told', async () => {
    const journal = createMemoryJournal({ keys: createMemoryKeyStore() });
    const first = { ...ofPerson('1'), agentId: 'a', causationId: 'c' };
    await journal.append('s', [first], { expected: 'none' });
    await createEraser(journal).erase('person-1');
    expect((await journal.append('s', [{ ...first, data: 'other' }], { expected: 'any' })).type).toBe('duplicate');
    for (const other of [{ type: 'other.type' }, { schemaVersion: 2 }, { agentId: 'b' }, { causationId: 'd' }]) {
      await expect(journal.append('s', [{ ...first, ...other }], { expected: 'any' })).rejects.toMatchObject({
        code: 'JOURNAL_ID_REUSED',
      });
    }
  });

  test('needs a key store', () => {
    expect(() => createEraser(createMemoryJournal())).toThrow(/key store/);
  });

  test('notices a ciphertext that was put under another id or subject', async () => {
    const folder = temporaryFolder();
    const { journal, file } = openJournal(join(folder, 'workspace.db'), { keys: createMemoryKeyStore() });
    await journal.append('s', [ofPerson('1'), ofPerson('2', 'x')], { expected: 'none' });
    file.write((db) =>
      db.run('UPDATE journal_entries SET sealed = (SELECT sealed FROM journal_entries WHERE position = 1)'),
    );
    await expect(dataOf(journal.read('s'))).rejects.toMatchObject({ code: 'JOURNAL_DAMAGED' });
    expect((await verifyJournal(journal)).damage).toMatchObject({ kind: 'changed', position: 2 });
  });

  test('seals any text so that only its key and context open it', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.string(),
        fc.uint8Array({ minLength: 32, maxLength: 32 }),
        (text, context, key) => {
          const sealed = sealText(key, context, text);
          expect(sealText(key, context, text)).toBe(sealed);
          expect(openText(key, context, sealed)).toBe(text);
          expect(openText(key, `${context}x`, sealed)).toBeUndefined();
          expect(openText(Buffer.from(key).reverse().fill(1, 0, 1), context, sealed)).toBeUndefined();
          expect(openText(key, context, sealed.slice(0, -1))).toBeUndefined();
          expect(sealText(key, context, `${text}x`).slice(3, 19)).not.toBe(sealed.slice(3, 19));
        },
      ),
      { numRuns: 50, seed: 5 },
    );
  });
});
