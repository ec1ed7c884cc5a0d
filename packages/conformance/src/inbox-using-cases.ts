import assert from 'node:assert/strict';
import { digest, type Inbox } from '@warrant/core';
import { answerTo, expectType, type InboxCase, inTime, isOpen, question } from './inbox-harness.ts';

function pick(handles: readonly Inbox[], index: number): Inbox {
  return handles[index % handles.length] as Inbox;
}

export const inboxUsingCases: readonly InboxCase[] = [
  {
    name: 'uses an answer once, and gives the call that used it its own again',
    run: async ({ inbox }) => {
      const asked = question();
      await inbox.ask(asked);
      const pending = await inbox.consume(asked.subject, { by: 'call-1' });
      assert.deepEqual(pending, { type: 'pending', question: asked });
      const answer = answerTo(asked);
      await inbox.answer(answer);
      assert.deepEqual(await inbox.consume(asked.subject, { by: 'call-1' }), { type: 'consumed', answer });
      assert.deepEqual(await inbox.consume(asked.subject, { by: 'call-2' }), { type: 'none' });
      assert.deepEqual(await inbox.consume(asked.subject, { by: 'call-1' }), { type: 'consumed', answer });
      assert.deepEqual(await inbox.consume(digest('other'), { by: 'call-1' }), { type: 'none' });
    },
  },
  {
    name: 'gives a retry its own answer also when the subject was asked and answered anew',
    run: async ({ inbox }) => {
      const first = question();
      await inbox.ask(first);
      await inbox.answer(answerTo(first));
      await inbox.consume(first.subject, { by: 'call-1' });
      const second = question({ subject: first.subject });
      await inbox.ask(second);
      const pending = await expectType(inbox.consume(first.subject, { by: 'call-2' }), 'pending');
      assert.deepEqual(pending, { type: 'pending', question: second });
      const refusal = answerTo(second, { choice: 'refuse', answeredBy: 'human:bob' });
      await inbox.answer(refusal);
      const again = await inbox.consume(first.subject, { by: 'call-1' });
      assert.deepEqual(again, { type: 'consumed', answer: answerTo(first) });
      assert.deepEqual(await inbox.consume(first.subject, { by: 'call-2' }), { type: 'consumed', answer: refusal });
    },
  },
  {
    name: 'has nothing to use once the question expired, but for who used it before',
    run: async (harness) => {
      const { inbox } = harness;
      const asked = [1000, 1000, 1000].map((milliseconds) => question({ expiresAt: inTime(harness, milliseconds) }));
      const [used, answered, open] = asked;
      assert.ok(used && answered && open);
      for (const one of asked) await inbox.ask(one);
      await inbox.answer(answerTo(used));
      await inbox.answer(answerTo(answered));
      await inbox.consume(used.subject, { by: 'call-1' });
      harness.advance(1000);
      await expectType(inbox.consume(used.subject, { by: 'call-1' }), 'consumed');
      await expectType(inbox.consume(answered.subject, { by: 'call-1' }), 'none');
      await expectType(inbox.consume(open.subject, { by: 'call-1' }), 'none');
    },
  },
  {
    name: 'has nothing to use of a question that was withdrawn',
    run: async ({ inbox }) => {
      const asked = question();
      await inbox.ask(asked);
      await inbox.withdraw(asked.id, 'not needed');
      await expectType(inbox.consume(asked.subject, { by: 'call-1' }), 'none');
    },
  },
  {
    name: 'lets one of many racing calls use the answer',
    run: async ({ inbox, another }) => {
      const asked = question();
      await inbox.ask(asked);
      await inbox.answer(answerTo(asked));
      const handles = [inbox, another === undefined ? inbox : await another()];
      const results = await Promise.all(
        Array.from({ length: 40 }, (_, index) => pick(handles, index).consume(asked.subject, { by: `call-${index}` })),
      );
      assert.equal(results.filter((result) => result.type === 'consumed').length, 1);
      assert.equal(results.filter((result) => result.type === 'none').length, 39);
    },
  },
  {
    name: 'lets one of many racing askers ask, and one of many racing people answer',
    run: async ({ inbox, another }) => {
      const handles = [inbox, another === undefined ? inbox : await another()];
      const first = question();
      const asked = await Promise.all(
        Array.from({ length: 20 }, (_, index) => pick(handles, index).ask(question({ subject: first.subject }))),
      );
      assert.equal(asked.filter((result) => result.type === 'asked').length, 1);
      const [open] = await inbox.pending();
      assert.ok(open !== undefined);
      assert.ok(asked.every((result) => result.question.id === open.id));
      const answered = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          pick(handles, index).answer(answerTo(open, { answeredBy: `human:${index}` })),
        ),
      );
      assert.equal(answered.filter((result) => result.type === 'answered').length, 1);
    },
  },
  {
    name: 'wakes who waits when another handle answers',
    run: async (harness) => {
      if (harness.another === undefined) return;
      const asked = question();
      await harness.inbox.ask(asked);
      const waiting = harness.inbox.wait(asked.id);
      assert.equal(await isOpen(waiting), true);
      const other = await harness.another();
      const answer = answerTo(asked);
      await expectType(other.answer(answer), 'answered');
      harness.advance(1000);
      assert.deepEqual(await waiting, { type: 'answered', answer });
    },
  },
];
