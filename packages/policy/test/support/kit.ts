import {
  createMemoryInbox,
  createSeededIds,
  createVirtualClock,
  createVirtualTimer,
  type Inbox,
  type Question,
} from '@warrant/core';
import { guard } from '../../src/guard.ts';
import type { GuardOptions } from '../../src/guard-options.ts';
import type { PolicyCallback } from '../../src/placement.ts';
import { createPolicyRegistry, type PlacementDeclaration } from '../../src/registry.ts';
import { createArrayJournal } from './array-journal.ts';
import { createSmallGrounder, FILES } from './small-grounder.ts';

/** delete -> file at level 3, which is what the tests guard. */
export const EDGE = { source: 'delete', target: 'file', sourceDepth: 3 } as const;

export function policySet(callback: PolicyCallback, declaration: Partial<PlacementDeclaration> = {}) {
  const registry = createPolicyRegistry();
  registry.register({ key: 'protect', ...EDGE, requiresConfirmation: false, ...declaration }, callback);
  return registry.freeze();
}

/** A policy that always wants a confirmation. */
export function confirming(declaration: Partial<PlacementDeclaration> = {}) {
  return policySet(() => ({ passed: false, message: 'sure?' }), { requiresConfirmation: true, ...declaration });
}

type Extra = Partial<GuardOptions<[path: string]>>;

/** An inbox at the time of the kit's clock. */
export function memoryInbox(): Inbox {
  return createMemoryInbox({ clock: createVirtualClock(), timer: createVirtualTimer() });
}

/** `delete_file(path)` behind a guard, with everything around it in reach. */
export function deleteTool(extra: Extra = {}) {
  const journal = createArrayJournal();
  const grounder = createSmallGrounder(FILES);
  const clock = createVirtualClock();
  const timer = createVirtualTimer();
  const ran: string[] = [];
  const tool = guard(
    (path: string) => {
      ran.push(path);
      return `deleted ${path}`;
    },
    {
      name: 'delete_file',
      parameters: ['path'],
      concepts: ['delete', 'file'],
      grounder,
      journal,
      clock,
      timer,
      ids: createSeededIds(`kit ${extra.name ?? ''}`, clock),
      actor: 'agent-1',
      directory: '/work',
      ...extra,
    },
  );
  return { tool, ran, journal, grounder, clock, timer, inbox: extra.inbox ?? memoryInbox() };
}

export async function answer(inbox: Inbox, choice: 'allow' | 'refuse', by = 'kim'): Promise<string> {
  const [question] = await inbox.pending();
  if (question === undefined) throw new Error('nothing is asked');
  return answerQuestion(inbox, question, choice, by);
}

export async function answerQuestion(inbox: Inbox, question: Question, choice: string, by = 'kim'): Promise<string> {
  const { id: questionId, subject } = question;
  const answered = await inbox.answer({
    questionId,
    subject,
    choice,
    answeredBy: by,
    answeredAt: '2026-01-01T00:00:01.000Z',
  });
  return answered.type;
}

/** Lets everything that is ready run. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
  await new Promise((resolve) => setImmediate(resolve));
}
