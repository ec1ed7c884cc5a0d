import type { Json, JsonObject } from '@warrant/core';
import type { SystemQueries } from '../system/system.ts';
import type { ImportItem, ImportProblem, Parsed } from './import-item.ts';

const FORMAT = 'warrant-memory';
const VERSION = 1;

type Rows = Pick<SystemQueries, 'memories' | 'conflicts'>;

/** Everything as lines: what it is and when it was taken, every row of every age, every conflict. @internal */
export async function* exportJsonl(rows: Rows, at: string): AsyncGenerator<string> {
  yield `${JSON.stringify({ format: FORMAT, version: VERSION, at })}\n`;
  for await (const record of rows.memories({ history: true })) yield `${JSON.stringify({ record })}\n`;
  for await (const conflict of rows.conflicts()) yield `${JSON.stringify({ conflict })}\n`;
}

/** Living records of an export, to be taken in like those of any provider: whoever approved them there did not do so here. */
export function parseExport(text: string, where: string): Parsed {
  const items: ImportItem[] = [];
  const problems: ImportProblem[] = [];
  let at = '';
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const place = `${where}:${index + 1}`;
    const entry = parsed(line);
    if (entry === undefined) problems.push({ where: place, message: 'it is not a line of an export' });
    else if (entry['format'] === FORMAT) at = typeof entry['at'] === 'string' ? entry['at'] : '';
    else if (isObject(entry['record'])) {
      const item = itemOf(entry['record'], place, at);
      if (item === undefined) problems.push({ where: place, message: 'the record has no key or no value' });
      else if (item !== null) items.push(item);
    }
  }
  return { items, problems };
}

function parsed(line: string): JsonObject | undefined {
  try {
    const value = JSON.parse(line) as Json;
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** `null` for a row that was of the past when the export was made. */
function itemOf(record: JsonObject, where: string, at: string): ImportItem | null | undefined {
  const { key, value, closedAt, archived, entities, subject, validFrom, confidence } = record;
  if (typeof key !== 'string' || value === undefined) return undefined;
  const isOver = (end: Json | undefined): boolean => typeof end === 'string' && end <= at;
  if (archived === true || typeof closedAt === 'string' || isOver(record['validTo']) || isOver(record['expiresAt']))
    return null;
  return {
    name: key,
    value,
    source: where,
    trust: trustOf(record['label']),
    entities: Array.isArray(entities) ? entities.filter((one) => typeof one === 'string') : [],
    subject: typeof subject === 'string' ? subject : null,
    at: typeof validFrom === 'string' ? validFrom : null,
    ...(typeof confidence === 'number' ? { confidence } : {}),
  };
}

function trustOf(label: Json | undefined): 'web' | 'tool' | 'provider' {
  const trust = isObject(label) ? label['trust'] : 'web';
  return trust === 'web' || trust === 'tool' ? trust : 'provider';
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
