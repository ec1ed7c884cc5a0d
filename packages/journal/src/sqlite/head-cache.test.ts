import { openSqlite } from '@warrant/core/sqlite';
import { expect, it } from 'vitest';
import type { Row } from '../row.ts';
import type { Lineage } from '../store.ts';
import { HeadCache } from './head-cache.ts';
import { LAYER, STEPS } from './schema.ts';

it('keeps of an entry only where it is, not what it holds', () => {
  const file = openSqlite(':memory:');
  file.migrate(LAYER, STEPS);
  const cache = new HeadCache(file);
  const row: Omit<Row, 'cursor'> = {
    stream: 's',
    position: 1,
    id: 'a',
    type: 't',
    schemaVersion: 1,
    time: 0,
    previous: '0'.repeat(64),
    digest: '1'.repeat(64),
    data: JSON.stringify('x'.repeat(1000)),
  };
  const move = (head: Lineage | undefined, position: number): Lineage => {
    const { heads, moved } = file.write((db) => {
      const heads = cache.begin(db);
      return { heads, moved: heads.move('s', head, { ...row, position }, [`a${position}`]) };
    });
    cache.keep(heads);
    return moved;
  };
  const second = move(move(undefined, 1), 2);
  expect(second.row).toEqual({ key: 1, stream: 's', position: 2, digest: '1'.repeat(64) });
  file.close();
});
