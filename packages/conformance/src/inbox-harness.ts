import assert from 'node:assert/strict';
import { type Answer, digest, type Inbox, type Question, type VirtualClock } from '@warrant/core';

/** One inbox on fresh, isolated data. */
export type InboxHarness = {
  readonly inbox: Inbox;
  /** The clock that the inbox reads. */
  readonly clock: VirtualClock;
  /** Moves clock and timers together. */
  readonly advance: (milliseconds: number) => void;
  /** One more handle on the same data, as another process would have. Absent where data ends with the process. */
  readonly another?: () => Promise<Inbox>;
  readonly dispose: () => Promise<void>;
};
export type InboxCase = { readonly name: string; readonly run: (harness: InboxHarness) => Promise<void> };

let count = 0;

/** A question with an id and a subject of its own. */
export function question(more: Partial<Question> = {}): Question {
  count += 1;
  const id = `question-${count}`;
  return {
    id,
    kind: 'confirmation',
    subject: digest({ id }),
    title: 'Delete the file?',
    details: { path: '/tmp/a' },
    choices: ['allow', 'refuse'],
    askedBy: 'agent:writer',
    expiresAt: null,
    ...more,
  };
}

/** A person's answer that fits the question. */
export function answerTo(asked: Question, more: Partial<Answer> = {}): Answer {
  return {
    questionId: asked.id,
    subject: asked.subject,
    choice: asked.choices[0] as string,
    answeredBy: 'human:ann',
    answeredAt: '2026-01-01T00:00:00.000Z',
    ...more,
  };
}

/** The time so many milliseconds from the harness's now. */
export function inTime(harness: InboxHarness, milliseconds: number): string {
  return new Date(harness.clock.now() + milliseconds).toISOString();
}

export async function expectType<T extends { readonly type: string }>(given: Promise<T>, type: T['type']): Promise<T> {
  const value = await given;
  assert.equal(value.type, type);
  return value;
}

/** Whether the promise is still open once everything that is due has run. */
export async function isOpen(promise: Promise<unknown>): Promise<boolean> {
  const late = Symbol('late');
  const turn = new Promise((resolve) => setTimeout(() => resolve(late), 20));
  return (await Promise.race([promise.catch(() => undefined), turn])) === late;
}
