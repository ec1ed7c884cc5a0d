import { randomBytes, timingSafeEqual } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import type { Mode } from '@warrant/adapter-claude-agent';
import { WarrantError } from '@warrant/core';
import { withFileLock } from '@warrant/core/files';
import type { ServedCall } from './ask-served.ts';
import { answeredEnd, createNotes, eventIn, failedEnd, type HookEnd } from './hook-end.ts';
import { servedFiles, servedPlace } from './served-place.ts';
import { createServedWorkspace, type ServedWorkspace } from './served-workspace.ts';

/** Longest path that a socket may have on every system. */
const LONGEST_PATH = 100;

/**
 * Answers hooks on a Unix socket until it is closed: the workspace stays open, so that an answer costs milliseconds. Socket
 * and keys lie in a folder that only its owner may enter; who does not show the key is not answered.
 * @throws CLI_SOCKET_PATH, CLI_SERVED when another process answers there, CLI_SOCKET_OPEN where others could enter
 */
export async function serveHooks(
  directory: string,
): Promise<{ readonly path: string; readonly close: () => Promise<void> }> {
  const served = createServedWorkspace(directory);
  const folder = await served.directory();
  const files = servedFiles(folder);
  const { path } = files;
  try {
    if (path.length > LONGEST_PATH)
      throw new WarrantError('CLI_SOCKET_PATH', `${path} is too long for a socket`, { data: { path } });
    mkdirSync(files.folder, { recursive: true, mode: 0o700 });
    chmodSync(files.folder, 0o700);
    writeFileSync(join(files.folder, '.gitignore'), '*\n');
    // Of two that start at once, the second finds the first one answering.
    const server = await withFileLock(files.lock, async () => {
      await takeSocket(path);
      const keys = { asks: randomBytes(32).toString('hex'), answers: randomBytes(32).toString('hex') };
      rmSync(files.keys, { force: true });
      writeFileSync(files.keys, `${keys.asks} ${keys.answers}\n`, { mode: 0o600, flag: 'wx' });
      const opened = createServer({ allowHalfOpen: true }, (socket) => answer(served, keys, socket));
      await listen(opened, path);
      chmodSync(path, 0o600);
      return opened;
    });
    const close = async (): Promise<void> => {
      await withFileLock(files.lock, async () => {
        await new Promise<void>((done) => server.close(() => done()));
        rmSync(path, { force: true });
        rmSync(files.keys, { force: true });
      });
      await served.close();
    };
    // Hooks look as closely: what they would not believe is not worth being left there.
    if (servedPlace(folder) !== null) return { path, close };
    await close();
    throw new WarrantError('CLI_SOCKET_OPEN', `${files.folder} cannot be kept from others`, { data: { path } });
  } catch (error) {
    await served.close();
    throw error;
  }
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((done, fail) => {
    server.once('error', fail);
    server.listen(path, () => done());
  });
}

/** What a socket says behind which there is nobody. */
const GONE: ReadonlySet<string | undefined> = new Set(['ECONNREFUSED', 'ENOENT', 'ENOTSOCK']);

/** A socket that nobody answers was left behind by a process that died. @throws CLI_SERVED when somebody answers */
async function takeSocket(path: string): Promise<void> {
  if (!existsSync(path)) return;
  const alive = await new Promise<boolean>((done) => {
    const socket = createConnection(path, () => {
      socket.destroy();
      done(true);
    });
    // One that is busy has no place for another who asks, and is there.
    socket.on('error', ({ code }: NodeJS.ErrnoException) => done(!GONE.has(code)));
  });
  if (alive) throw new WarrantError('CLI_SERVED', `another process answers at ${path} already`, { data: { path } });
  rmSync(path, { force: true });
}

type Keys = { readonly asks: string; readonly answers: string };

function answer(served: ServedWorkspace, keys: Keys, socket: Socket): void {
  const chunks: Buffer[] = [];
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk) => void chunks.push(chunk));
  socket.on('end', () => {
    const text = Buffer.concat(chunks).toString('utf8');
    const end = text.indexOf('\n');
    if (!same(text.slice(0, Math.max(0, end)), keys.asks)) {
      socket.destroy();
      return;
    }
    // Where who asked has gone meanwhile, what was decided is in the record.
    void endOf(served, text.slice(end + 1)).then((ended) => socket.end(`${keys.answers}\n${JSON.stringify(ended)}`));
  });
}

function same(given: string, key: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(key)];
  return a.length === b.length && timingSafeEqual(a, b);
}

async function endOf(served: ServedWorkspace, text: string): Promise<HookEnd> {
  let mode: Mode = 'enforce';
  try {
    const call = JSON.parse(text) as ServedCall;
    mode = call.mode;
    const event = eventIn(call.input, call.source);
    const { blockCap } = call;
    const notes = createNotes(event);
    const how = { mode, blockCap, onReport: notes.report };
    const answered = await served.use(how, (engine) => engine.handle(event));
    return answeredEnd(event, answered, notes.text());
  } catch (error) {
    return failedEnd(mode, error);
  }
}
