import { startPython } from './python-peer.ts';
import type { VreGraphKind } from './vre-graph.ts';

export type VrePeer = {
  /** A new SQLite file with the generated graph. @returns the processor seconds that saving took */
  fill(kind: VreGraphKind, count: number): Promise<number>;
  /** @returns the processor milliseconds of each of so many checks on the graph that was filled last */
  check(concepts: number, count: number): Promise<readonly number[]>;
  stop(): void;
};

/** The reference, or null where no Python (that of WARRANT_VRE_PYTHON, or the machine's own) has vre 1.0.1. */
export async function startVre(): Promise<VrePeer | null> {
  const peer = await startPython(process.env['WARRANT_VRE_PYTHON'] ?? 'python3', 'vre-reference.py');
  return (
    peer && {
      fill: async (kind, count) => Number(await peer.ask(`fill ${kind} ${count}`)),
      check: async (concepts, count) => JSON.parse(await peer.ask(`check ${concepts} ${count}`)) as readonly number[],
      stop: () => peer.stop(),
    }
  );
}
