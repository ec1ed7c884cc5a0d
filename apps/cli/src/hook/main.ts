import { join } from 'node:path';
import { blockCapOf, isMode, type Mode } from '@warrant/adapter-claude-agent';
import type { StartNotes } from '../bin/start-notes.ts';
import { writeOut } from '../cli/write-out.ts';
import { readInput } from './read-input.ts';
import type { HookAnswered } from './run-hook.ts';
import { type ServedPlace, servedPlace } from './served-place.ts';

/** The words around `hook claude-code`, as the settings write them; null for others, which the command itself reads. */
export function readHookWords(
  words: readonly string[],
): { readonly mode: Mode; readonly source: string; readonly directory?: string } | null {
  let mode = 'observe';
  let source = 'default';
  let directory: string | undefined;
  for (let at = 0; at < words.length; at += 2) {
    const value = words[at + 1];
    if (value === undefined) return null;
    if (words[at] === '--mode') mode = value;
    else if (words[at] === '--from') source = value;
    else if (words[at] === '-C') directory = value;
    else return null;
  }
  if (!isMode(mode)) return null;
  return { mode, source, ...(directory === undefined ? {} : { directory }) };
}

/** The hook as a process of its own: the answer is given as soon as it may be, and what is left comes after it. */
export async function hookMain(
  options: NonNullable<ReturnType<typeof readHookWords>>,
  notes?: StartNotes,
): Promise<number> {
  const input = await readInput();
  notes?.ran(`hook ${kindOf(input)}`);
  const { code, out, error, finish } = await answered(options, input);
  if (error !== '') writeOut(2, error);
  if (out !== '') writeOut(1, out);
  try {
    await finish(notes);
  } catch (late) {
    // The answer stands: it was given after its record.
    writeOut(2, `Warrant: ${String(late)}\n`);
  }
  return code;
}

async function answered(options: NonNullable<ReturnType<typeof readHookWords>>, input: string): Promise<HookAnswered> {
  const own = () =>
    import('./run-hook.ts').then(({ startHook }) => startHook({ ...options, input, environment: process.env }));
  const place = servedFor(options.directory);
  if (place === null) return own();
  const { askServed } = await import('./ask-served.ts');
  const { mode, source } = options;
  const end = await askServed(place, { input, mode, source, blockCap: blockCapOf(process.env) });
  if (end === null) return own();
  const passes = mode === 'observe' && end.code !== 0;
  return { ...(passes ? { ...end, code: 0, out: '{}\n' } : end), finish: () => Promise.resolve() };
}

/** Where a process was left in the project's workspace to answer. */
function servedFor(directory: string | undefined): ServedPlace | null {
  const project = directory ?? process.env['CLAUDE_PROJECT_DIR'] ?? '';
  return project === '' ? null : servedPlace(join(project, '.warrant'));
}

/** What decides which code answers: the event, and whether a command line has to be read. */
function kindOf(input: string): string {
  const event = /"hook_event_name"\s*:\s*"([A-Za-z]{1,30})"/.exec(input)?.[1] ?? '';
  return /"tool_name"\s*:\s*"Bash"/.test(input) ? `${event} Bash` : event;
}
