import { createMemoryInbox, createVirtualClock, createVirtualTimer, type Inbox } from '@warrant/core';
import { describe, expect, it } from 'vitest';
import { describeInboxConformance, type InboxHarness, inboxCases, runInboxCase, runInboxModel } from './inbox.ts';

const open = async (spoil: (inbox: Inbox) => Inbox = (inbox) => inbox): Promise<InboxHarness> => {
  const clock = createVirtualClock();
  const timer = createVirtualTimer();
  return {
    inbox: spoil(createMemoryInbox({ clock, timer })),
    clock,
    advance: (milliseconds) => {
      clock.advance(milliseconds);
      timer.advance(milliseconds);
    },
    dispose: async () => undefined,
  };
};

describeInboxConformance({ name: 'the inbox in memory', open });

/** Each is wrong in one way. */
const spoiled: { readonly [what: string]: (inbox: Inbox) => Inbox } = {
  'asks twice about one subject': (inbox) => ({
    ...inbox,
    ask: async (asked) => {
      await inbox.ask({ ...asked, group: asked.id });
      return { type: 'asked', question: asked };
    },
  }),
  'lets the asker answer': (inbox) => ({
    ...inbox,
    answer: async (answer) => {
      const asked = (await inbox.pending()).find((question) => question.id === answer.questionId);
      const own = answer.answeredBy === asked?.askedBy;
      return inbox.answer(own ? { ...answer, answeredBy: 'human:someone' } : answer);
    },
  }),
  'takes any subject': (inbox) => ({
    ...inbox,
    answer: async (answer) => {
      const asked = (await inbox.pending()).find((question) => question.id === answer.questionId);
      return inbox.answer({ ...answer, subject: asked?.subject ?? answer.subject });
    },
  }),
  'counts every vote': (inbox) => {
    const names = new Map<string, number>();
    return {
      ...inbox,
      answer: async (answer) => {
        const count = (names.get(answer.answeredBy) ?? 0) + 1;
        names.set(answer.answeredBy, count);
        return inbox.answer(count === 1 ? answer : { ...answer, answeredBy: `${answer.answeredBy}#${count}` });
      },
    };
  },
  'never uses an answer up': (inbox) => ({ ...inbox, consume: (subject) => inbox.consume(subject, { by: 'all' }) }),
  'forgets who used an answer': (inbox) => {
    let call = 0;
    return {
      ...inbox,
      consume: (subject) => {
        call += 1;
        return inbox.consume(subject, { by: `use-${call}` });
      },
    };
  },
  'says nothing of pending questions': (inbox) => ({
    ...inbox,
    consume: async (subject, options) => {
      const result = await inbox.consume(subject, options);
      return result.type === 'pending' ? { type: 'none' } : result;
    },
  }),
  'ignores who stops waiting': (inbox) => ({ ...inbox, wait: (id) => inbox.wait(id) }),
  'lists all kinds': (inbox) => ({ ...inbox, pending: () => inbox.pending() }),
  'never lets a question go': (inbox) => ({ ...inbox, withdraw: async () => ({ type: 'withdrawn' }) }),
  'never expires': (inbox) => ({
    ...inbox,
    ask: (asked) => inbox.ask(asked.expiresAt?.startsWith('2026') ? { ...asked, expiresAt: null } : asked),
  }),
  'drops the payload': (inbox) => ({
    ...inbox,
    answer: ({ payload: _dropped, ...answer }) => inbox.answer(answer),
  }),
};

describe('the kit', () => {
  it.each(Object.keys(spoiled))('fails an inbox that %s', async (what) => {
    const broken = (): Promise<InboxHarness> => open(spoiled[what]);
    const within = <T>(work: Promise<T>): Promise<T> =>
      Promise.race([
        work,
        new Promise<never>((_, reject) => setTimeout(() => reject(new Error('waits for ever')), 500)),
      ]);
    const results = await Promise.allSettled(inboxCases.map((one) => within(runInboxCase(one, broken))));
    expect(results.filter((result) => result.status === 'rejected').length).toBeGreaterThan(0);
  });

  it('fails, by its model alone, an inbox that never uses an answer up', async () => {
    await expect(runInboxModel(() => open(spoiled['never uses an answer up']), { runs: 300 })).rejects.toThrow();
  });
});
