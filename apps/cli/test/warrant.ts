import { runCommandLine } from '../src/cli/run.ts';
import { table } from '../src/cli/table.ts';

export type Ran = { readonly code: number; readonly out: string; readonly error: string };

export type How = {
  /** Lines typed at questions; together they are standard input too. */
  readonly typed?: readonly string[];
  readonly colour?: boolean;
  /** A person sits there. @default false */
  readonly interactive?: boolean;
  readonly environment?: Readonly<Record<string, string>>;
};

/** Runs one command line in a directory and keeps what it prints. */
export async function runWarrant(directory: string, words: readonly string[], how: How = {}): Promise<Ran> {
  let out = '';
  let error = '';
  const lines = [...(how.typed ?? [])];
  const code = await runCommandLine(words, table, {
    directory,
    environment: how.environment ?? {},
    interactive: how.interactive ?? false,
    colour: how.colour ?? false,
    columns: 100,
    write: (text) => {
      out += text;
    },
    writeError: (text) => {
      error += text;
    },
    ask: () => Promise.resolve(lines.shift() ?? null),
    readInput: () => Promise.resolve((how.typed ?? []).join('\n')),
  });
  return { code, out, error };
}
