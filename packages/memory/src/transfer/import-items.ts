import { isWarrantError, type Label, type Reason } from '@warrant/core';
import type { MemoryHandle } from '../handles.ts';
import type { MemoryWrite } from '../write-request.ts';
import type { WriteResult } from '../write-step.ts';
import type { ImportItem, ImportProblem } from './import-item.ts';
import { importPrefix, itemKey } from './item-key.ts';

export type ImportReport = {
  readonly stored: number;
  /** Were there already, word for word. */
  readonly confirmed: number;
  /** Stand beside what somebody more trusted said. */
  readonly beside: number;
  readonly refused: readonly { readonly name: string; readonly reasons: readonly Reason[] }[];
  readonly problems: readonly ImportProblem[];
};
export type ImportOptions = {
  /** Name of the provider, first part of its keys. */
  readonly provider: string;
  readonly onProgress?: (done: number, all: number) => void;
};

/** Writes of one transaction: an import that is cut off has whole batches, and the next one confirms them. */
const BATCH = 500;

/**
 * Writes foreign memories as `provider-ingested`, each under `memory/provider/<provider>/`. Nothing in them chooses its
 * key, origin, trust or agent. The same import again confirms what is there.
 * @param handle of `memory.provider(name)`
 */
export async function importItems(
  handle: Pick<MemoryHandle, 'writeMany'>,
  items: readonly ImportItem[],
  options: ImportOptions,
): Promise<ImportReport> {
  const named = keyed(items, importPrefix(options.provider));
  const counts = { stored: 0, confirmed: 0, beside: 0 };
  const refused: { readonly name: string; readonly reasons: readonly Reason[] }[] = [];
  const problems: ImportProblem[] = [];
  for (let from = 0; from < named.length; from += BATCH) {
    const batch = named.slice(from, from + BATCH);
    for (const { name, result } of await writeBatch(handle, batch, problems)) {
      if (result.type === 'confirmed') counts.confirmed += 1;
      else if (result.type === 'stored') counts[result.current ? 'stored' : 'beside'] += 1;
      else refused.push({ name, reasons: result.reasons });
    }
    options.onProgress?.(Math.min(named.length, from + BATCH), named.length);
  }
  return { ...counts, refused, problems };
}

type Named = { readonly name: string; readonly write: MemoryWrite };

async function writeBatch(
  handle: Pick<MemoryHandle, 'writeMany'>,
  batch: readonly Named[],
  problems: ImportProblem[],
): Promise<readonly { readonly name: string; readonly result: WriteResult }[]> {
  try {
    const results = await handle.writeMany(batch.map(({ write }) => write));
    return results.map((result, index) => ({ name: (batch[index] as Named).name, result }));
  } catch (error) {
    if (!isWarrantError(error, 'MEMORY_INVALID_ARGUMENT')) throw error;
    const [only] = batch;
    if (batch.length === 1 && only !== undefined) {
      problems.push({ where: only.name, message: error.message });
      return [];
    }
    // One of them cannot be a record: halves find it, and the others are written.
    const half = batch.length >> 1;
    const first = await writeBatch(handle, batch.slice(0, half), problems);
    return [...first, ...(await writeBatch(handle, batch.slice(half), problems))];
  }
}

/** Two names that make the same key are told apart by a number, in their order. */
function keyed(items: readonly ImportItem[], prefix: string): readonly Named[] {
  const taken = new Map<string, number>();
  return items.map((item) => {
    const key = itemKey(prefix, item.name);
    const times = (taken.get(key) ?? 0) + 1;
    taken.set(key, times);
    return { name: item.name, write: writeOf(item, times === 1 ? key : `${key}-${times}`) };
  });
}

function writeOf(item: ImportItem, key: string): MemoryWrite {
  const { value, entities = [], subject = null, session = null, speaker = null, sequence = null } = item;
  const label: Label = { trust: item.trust ?? 'provider', sources: [item.source.slice(0, 1024) || 'import'] };
  const at = timeOf(item.at);
  return {
    key,
    value,
    entities: [...entities].slice(0, 256),
    subject,
    session,
    speaker,
    sequence,
    label,
    ...(item.confidence === undefined ? {} : { confidence: item.confidence }),
    ...(at === undefined ? {} : { validFrom: at }),
  };
}

/** Seconds since 1970 where it is a small number. */
function timeOf(at: ImportItem['at']): string | undefined {
  if (at === undefined || at === null) return undefined;
  const milliseconds = typeof at === 'number' ? (at < 1e11 ? at * 1000 : at) : Date.parse(at);
  return milliseconds >= 0 && milliseconds < 253_402_300_800_000 ? new Date(milliseconds).toISOString() : undefined;
}
