import { readFile } from 'node:fs/promises';
import { type DepthLevel, isoTime, WarrantError } from '@warrant/core';
import { formatFault } from '@warrant/core/documents';
import { withFileLock, writeFileAtomic } from '@warrant/core/files';
import { fingerprint, isPublicKey, type Pin } from '@warrant/peers';
import { DEFAULT_MAX_PRIMITIVES, formatPin, parsePins, withPin } from '@warrant/peers/files';
import type { Workspace } from '@warrant/workspace';
import { type CommandCall, type CommandModule, print } from '../cli/command.ts';
import { type ExitCode, exitCodes } from '../cli/exit-codes.ts';
import { refuse } from '../cli/failure.ts';
import { wholeNumber } from '../cli/whole-number.ts';
import { withWorkspace } from '../cli/with-workspace.ts';

type Options = {
  readonly concepts: readonly string[];
  readonly maxLevel?: DepthLevel;
  readonly maxPrimitives?: number;
  readonly grounds?: boolean;
};

export const command: CommandModule<Options> = {
  configure: (command) =>
    void command
      .argument('<name>', 'the name that the peer gives in its bundles')
      .argument('<key>', 'its public key')
      .requiredOption('--concepts <name...>', "what it may speak about; a '*' at the end stands for any rest")
      .option('--max-level <level>', 'the highest level it may speak of, 0 to 4 (3)', wholeNumber(0, 4))
      .option('--max-primitives <count>', 'most concepts of one bundle (10000)', wholeNumber(0, 1_000_000))
      .option('--grounds', 'its knowledge counts in checks; without it, it only informs'),
  run: (call) => withWorkspace(call, (workspace) => add(call, workspace)),
};

async function add(call: CommandCall<Options>, { peers, clock }: Workspace): Promise<ExitCode> {
  const [name = '', publicKey = ''] = call.words;
  if (!isPublicKey(publicKey)) {
    const message = 'A public key is ed25519: and 43 characters, as `warrant peer keygen` prints it.';
    return refuse(call, exitCodes.usage, 'CLI_USAGE', message);
  }
  const { concepts, maxLevel = 3, maxPrimitives = DEFAULT_MAX_PRIMITIVES, grounds = false } = call.options;
  const mode = grounds ? 'grounds' : 'informs';
  const pin: Pin = { name, publicKey, concepts, maxLevel, maxPrimitives, mode, pinnedAt: isoTime(clock) };
  const shown = { pin, fingerprint: fingerprint(publicKey) };
  const entry = `${formatPin(pin)}${shown.fingerprint}`;
  if (!call.terminal.interactive) {
    print(call, { ...shown, written: false }, entry);
    const message = 'Nothing was written: a person has to compare the fingerprint and type yes, in a terminal.';
    return refuse(call, exitCodes.pending, 'CLI_NEEDS_PERSON', message);
  }
  call.terminal.write(`${entry}\n`);
  const answer = await call.terminal.ask('Compared with what the peer itself says? Type yes to pin it: ');
  if (answer?.trim() !== 'yes') {
    print(call, { ...shown, written: false }, 'Nothing was written.');
    return exitCodes.no;
  }
  await withFileLock(`${peers.paths.pins}.lock`, () => write(peers.paths.pins, pin));
  print(
    call,
    { ...shown, written: true },
    `${name} is pinned and ${mode === 'grounds' ? 'may ground' : 'only informs'}.`,
  );
  return exitCodes.ok;
}

async function write(file: string, pin: Pin): Promise<void> {
  const before = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  assertSound(file, before);
  const text = withPin(before, pin);
  assertSound(file, text);
  await writeFileAtomic(file, text);
}

function assertSound(file: string, text: string): void {
  const parsed = parsePins({ file, text });
  if (parsed.type === 'pins') return;
  throw new WarrantError('PEERS_PINS_INVALID', parsed.faults.map(formatFault).join('\n'), { data: { file } });
}
