import { isMode, type Mode } from '@warrant/adapter-claude-agent';
import { canEnforce } from './client-version.ts';
import { type HookEntry, hookEntries, readEntry } from './entries.ts';
import type { Place } from './settings-file.ts';
import { installedIn } from './settings-text.ts';

export type InstallStatus = {
  readonly place: Place;
  readonly path: string;
  readonly mode: string | null;
  readonly events: number;
  readonly problems: readonly string[];
};

/** What the client gives a hook whose entry names no time, in seconds. */
const DEFAULT_TIMEOUT = 60;

/** What is installed in some settings, and what of it would not do what its mode says. */
export function checkInstall(
  { place, path, text }: { readonly place: Place; readonly path: string; readonly text: string },
  {
    version,
    waits,
  }: {
    /** Of the client; null where it does not say. */
    readonly version: string | null;
    /** Longest time that a hook waits for a person, in seconds. */
    readonly waits: number;
  },
): InstallStatus {
  const installed = installedIn(text).map(({ value, ...rest }) => ({ ...rest, entry: value as HookEntry }));
  const modes = [...new Set(installed.map(({ entry }) => readEntry(entry)?.mode ?? 'observe'))];
  const mode = modes[0] ?? null;
  if (mode === null) return { place, path, mode: null, events: 0, problems: [] };
  const problems = [
    ...(modes.length > 1 ? [`entries are in several modes: ${modes.join(', ')}`] : []),
    ...(isMode(mode) ? [] : [`there is no mode '${mode}'`]),
    ...missing(mode as Mode, installed),
    ...twice(installed),
    ...bent(installed),
    ...(mode === 'observe' ? [] : tooShort(installed, waits)),
    ...(mode === 'enforce' ? unguarded(installed, version) : []),
  ];
  return { place, path, mode, events: new Set(installed.map(({ event }) => event)).size, problems };
}

type Installed = readonly { readonly event: string; readonly matcher: string | null; readonly entry: HookEntry }[];

/** Members of an entry by which the client does not call it each time, or does not wait for it. */
const BENDING: { readonly [member: string]: string } = {
  async: 'is not waited for',
  asyncRewake: 'is not waited for',
  once: 'is called once only',
  if: 'is called for some calls only',
};

function bent(installed: Installed): readonly string[] {
  return installed.flatMap(({ event, matcher, entry }) => [
    ...(matcher === null ? [] : [`${event} is called for ${matcher} only (matcher)`]),
    ...Object.entries(BENDING).flatMap(([member, how]) => {
      const value = (entry as { readonly [name: string]: unknown })[member];
      return value === undefined || value === false ? [] : [`${event} ${how} (${member})`];
    }),
  ]);
}

function missing(mode: Mode, installed: Installed): readonly string[] {
  const wanted = hookEntries({ mode, from: 'project', command: '', timeout: 0 }).map(({ event }) => event);
  const there = new Set(installed.map(({ event }) => event));
  return wanted.filter((event) => !there.has(event)).map((event) => `${event} has no hook`);
}

function twice(installed: Installed): readonly string[] {
  const counts = new Map<string, number>();
  for (const { event } of installed) counts.set(event, (counts.get(event) ?? 0) + 1);
  return [...counts].filter(([, count]) => count > 1).map(([event]) => `${event} has more than one hook here`);
}

/** A hook that is ended while it waits for a person has said nothing. */
function tooShort(installed: Installed, waits: number): readonly string[] {
  const short = installed.find(
    ({ event, entry }) => event === 'PreToolUse' && (entry.timeout ?? DEFAULT_TIMEOUT) <= waits,
  );
  if (short === undefined) return [];
  const ends = `${short.entry.timeout ?? DEFAULT_TIMEOUT} s`;
  return [`PreToolUse is ended after ${ends}, and a person is waited for ${waits} s: install it again`];
}

/** In enforce a call must not run when its hook fails, and a hook that hangs must end. */
function unguarded(installed: Installed, version: string | null): readonly string[] {
  const wanted = hookEntries({ mode: 'enforce', from: 'project', command: '', timeout: 0 });
  const guarding = new Set<string>(wanted.filter(({ entry }) => entry.onFailure === 'block').map(({ event }) => event));
  const entries = installed
    .filter(({ event }) => guarding.has(event))
    .flatMap(({ event, entry }) => [
      ...(entry.onFailure === 'block' ? [] : [`${event} lets the call run when its hook fails (no onFailure: block)`]),
      ...(typeof entry.timeout === 'number' ? [] : [`${event} has no timeout`]),
    ]);
  if (version === null) return [...entries, 'Claude Code cannot be asked for its version'];
  return canEnforce(version) ? entries : [...entries, `Claude Code ${version} does not know onFailure`];
}
