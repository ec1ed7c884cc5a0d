import type { Json } from '@warrant/core';
import { openSqlite } from '@warrant/core/sqlite';
import type { ImportItem, ImportProblem, Parsed } from '../transfer/import-item.ts';

type Row = { readonly [column: string]: unknown };

/**
 * Living memories of a file of the Python library agentdatabase (`agentdb.sqlite`), opened read-only. Whoever approved a
 * record there did not do so here: all are taken as a provider's. Pending proposals stay behind.
 * @throws SQLITE_CANNOT_OPEN, SQLITE_CORRUPT
 */
export function readAgentdb(path: string): Parsed {
  const file = openSqlite(path, { readOnly: true });
  try {
    const rows = file.read((db) => {
      const table = db.get(`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'memories'`);
      return table === undefined ? null : db.all<Row>('SELECT * FROM memories ORDER BY rowid');
    });
    if (rows === null) return { items: [], problems: [{ where: path, message: 'it has no table of memories' }] };
    return taken(rows, path);
  } finally {
    file.close();
  }
}

function taken(rows: readonly Row[], path: string): Parsed {
  const items: ImportItem[] = [];
  const problems: ImportProblem[] = [];
  for (const [index, row] of rows.entries()) {
    const key = row['key'];
    const where = `${path}#${index}`;
    if (typeof key !== 'string' || key === '') problems.push({ where, message: 'it has no key' });
    else if (row['archived'] !== 1 && !key.startsWith('proposal/')) {
      const value = jsonOf(row['value']);
      if (value === undefined) problems.push({ where: key, message: 'its value is not JSON' });
      else items.push(itemOf(row, key, value));
    }
  }
  return { items, problems };
}

function itemOf(row: Row, key: string, value: Json): ImportItem {
  const entities = jsonOf(row['entities']);
  const confidence = row['confidence'];
  const at = row['created_at'];
  const isConfidence = typeof confidence === 'number' && confidence >= 0 && confidence <= 1;
  return {
    name: key,
    value,
    source: `agentdb:${typeof row['id'] === 'string' ? row['id'] : key}`,
    entities: Array.isArray(entities) ? entities.filter((one) => typeof one === 'string' && one !== '') : [],
    ...(isConfidence ? { confidence } : {}),
    ...(typeof at === 'string' ? { at } : {}),
  };
}

function jsonOf(cell: unknown): Json | undefined {
  try {
    return typeof cell === 'string' ? (JSON.parse(cell) as Json) : undefined;
  } catch {
    return undefined;
  }
}
