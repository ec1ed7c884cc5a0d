import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { verifyJournal } from '../src/index.ts';
import { createPostgresJournal } from '../src/postgres/index.ts';
import { collect, entry } from './support.ts';

const START = resolve(import.meta.dirname, '../../../tooling/servers/start-postgres');
const WRITERS = 4;
const pause = (milliseconds: number) => new Promise((done) => setTimeout(done, milliseconds));

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as { port: number };
  await new Promise((done) => server.close(done));
  return port;
}

/** A cluster whose data outlives the server. */
async function startServer(data: string, port: number): Promise<{ readonly process: ChildProcess; url: string }> {
  const env = { ...process.env, WARRANT_POSTGRES_DATA: data, WARRANT_POSTGRES_PORT: String(port) };
  const child = spawn(START, { env, stdio: ['ignore', 'pipe', 'ignore'] });
  const url = await new Promise<string>((done, fail) => {
    child.stdout.on('data', (bytes) => {
      const found = /^WARRANT_POSTGRES_URL=(\S+)/m.exec(String(bytes));
      if (found !== null) done(found[1] as string);
    });
    child.on('exit', (code) => fail(new Error(`the server did not start: ${code}`)));
  });
  return { process: child, url };
}

async function stopServer(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = new Promise((done) => child.once('exit', done));
  child.kill('SIGTERM');
  await ended;
}

/** The server, without a chance to say anything; its children see that it is gone and follow. */
async function killServer(data: string, child: ChildProcess): Promise<void> {
  const ended = new Promise((done) => child.once('exit', done));
  process.kill(Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n', 1)[0]), 'SIGKILL');
  await ended;
}

test.skipIf(process.env['WARRANT_SOAK'] === undefined)(
  'a PostgreSQL server that is killed and restarted under load loses nothing acknowledged',
  { timeout: 180_000 },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'journal-restart-'));
    chmodSync(folder, 0o755);
    const data = join(folder, 'data');
    const port = await freePort();
    let server = await startServer(data, port);
    const journal = await createPostgresJournal({ url: server.url, connectTimeoutMs: 2000 });
    const acknowledged: string[] = [];
    const codes = new Set<string>();
    let isRunning = true;
    const write = async (writer: number): Promise<void> => {
      for (let count = 0; isRunning; count += 1) {
        const id = `${writer}-${count}`;
        for (let isStored = false; !isStored; ) {
          try {
            const { type } = await journal.append(`s${writer}`, [entry(id, count)], { expected: 'any' });
            expect(['appended', 'duplicate']).toContain(type);
            isStored = true;
          } catch (error) {
            const { code, retryable } = error as { code: string; retryable: boolean };
            expect(retryable).toBe(true);
            codes.add(code);
            await pause(50);
          }
        }
        acknowledged.push(id);
      }
    };
    const writers = Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
    try {
      for (let round = 0; round < 2; round += 1) {
        await pause(1000);
        await killServer(data, server.process);
        server = await startServer(data, port);
      }
      const before = acknowledged.length;
      await pause(1000);
      isRunning = false;
      await writers;
      expect(acknowledged.length).toBeGreaterThan(before);
      expect(codes.size).toBeGreaterThan(0);
      const stored = await collect(journal.readAll());
      expect(stored.map((one) => one.id).sort()).toEqual([...acknowledged].sort());
      expect((await verifyJournal(journal)).type).toBe('intact');
    } finally {
      isRunning = false;
      await journal.close();
      await stopServer(server.process);
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
