import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type ProvenJournal, parseVerifier, type Verified, verifyJournal } from '@warrant/journal';
import { type ArchiveVerified, verifyArchive } from '@warrant/journal/files';
import { type CommandModule, paint, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { createProgress } from '../cli/progress.ts';
import { readNamed } from '../cli/read-named.ts';
import { withWorkspace } from '../cli/with-workspace.ts';

type Options = {
  readonly checkpoint?: readonly string[];
  readonly key?: readonly string[];
  readonly archive?: string;
};

export const command: CommandModule<Options> = {
  configure: (command) =>
    void command
      .option('--checkpoint <file...>', 'signed checkpoints kept elsewhere')
      .option('--key <key...>', 'verifying keys (name+id+key) that must have signed them')
      .option('--archive <folder>', 'where archived segments lie (default: .warrant/archive)'),
  run: (call) =>
    withWorkspace(
      call,
      async ({ journal, paths }) => {
        const progress = createProgress(call.terminal);
        const files = call.options.checkpoint ?? [];
        const verified = await verifyJournal(journal, {
          checkpoints: await Promise.all(files.map((file) => readNamed(call.terminal.directory, file))),
          ...(call.options.key === undefined ? {} : { verifiers: call.options.key.map(parseVerifier) }),
          onProgress: ({ entries, total }) => progress.show(`${entries} of ${total} entries`),
        });
        const folder =
          call.options.archive === undefined
            ? resolve(paths.folder, 'archive')
            : resolve(call.terminal.directory, call.options.archive);
        const archive = await archiveOf(journal, verified, folder);
        progress.done();
        const counts = [
          `${verified.entries} entries in ${verified.streams} streams`,
          ...(verified.checkpoint > 0 ? [`held against a checkpoint of size ${verified.checkpoint}`] : []),
          ...archiveText(verified, archive, folder),
        ].join(', ');
        const answer = archive === undefined ? verified : withArchive(verified, archive);
        const { damage } = answer;
        const place = damage?.stream === undefined ? '' : ` at ${damage.stream}/${damage.position ?? '?'}`;
        const text =
          damage === undefined
            ? `${paint(call, 'green', 'intact')}: ${counts}`
            : `${paint(call, 'red', damage.kind)}${place}: ${damage.message}`;
        print(call, answer, text);
        return damage === undefined ? exitCodes.ok : exitCodes.no;
      },
      { readOnly: true },
    ),
};

/** What was archived is held against its segments where they are at hand; a segment alone that is gone is damage. */
async function archiveOf(
  journal: ProvenJournal,
  { type, archived }: Verified,
  folder: string,
): Promise<ArchiveVerified | undefined> {
  return type === 'damaged' || archived === 0 || !existsSync(folder) ? undefined : verifyArchive(journal, { folder });
}

function withArchive(verified: Verified, { type, damage, entries, segments }: ArchiveVerified) {
  return { ...verified, type, archive: { entries, segments }, ...(damage === undefined ? {} : { damage }) };
}

function archiveText({ archived }: Verified, archive: ArchiveVerified | undefined, folder: string): readonly string[] {
  if (archived === 0) return [];
  if (archive !== undefined) return [`${archive.entries} of them held against ${archive.segments} archived segments`];
  return [`${archived} of them archived, which nobody looked at: there is no ${folder}`];
}
