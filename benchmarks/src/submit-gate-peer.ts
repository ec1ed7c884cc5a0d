import { startPython } from './python-peer.ts';

export type GroundingGatePeer = {
  /** CPU seconds that `count` operations took. */
  seconds(work: string, count: number): Promise<number>;
  stop(): void;
};

/** The reference, or null where no Python (that of WARRANT_GROUNDING_GATE_PYTHON, or the machine's own) has it. */
export async function startGroundingGate(): Promise<GroundingGatePeer | null> {
  const peer = await startPython(process.env['WARRANT_GROUNDING_GATE_PYTHON'] ?? 'python3', 'grounding-gate.py');
  return (
    peer && { seconds: async (work, count) => Number(await peer.ask(`${work} ${count}`)), stop: () => peer.stop() }
  );
}
