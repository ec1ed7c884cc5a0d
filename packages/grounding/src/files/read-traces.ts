import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { TraceRecord } from '../trace.ts';
import { TRACE_FILE } from './file-name.ts';
import { isTraceRecord } from './trace-shape.ts';

/**
 * Every trace kept in the folder, oldest first; no folder means none. A line that is not whole, as a crash leaves behind,
 * or that is no trace is passed over.
 */
export async function* readTraces(directory: string): AsyncGenerator<TraceRecord> {
  for (const name of await filesOf(directory)) {
    const lines = createInterface({
      input: createReadStream(join(directory, name)),
      crlfDelay: Number.POSITIVE_INFINITY,
    });
    for await (const line of lines) {
      const record = parse(line);
      if (record !== undefined) yield record;
    }
  }
}

async function filesOf(directory: string): Promise<readonly string[]> {
  const names = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return names
    .flatMap((name) => {
      const match = TRACE_FILE.exec(name);
      return match === null ? [] : [{ name, day: match[1] as string, part: Number(match[2] ?? 0) }];
    })
    .sort((a, b) => (a.day === b.day ? a.part - b.part : a.day < b.day ? -1 : 1))
    .map(({ name }) => name);
}

function parse(line: string): TraceRecord | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isTraceRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
