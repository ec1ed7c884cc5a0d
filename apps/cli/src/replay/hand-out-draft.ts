import { resolve } from 'node:path';
import { writeFileAtomic } from '@warrant/core/files';
import { type CommandCall, print } from '../cli/command.ts';
import { type ExitCode, exitCodes } from '../cli/exit-codes.ts';

type Said = {
  /** Of a draft that holds nothing; null of one that holds something. */
  readonly nothing: string | null;
  /** Once it is in its file. */
  readonly written: (file: string) => string;
};

/** Prints a drafted document, or writes it where `--output` says. */
export async function handOutDraft(
  call: CommandCall<{ readonly output?: string }>,
  draft: { readonly text: string },
  { nothing, written }: Said,
): Promise<ExitCode> {
  const { output, json } = call.options;
  if (nothing !== null) {
    print(call, draft, nothing);
    return exitCodes.missing;
  }
  if (output === undefined) {
    if (json === true) print(call, draft, '');
    else call.terminal.write(draft.text);
    return exitCodes.ok;
  }
  const file = resolve(call.terminal.directory, output);
  await writeFileAtomic(file, draft.text);
  print(call, { ...draft, file }, written(file));
  return exitCodes.ok;
}
