import type { Inbox, Json } from '@warrant/core';
import { cleanerOf, type SecretMarks } from './host/secrets.ts';

/** An inbox that replaces secrets in what people answer before it is stored; an inbox by itself keeps answers as they are given. Hosts do the same before they record an answer: give both the same marks, so that equal secrets look alike. */
export function createMarkedInbox(inbox: Inbox, secretMarks?: SecretMarks): Inbox {
  const clean = cleanerOf(secretMarks);
  return {
    ask: (question, options) => inbox.ask(question, options),
    pending: (options) => inbox.pending(options),
    // A question is found by its own names, which are no secrets.
    answer: ({ payload, reason, ...answer }) =>
      inbox.answer({
        ...answer,
        ...(payload === undefined ? {} : { payload: clean<Json>(payload) }),
        ...(reason === undefined ? {} : { reason: clean(reason) }),
      }),
    wait: (id, options) => inbox.wait(id, options),
    withdraw: (id, reason) => inbox.withdraw(id, reason),
    consume: (subject, options) => inbox.consume(subject, options),
  };
}
