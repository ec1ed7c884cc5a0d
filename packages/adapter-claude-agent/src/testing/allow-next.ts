import type { Inbox } from '@warrant/core';

/** A person who allows the next question, once it is there. */
export async function allowNext(inbox: Inbox): Promise<void> {
  let [question] = await inbox.pending();
  while (question === undefined) {
    await new Promise((resolve) => setImmediate(resolve));
    [question] = await inbox.pending();
  }
  const { id, subject } = question;
  const by = { answeredBy: 'kim', answeredAt: '2030-01-01T00:00:00.000Z' };
  await inbox.answer({ questionId: id, subject, choice: 'allow', ...by });
}
