import type { Json, JsonObject } from '@warrant/core';
import {
  createGate,
  createTurnLoop,
  describeMove,
  type ModelInput,
  type ModelMove,
  readMessage,
  type TurnOutcome,
} from '@warrant/submit-gate';

/** A disk on which the first write is lost. */
function forgetfulDisk(): {
  readonly read: (path: string) => string;
  readonly write: (path: string, text: string) => void;
} {
  const files = new Map([['app.cfg', 'timeout=5']]);
  let writes = 0;
  return {
    read: (path) => files.get(path) ?? 'Error: no such file',
    write: (path, text) => {
      writes += 1;
      if (writes > 1) files.set(path, text);
    },
  };
}

const write: ModelMove = {
  type: 'calls',
  calls: [{ tool: 'Write', arguments: { file_path: 'app.cfg', content: 'timeout=30' } }],
};
const done: ModelMove = { type: 'submit', claim: readMessage('Done. I have set the timeout in app.cfg to 30.').claim };

/** An agent that writes, claims, and then does what the gate says would help. */
function agent(log: (line: string) => void): { next(inputs: readonly ModelInput[]): Promise<ModelMove> } {
  let previous: ModelMove | null = null;
  return {
    next: async (inputs) => {
      const refusal = inputs.find((input) => input.type === 'refused');
      previous = refusal === undefined ? (previous === null ? write : done) : followed(refusal.verdict.legalNext, log);
      return previous;
    },
  };
}

function followed(
  moves: Extract<ModelInput, { readonly type: 'refused' }>['verdict']['legalNext'],
  log: (line: string) => void,
): ModelMove {
  const move = moves[0];
  log(`refused: ${move === undefined ? 'no way on' : describeMove(move)}`);
  if (move?.type === 'redo') return write;
  if (move?.type === 'observe' && move.tool !== undefined)
    return { type: 'calls', calls: [{ tool: move.tool, arguments: move.arguments ?? {} }] };
  return { type: 'submit', claim: { type: 'unverified' } };
}

/** Runs the story; returns how the turn ended and what stands on the disk. */
export async function story(
  log: (line: string) => void,
): Promise<{ readonly outcome: TurnOutcome; readonly disk: string }> {
  const disk = forgetfulDisk();
  const text = (args: JsonObject, name: string): string => (typeof args[name] === 'string' ? args[name] : '');
  const tools = {
    Read: (args: JsonObject): Json => disk.read(text(args, 'file_path')),
    Write: (args: JsonObject): Json => {
      disk.write(text(args, 'file_path'), text(args, 'content'));
      return 'File written.';
    },
  };
  const loop = createTurnLoop({ model: agent(log), tools, gate: createGate({ preset: 'coding' }), maxBlocks: 5 });
  const outcome = await loop.run('Set the timeout in app.cfg to 30');
  log(`${outcome.type} after ${outcome.blocks} refusals; the disk says ${disk.read('app.cfg')}`);
  return { outcome, disk: disk.read('app.cfg') };
}

if (process.argv[1] === import.meta.filename) {
  const { outcome, disk } = await story((line) => console.log(line));
  process.exitCode = outcome.type === 'accepted' && disk === 'timeout=30' ? 0 : 1;
}
