import type { Clock } from '../clock.ts';
import { WarrantError } from '../error.ts';
import type { Inbox } from '../people.ts';
import { LONGEST_DELAY_MS, type Timer } from '../timer.ts';
import { CLOCK_TOLERANCE_MS, type InboxRecord, waitedFor } from './rules.ts';

type Waited = Awaited<ReturnType<Inbox['wait']>>;

/** Everyone who waits for an answer, looked after when something changed and when a question expires. */
export interface Waiters {
  wait(id: string, signal: AbortSignal | undefined): Promise<Waited>;
  /** Looks again for all who wait. */
  wake(): void;
  count(): number;
}

/** @param look the stored record of a question now. */
export function createWaiters(
  look: (id: string) => InboxRecord | undefined,
  options: { readonly clock: Clock; readonly timer: Timer; readonly changed?: () => void },
): Waiters {
  const checks = new Set<() => void>();
  const { clock, timer, changed } = options;
  return {
    count: () => checks.size,
    wake: () => {
      for (const check of [...checks]) check();
    },
    wait: (id, signal) =>
      new Promise((resolve, reject) => {
        let cancel: (() => void) | undefined;
        const settle = (finish: () => void): void => {
          cancel?.();
          signal?.removeEventListener('abort', abort);
          checks.delete(check);
          finish();
          changed?.();
        };
        const abort = (): void => settle(() => reject(signal?.reason as Error));
        let latest = Number.NEGATIVE_INFINITY;
        const ring = (due: number): void => {
          latest = Math.max(latest, due);
          check();
        };
        const check = (): void => {
          try {
            if (!checks.has(check)) return;
            const record = found(look(id), id);
            const now = clock.now();
            const wentBack = now < latest - CLOCK_TOLERANCE_MS;
            const waited = waitedFor(record, now) ?? (wentBack ? lapsed(record) : undefined);
            if (waited !== undefined) {
              settle(() => resolve(waited));
              return;
            }
            cancel?.();
            const { expiresAt } = record.question;
            const left = expiresAt === null ? null : Date.parse(expiresAt) - now;
            // Once the timer has run for all that was left, that is the earliest that the clock may read.
            const due = left !== null && left <= LONGEST_DELAY_MS ? now + left : now;
            cancel = left === null ? undefined : timer.after(left, () => ring(due));
            latest = Math.max(latest, now);
          } catch (error) {
            settle(() => reject(error as Error));
          }
        };
        if (signal?.aborted) {
          abort();
          return;
        }
        signal?.addEventListener('abort', abort);
        checks.add(check);
        check();
        changed?.();
      }),
  };
}

/** A question that may run out has, for who saw the clock go back while waiting. */
function lapsed({ question }: InboxRecord): Waited | undefined {
  return question.expiresAt === null ? undefined : { type: 'expired' };
}

function found(record: InboxRecord | undefined, id: string): InboxRecord {
  if (record !== undefined) return record;
  throw new WarrantError('INBOX_UNKNOWN_QUESTION', `no question has the id ${id}`, { data: { id } });
}
