import { connect, createServer, type Socket } from 'node:net';

/** COMMIT of the Bolt protocol: a chunk of two bytes, a structure without fields, signature 0x12. */
const COMMIT = Buffer.from([0x00, 0x02, 0xb0, 0x12, 0x00, 0x00]);

/** What stands between a store and its server. */
export type BoltProxy = {
  readonly url: string;
  /** Cuts the connection at the next COMMIT: before the server hears of it, or before its answer comes back. */
  readonly cutAtCommit: (when: 'before' | 'after') => void;
  /** Cuts every connection. */
  readonly cut: () => void;
  /** Keeps back what the server says from now on. */
  readonly mute: () => void;
  readonly close: () => Promise<void>;
};

/** A proxy on the loopback address to a server at `bolt://host:port`. */
export async function openProxy(target: string): Promise<BoltProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let plan: 'before' | 'after' | null = null;
  let isMute = false;
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    let isDeaf = false;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        client.destroy();
        upstream.destroy();
      });
    }
    client.on('data', (bytes) => {
      if (plan === null || !bytes.includes(COMMIT)) return void upstream.write(bytes);
      if (plan === 'before') client.destroy();
      else {
        isDeaf = true;
        upstream.write(bytes);
      }
      plan = null;
    });
    upstream.on('data', (bytes) => {
      if (isDeaf) client.destroy();
      else if (!isMute) client.write(bytes);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `bolt://127.0.0.1:${(server.address() as { port: number }).port}`,
    cutAtCommit: (when) => {
      plan = when;
    },
    cut,
    mute: () => {
      isMute = true;
    },
    close: async () => {
      cut();
      await new Promise((done) => server.close(done));
    },
  };
}
