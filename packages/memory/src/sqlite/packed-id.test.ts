import { openSqlite } from '@warrant/core/sqlite';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { idOf, idText, packId, unpackId } from './packed-id.ts';

const anyId = fc.oneof(
  fc.uuid(),
  fc.uuid().map((id) => id.toUpperCase()),
  fc.uuid().map((id) => id.replaceAll('-', '')),
  fc.uuid().map((id) => `=${id}`),
  fc.string({ minLength: 1 }),
);

describe('packed ids', () => {
  it('come back from a file as they were, as bytes and as texts', () => {
    const file = openSqlite(':memory:');
    file.migrate('ids', [(db) => db.exec('CREATE TABLE ids (seq INTEGER PRIMARY KEY, id ANY) STRICT')]);
    fc.assert(
      fc.property(fc.array(anyId, { maxLength: 20 }), (ids) => {
        file.write((db) => {
          db.exec('DELETE FROM ids');
          for (const id of ids) db.run('INSERT INTO ids (id) VALUES (?)', packId(id));
          const rows = db.arrays<[Uint8Array | string, string]>(`SELECT id, ${idText('id')} FROM ids ORDER BY seq`);
          expect(rows.map(([packed]) => unpackId(packed))).toEqual(ids);
          expect(rows.map(([, text]) => idOf(text))).toEqual(ids);
        });
      }),
    );
    file.close();
  });
});
