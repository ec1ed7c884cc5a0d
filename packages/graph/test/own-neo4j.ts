import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Environment } from '../src/neo4j/index.ts';

const START = resolve(import.meta.dirname, '../../../tooling/servers/start-neo4j');

/** A Neo4j server of a test's own, whose data outlive it. */
export type OwnNeo4j = {
  /** Names the running server. */
  readonly environment: () => Environment;
  readonly start: () => Promise<void>;
  /** The server, without a chance to say anything. */
  readonly kill: () => Promise<void>;
  readonly dispose: () => Promise<void>;
};

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as { port: number };
  await new Promise((done) => server.close(done));
  return port;
}

/** @param settings of start-neo4j */
export async function createOwnNeo4j(settings: Environment): Promise<OwnNeo4j> {
  const folder = mkdtempSync(join(tmpdir(), 'warrant-own-neo4j-'));
  const env = {
    ...process.env,
    WARRANT_NEO4J_PASSWORD: 'of-this-test',
    WARRANT_NEO4J_DATA: join(folder, 'data'),
    WARRANT_NEO4J_PORT: String(await freePort()),
    ...settings,
  };
  let running: { readonly script: ChildProcess; readonly environment: Environment } | null = null;
  const ended = (script: ChildProcess): Promise<unknown> =>
    script.exitCode === null && script.signalCode === null
      ? new Promise((done) => script.once('exit', done))
      : Promise.resolve();
  return {
    environment: () => running?.environment ?? {},
    start: async () => {
      const script = spawn('bash', [START], { env, stdio: ['ignore', 'pipe', 'pipe'] });
      running = { script, environment: { ...(await printed(script)) } };
    },
    kill: async () => {
      if (running === null) return;
      process.kill(Number(running.environment['WARRANT_NEO4J_PID']), 'SIGKILL');
      await ended(running.script);
      running = null;
    },
    dispose: async () => {
      running?.script.kill('SIGTERM');
      if (running !== null) await ended(running.script);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** What the script prints once the server answers. */
function printed(script: ChildProcess): Promise<Environment> {
  let text = '';
  let complaints = '';
  return new Promise((done, fail) => {
    script.stdout?.on('data', (bytes) => {
      text += String(bytes);
      if (!/^WARRANT_NEO4J_URL=\S+\n/m.test(text)) return;
      const lines = text.trim().split('\n');
      done(
        Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)])),
      );
    });
    script.stderr?.on('data', (bytes) => {
      complaints += String(bytes);
    });
    script.once('exit', (code) => fail(new Error(`the server did not start: ${code}\n${complaints}`)));
  });
}
