import { fault } from './errors.ts';
import { openNote, type Signer, signNote, splitNote, type Verifier } from './note.ts';

/** What a signer vouches for: the first `size` entries of the log named `origin` have this tree root. */
export type Checkpoint = { readonly origin: string; readonly size: number; readonly root: Uint8Array };

/** A checkpoint of the C2SP form (https://c2sp.org/tlog-checkpoint), signed. */
export function createCheckpoint(checkpoint: Checkpoint, signers: readonly Signer[]): string {
  const { origin, size, root } = checkpoint;
  if (origin === '' || /[\n\r]/.test(origin)) {
    throw fault('JOURNAL_INVALID_CHECKPOINT', 'the origin of a checkpoint must be one line of text');
  }
  return signNote(`${origin}\n${size}\n${Buffer.from(root).toString('base64')}\n`, signers);
}

/** Checks the signature and reads the checkpoint. @throws JOURNAL_INVALID_CHECKPOINT */
export function openCheckpoint(note: string, verifiers: readonly Verifier[]): Checkpoint {
  return parseCheckpoint(openNote(note, verifiers).text);
}

/** Reads a checkpoint without looking at its signatures. @throws JOURNAL_INVALID_CHECKPOINT */
export function readCheckpoint(note: string): Checkpoint {
  return parseCheckpoint(splitNote(note).text);
}

function parseCheckpoint(text: string): Checkpoint {
  const [origin, size, root] = text.split('\n');
  const bytes = Buffer.from(root ?? '', 'base64');
  const isBase64 = bytes.toString('base64') === root && bytes.length === 32;
  if (origin === undefined || origin === '' || !/^(0|[1-9]\d{0,14})$/.test(size ?? '') || !isBase64) {
    throw fault('JOURNAL_INVALID_CHECKPOINT', 'checkpoint: its first lines are not origin, size and root');
  }
  return { origin, size: Number(size), root: bytes };
}
