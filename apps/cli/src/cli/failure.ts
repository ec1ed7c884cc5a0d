import { isWarrantError, WarrantError } from '@warrant/core';
import { type ExitCode, exitCodes } from './exit-codes.ts';
import type { Terminal } from './terminal.ts';
import { visible } from './visible.ts';

export type Asked = {
  readonly terminal: Pick<Terminal, 'write' | 'writeError'>;
  readonly options: { readonly json?: boolean };
};

/** Says why a command does nothing: on standard error, and with `--json` also as `{"error": {...}}`. */
export function refuse({ terminal, options }: Asked, exit: ExitCode, code: `CLI_${string}`, message: string): ExitCode {
  if (options.json === true) writeJson(new WarrantError(code, message), terminal);
  terminal.writeError(`${visible(message, { colour: false })}\n`);
  return exit;
}

/** Prints what a command threw. Only a fault of this program shows where it happened. */
export function report(error: unknown, { terminal, options }: Asked): ExitCode {
  const known = isWarrantError(error) ? error : fileError(error);
  const shown = known ?? new WarrantError('CLI_FAULT', error instanceof Error ? error.message : String(error));
  if (options.json === true) writeJson(shown, terminal);
  const place = known === undefined && error instanceof Error ? `\n${error.stack ?? ''}` : '';
  const message = [shown.message, ...faultsOf(shown)].join('\n');
  terminal.writeError(`${visible(message, { colour: false })} (${shown.code})${place}\n`);
  return isBadInput(shown) ? exitCodes.usage : exitCodes.failed;
}

/** The faults of a document that the message does not tell already: the first is always there, of some errors all are. */
function faultsOf({ data, message: told }: WarrantError): readonly string[] {
  const faults = Array.isArray(data['faults']) ? data['faults'].slice(1) : [];
  return faults.flatMap((fault) => {
    const { file, path, line, column, message, expected } = (fault ?? {}) as { readonly [key: string]: unknown };
    if (typeof message !== 'string') return [];
    const place = [file, ...(line === undefined ? [path] : [line, column])].flatMap((part) =>
      typeof part === 'string' || typeof part === 'number' ? [`${part}`] : [],
    );
    const text = [place.join(':'), message].filter((part) => part !== '').join(': ');
    if (told.includes(text)) return [];
    return [typeof expected === 'string' ? `${text} (${expected})` : text];
  });
}

/** Names of files come from the caller: these errors say that a name is wrong, others that the machine failed. */
const wrongNames: ReadonlySet<string | undefined> = new Set(['ENOENT', 'EISDIR', 'ENOTDIR', 'EEXIST', 'ENAMETOOLONG']);

/** What Node says about a file, without its stack. */
function fileError(error: unknown): WarrantError | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, syscall, path } = error as NodeJS.ErrnoException;
  if (code === undefined || syscall === undefined) return undefined;
  const message = error.message.replace(/^[A-Z0-9]+: /, '');
  const data = { errno: code, ...(path === undefined ? {} : { path }) };
  return new WarrantError(wrongNames.has(code) ? 'CLI_FILE_NAME' : 'CLI_FILE_IO', message, { data, cause: error });
}

/** Files and databases that fail are not the caller's wording, and neither are faults of this program. */
function isBadInput({ code }: WarrantError): boolean {
  return !/^(SQLITE|FILE|POSTGRES)_|^GRAPH_(UNREACHABLE|UNAUTHORIZED|BUSY|TOO_LARGE|SERVER_FAILED|STORE_CORRUPT|FILE_CORRUPT)$|^CLI_FAULT$|^WORKSPACE_DATABASE_MISSING$|_(IO|UNAVAILABLE|OUTCOME_UNKNOWN|CLOSED)$/.test(
    code,
  );
}

function writeJson(error: WarrantError, terminal: Pick<Terminal, 'write'>): void {
  terminal.write(`${JSON.stringify({ error: error.toJSON() }, null, 2)}\n`);
}
