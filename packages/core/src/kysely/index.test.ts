import { describe, expect, it } from 'vitest';
import { compileQuery, openSqlite } from '../sqlite/index.ts';
import { createPostgresBuilder, createSqliteBuilder } from './index.ts';

type Tables = { note: { id: number; text: string } };

describe('compiled queries', () => {
  it('compile once, when first used, and bind their named parameters', () => {
    const kysely = createSqliteBuilder<Tables>();
    let built = 0;
    const put = compileQuery<{ id: number; text: string }, never>((parameter) => {
      built += 1;
      return kysely
        .insertInto('note')
        .values({ text: parameter('text'), id: parameter('id') })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ text: parameter('text') }));
    });
    const find = compileQuery<{ text: string; limit: number }, { id: number }>((parameter) =>
      kysely
        .selectFrom('note')
        .select('id')
        .where('text', '=', parameter('text'))
        .where('id', '<', 100)
        .orderBy('id')
        .limit(parameter('limit')),
    );
    expect(built).toBe(0);
    const file = openSqlite(':memory:');
    file.migrate('note', [(db) => db.exec('CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT')]);
    file.write((db) => {
      for (const id of [1, 2, 3, 200]) put.run(db, { id, text: id === 3 ? 'b' : 'a' });
      put.run(db, { id: 3, text: 'a' });
    });
    expect(built).toBe(1);
    expect(file.read((db) => find.all(db, { text: 'a', limit: 10 }))).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
    expect(file.read((db) => find.all(db, { text: 'a', limit: 1 }))).toEqual([{ id: 1 }]);
    expect(file.read((db) => find.get(db, { text: 'z', limit: 1 }))).toBeUndefined();
    file.close();
  });

  it('are built for PostgreSQL as well', () => {
    const built = createPostgresBuilder<Tables>().selectFrom('note').select('id').where('text', '=', 'a').compile();
    expect(built).toMatchObject({ sql: 'select "id" from "note" where "text" = $1', parameters: ['a'] });
  });
});
