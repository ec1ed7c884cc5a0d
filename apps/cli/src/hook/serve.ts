import { chmodSync, existsSync, rmSync, statSync } from 'node:fs';
import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { join, resolve } from 'node:path';
import { type ClaudeEngine, type Mode, readHookInput, toHookOutput } from '@warrant/adapter-claude-agent';
import { isWarrantError, WarrantError } from '@warrant/core';
import { openWorkspace, type Workspace, type WorkspacePaths } from '@warrant/workspace';
import type { ServedCall } from './ask-served.ts';
import { wireEngine } from './engine.ts';
import type { HookEnd } from './run-hook.ts';

/** Longest path that a socket may have on every system. */
const LONGEST_PATH = 100;

function socketPath({ folder }: Pick<WorkspacePaths, 'folder'>): string {
  return join(folder, 'hook.sock');
}

/** Answers hooks on a Unix socket until it is closed: the workspace stays open, so that an answer costs milliseconds. */
export async function serveHooks(
  directory: string,
): Promise<{ readonly path: string; readonly close: () => Promise<void> }> {
  const served = createServed(directory);
  const { paths } = await served.workspace();
  const path = socketPath(paths);
  if (path.length > LONGEST_PATH) {
    await served.close();
    throw new WarrantError('CLI_SOCKET_PATH', `${path} is too long for a socket`, { data: { path } });
  }
  await takeSocket(path);
  const server = createServer({ allowHalfOpen: true }, (socket) => answer(served, socket));
  await listen(server, path);
  // Whoever may not write the workspace may not speak for it.
  chmodSync(path, 0o600);
  return {
    path,
    close: async () => {
      await new Promise<void>((done) => server.close(() => done()));
      rmSync(path, { force: true });
      await served.close();
    },
  };
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((done, fail) => {
    server.once('error', fail);
    server.listen(path, () => done());
  });
}

/** A socket that nobody answers was left behind by a process that died. @throws CLI_SERVED when somebody answers */
async function takeSocket(path: string): Promise<void> {
  if (!existsSync(path)) return;
  const alive = await new Promise<boolean>((done) => {
    const socket = createConnection(path, () => {
      socket.destroy();
      done(true);
    });
    socket.on('error', () => done(false));
  });
  if (alive) throw new WarrantError('CLI_SERVED', `another process answers at ${path} already`, { data: { path } });
  rmSync(path, { force: true });
}

type Served = {
  readonly workspace: () => Promise<Workspace>;
  readonly engine: (mode: Mode, blockCap: number | undefined) => Promise<ClaudeEngine>;
  readonly close: () => Promise<void>;
};

/** The open workspace and its engines; opened anew when settings or policies were written since. */
function createServed(directory: string): Served {
  let open:
    | Promise<{ workspace: Workspace; engines: Map<string, Promise<ClaudeEngine>>; signature: string }>
    | undefined;
  const reopen = async () => {
    const workspace = await openWorkspace({ directory, create: false });
    return { workspace, engines: new Map<string, Promise<ClaudeEngine>>(), signature: signatureOf(workspace) };
  };
  const close = async (): Promise<void> => {
    const current = await open;
    open = undefined;
    if (current === undefined) return;
    await current.workspace.close();
  };
  const current = async () => {
    const known = await open;
    if (known !== undefined && signatureOf(known.workspace) !== known.signature) await close();
    open ??= reopen();
    return open;
  };
  return {
    workspace: async () => (await current()).workspace,
    engine: async (mode, blockCap) => {
      const { workspace, engines } = await current();
      const name = `${mode}/${blockCap ?? ''}`;
      const engine = engines.get(name) ?? wireEngine(workspace, { mode, blockCap });
      engines.set(name, engine);
      return engine;
    },
    close,
  };
}

function signatureOf({ paths, config }: Workspace): string {
  const files = [
    paths.config,
    ...config.policy.files,
    ...(config.shell.programs === undefined ? [] : [config.shell.programs]),
    join(paths.memory, 'permissions.yaml'),
    join(paths.memory, 'memory.yaml'),
  ];
  return files
    .map((file) => statSync(resolve(paths.folder, file), { throwIfNoEntry: false }))
    .map((stat) => (stat === undefined ? 'gone' : `${stat.mtimeMs}/${stat.size}/${stat.ino}`))
    .join();
}

function answer(served: Served, socket: Socket): void {
  const chunks: Buffer[] = [];
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk) => void chunks.push(chunk));
  socket.on('end', () => {
    // Where who asked has gone meanwhile, what was decided is in the record.
    void endOf(served, Buffer.concat(chunks).toString('utf8')).then((end) => socket.end(JSON.stringify(end)));
  });
}

async function endOf(served: Served, text: string): Promise<HookEnd> {
  let mode: Mode = 'enforce';
  try {
    const call = JSON.parse(text) as ServedCall;
    mode = call.mode;
    const event = readHookInput(JSON.parse(call.input), { source: call.source });
    const engine = await served.engine(mode, call.blockCap);
    return { code: 0, out: `${JSON.stringify(toHookOutput(event, await engine.handle(event)))}\n`, error: '' };
  } catch (error) {
    const said = `Warrant: ${isWarrantError(error) ? `${error.message} (${error.code})` : String(error)}\n`;
    return mode === 'observe' ? { code: 0, out: '{}\n', error: said } : { code: 2, out: '', error: said };
  }
}
