import { isAbsolute } from 'node:path';
import { blockCapOf, type HookEvent, type Mode } from '@warrant/adapter-claude-agent';
import { WarrantError } from '@warrant/core';
import { findWorkspace } from '@warrant/workspace';
import type { StartNotes } from '../bin/start-notes.ts';
import { wireEngine } from './engine.ts';
import { answeredEnd, createNotes, eventIn, failedEnd, type HookEnd, PASSES } from './hook-end.ts';
import { openHooked } from './open-hooked.ts';
import { patiently } from './patiently.ts';

export type HookCall = {
  readonly input: string;
  readonly mode: Mode;
  readonly source: string;
  /** Where the workspace is looked for; else the project that the client names, else the event's own folder. */
  readonly directory?: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
};

const NOTHING = (): Promise<void> => Promise.resolve();

/** An answer that may be given, and what is left to do after it. */
export type HookAnswered = HookEnd & { readonly finish: (notes?: StartNotes) => Promise<void> };

/** Answers one event and finishes. */
export async function runHook(call: HookCall): Promise<HookEnd> {
  const { finish, ...end } = await startHook(call);
  await finish();
  return end;
}

/**
 * Answers one event of the client. The answer is what is written after the record; whatever goes wrong before it ends
 * with 2, except in `observe`, which never stands in the way.
 */
export async function startHook(call: HookCall): Promise<HookAnswered> {
  try {
    const event = eventIn(call.input, call.source);
    // There is little time at the end of a session, and nothing in it that must not be lost.
    if (event.type === 'session-ended') return { code: 0, out: PASSES, error: '', finish: NOTHING };
    return await answered(call, event);
  } catch (error) {
    return { ...failedEnd(call.mode, error), finish: NOTHING };
  }
}

async function answered(call: HookCall, event: HookEvent): Promise<HookAnswered> {
  const directory = workspaceOf(call, event);
  if (directory === undefined) {
    throw new WarrantError(
      'CLI_NO_WORKSPACE',
      `there is no workspace at ${startOf(call, event)} or above it; 'warrant init' makes one`,
    );
  }
  const workspace = await patiently(call.mode, () => openHooked(directory));
  const notes = createNotes(event);
  // A hook is short and often run: closing the file, which takes the disk longer, is left to a later process.
  const finish = async (left?: StartNotes): Promise<void> => {
    if (left === undefined) return workspace.close();
    await workspace.settle();
    left.left();
  };
  try {
    const engine = await wireEngine(workspace, {
      mode: call.mode,
      blockCap: blockCapOf(call.environment),
      onReport: notes.report,
    });
    const answer = await engine.handle(event);
    return { ...answeredEnd(event, answer, notes.text()), finish };
  } catch (error) {
    await workspace.close();
    throw error;
  }
}

/** The folder of the workspace that an event belongs to. */
export function workspaceOf(call: Omit<HookCall, 'mode'>, event: HookEvent): string | undefined {
  return findWorkspace(startOf(call, event));
}

/** The project goes before the folder of the event: an agent that changes folder does not leave its workspace. */
function startOf({ directory, environment }: Omit<HookCall, 'mode'>, event: HookEvent): string {
  const project = environment['CLAUDE_PROJECT_DIR'];
  const start = directory ?? (project === undefined || project === '' ? event.directory : project);
  return isAbsolute(start) ? start : process.cwd();
}
