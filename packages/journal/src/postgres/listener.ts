import type { Pool, PoolClient } from 'pg';
import { createWaiters } from '../waiters.ts';

/** Notices are gathered this long, since each costs a round trip. */
const GATHER_MS = 10;
const RECONNECT_MS = 1000;

/**
 * Tells this and other processes that something was appended. Only wakes readers: a lost notice costs them the polling
 * time. Notices are sent outside the appends' own transactions, because PostgreSQL makes transactions that notify wait
 * for one another at their commit. @internal
 */
export class PostgresListener {
  readonly #pool: Pool;
  readonly #channel: string;
  readonly #waiters = createWaiters();
  #client: PoolClient | undefined;
  #listening = false;
  #notice: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(pool: Pool, channel: string) {
    this.#pool = pool;
    this.#channel = channel;
  }

  version(): number {
    return this.#waiters.version();
  }

  async wait(seen: number, signal: AbortSignal | undefined, timeoutMs: number): Promise<void> {
    this.#listen();
    await this.#waiters.wait(seen, signal, timeoutMs);
  }

  announce(): void {
    this.#waiters.wake();
    if (this.#notice !== undefined || this.#closed) return;
    this.#notice = setTimeout(() => {
      this.#notice = undefined;
      // Readers that miss it look by themselves before long.
      this.#pool.query('SELECT pg_notify($1, $2)', [this.#channel, '']).catch(() => undefined);
    }, GATHER_MS);
    this.#notice.unref();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#notice);
    this.#waiters.close();
    this.#client?.release(true);
    this.#client = undefined;
  }

  #listen(): void {
    if (this.#listening || this.#closed) return;
    this.#listening = true;
    this.#connect().catch(() => this.#later());
  }

  async #connect(): Promise<void> {
    const client = await this.#pool.connect();
    if (this.#closed) return client.release(true);
    this.#client = client;
    client.on('notification', () => this.#waiters.wake());
    client.on('error', () => {
      if (this.#client !== client) return;
      this.#client = undefined;
      client.release(true);
      this.#later();
    });
    await client.query(`LISTEN "${this.#channel}"`);
  }

  #later(): void {
    setTimeout(() => {
      this.#listening = false;
    }, RECONNECT_MS).unref();
  }
}
