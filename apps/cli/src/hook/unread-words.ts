import { isMode, type Mode } from '@warrant/adapter-claude-agent';
import { readConfig, workspacePaths } from '@warrant/workspace';
import { eventIn } from './hook-end.ts';
import { type HookCall, workspaceOf } from './run-hook.ts';

/** What a hook was started with; `true` for a word that lacks its value. */
export type GivenWords = { readonly mode: string | true; readonly others: readonly string[] };

/** The mode that was meant, and what of the words could not be read; no mode where nobody can tell which. */
export type MeantWords = { readonly mode: Mode | null; readonly unread: string | null };

/**
 * What other versions know, or somebody mistyped, stands in no way where it is only watched: so a mode says, or else
 * the workspace.
 */
export async function meantWords({ mode, others }: GivenWords, call: Omit<HookCall, 'mode'>): Promise<MeantWords> {
  const known = isMode(mode) ? mode : null;
  const faults = [
    ...(known === null ? [mode === true ? '--mode names no mode' : `there is no mode '${mode}'`] : []),
    ...others.map((word) => `'${word}' is not known`),
  ];
  const meant = known ?? ((await watches(call)) ? 'observe' : null);
  return { mode: meant, unread: faults.length === 0 ? null : faults.join('; ') };
}

/** True where the workspace of an event lets everything happen. */
async function watches(call: Omit<HookCall, 'mode'>): Promise<boolean> {
  try {
    const directory = workspaceOf(call, eventIn(call.input, call.source));
    return directory !== undefined && (await readConfig(workspacePaths(directory))).enforce === false;
  } catch {
    return false;
  }
}
