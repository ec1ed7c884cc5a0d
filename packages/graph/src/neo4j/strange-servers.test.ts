import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createNeo4jGraphStore } from './neo4j-graph-store.ts';

let server: Server | undefined;
const sockets = new Set<Socket>();
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  await new Promise<void>((done) => (server === undefined ? done() : void server.close(() => done())));
});

/** A server that answers the first bytes with these, and all others with nothing. */
function saying(answer: Buffer | null): Server {
  return createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => (answer === null ? socket.destroy() : socket.write(answer)));
  });
}
const AGREED = Buffer.from([0, 0, 4, 5]);
const HOLLOW = Buffer.from([0, 1, 0xff, 0, 0]);

test.each<[string, () => Server, boolean]>([
  ['speaks HTTP', () => createHttpServer((_, response) => void response.end('hello')), false],
  ['says less than an answer', () => saying(Buffer.from('x')), false],
  ['wants another version of the protocol', () => saying(Buffer.from([0, 0, 0, 64])), false],
  ['says what no message is', () => saying(Buffer.concat([AGREED, HOLLOW])), false],
  ['agrees, and falls silent', () => saying(AGREED), true],
  ['says nothing', () => saying(Buffer.alloc(0)), true],
  ['hangs up', () => saying(null), true],
])('a server that %s is a typed error', async (_, create, retryable) => {
  const strange = create();
  server = strange;
  strange.on('connection', (socket: Socket) => sockets.add(socket));
  await new Promise<void>((done) => void strange.listen(0, '127.0.0.1', () => done()));
  const url = `bolt://127.0.0.1:${(strange.address() as AddressInfo).port}`;
  const options = { url, environment: { WARRANT_NEO4J_PASSWORD: 'x' }, connectMs: 500, retryMs: 0 };
  await expect(createNeo4jGraphStore(options)).rejects.toMatchObject({
    code: 'GRAPH_UNREACHABLE',
    retryable,
    data: { url },
  });
});
