import { mkdir, readFile, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { isoTime, systemClock, WarrantError } from '@warrant/core';
import { writeFileAtomic } from '@warrant/core/files';

export type Place = 'project' | 'user' | 'local';

/** Where Claude Code keeps its settings. */
export function settingsPath(
  place: Place,
  directory: string,
  environment: Readonly<Record<string, string | undefined>>,
): string {
  if (place === 'user') {
    const folder = environment['CLAUDE_CONFIG_DIR'] ?? '';
    return join(
      folder === '' ? join(environment['HOME'] ?? homedir(), '.claude') : resolve(directory, folder),
      'settings.json',
    );
  }
  return join(directory, '.claude', place === 'local' ? 'settings.local.json' : 'settings.json');
}

export async function readSettings(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Writes settings, with a copy of what was there beside them. @throws CLI_SETTINGS_CHANGED when somebody else wrote meanwhile */
export async function writeSettings(path: string, before: string | null, after: string): Promise<string | null> {
  // A link to settings elsewhere stays a link.
  const file = before === null ? path : await realpath(path);
  await mkdir(dirname(file), { recursive: true });
  if ((await readSettings(file)) !== before) {
    throw new WarrantError('CLI_SETTINGS_CHANGED', `${path} was changed meanwhile: nothing was written; run it again`, {
      data: { file: path },
      retryable: true,
    });
  }
  let backup: string | null = null;
  if (before !== null) {
    backup = `${file}.${isoTime(systemClock).replaceAll(/[:.]/g, '-')}.backup`;
    await writeFileAtomic(backup, before);
  }
  await writeFileAtomic(file, after);
  return backup;
}

/** The lines that differ, with a little around them. */
export function lineDiff(before: string, after: string): readonly string[] {
  const old = before.split('\n');
  const now = after.split('\n');
  const common = longestCommon(old, now);
  const lines: string[] = [];
  let a = 0;
  let b = 0;
  for (const line of [...common, null]) {
    while (a < old.length && old[a] !== line) lines.push(`- ${old[a++]}`);
    while (b < now.length && now[b] !== line) lines.push(`+ ${now[b++]}`);
    a += 1;
    b += 1;
  }
  return lines;
}

function longestCommon(a: readonly string[], b: readonly string[]): readonly string[] {
  const lengths = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1));
  const at = (i: number, j: number): number => (lengths[i] as Uint32Array)[j] as number;
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      (lengths[i] as Uint32Array)[j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const common: string[] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) {
      common.push(a[i] as string);
      i += 1;
      j += 1;
    } else if (at(i + 1, j) >= at(i, j + 1)) i += 1;
    else j += 1;
  }
  return common;
}
