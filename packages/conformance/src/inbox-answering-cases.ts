import assert from 'node:assert/strict';
import { digest } from '@warrant/core';
import { answerTo, expectType, type InboxCase, inTime, isOpen, question } from './inbox-harness.ts';

export const inboxAnsweringCases: readonly InboxCase[] = [
  {
    name: 'takes one answer, payload and reason with it',
    run: async ({ inbox }) => {
      const asked = question();
      await inbox.ask(asked);
      const answer = answerTo(asked, { payload: { until: ['tonight', null, 1.5] }, reason: 'it is a copy' });
      await expectType(inbox.answer(answer), 'answered');
      await expectType(
        inbox.answer(answerTo(asked, { answeredBy: 'human:bob', choice: 'refuse' })),
        'already-answered',
      );
      const waited = await inbox.wait(asked.id);
      assert.deepEqual(waited, { type: 'answered', answer });
      assert.deepEqual(await inbox.pending(), []);
    },
  },
  {
    name: 'refuses an answer by the asker, to another subject, with another choice, to nothing',
    run: async ({ inbox }) => {
      const asked = question();
      await inbox.ask(asked);
      await expectType(inbox.answer(answerTo(asked, { answeredBy: asked.askedBy })), 'forbidden');
      await expectType(inbox.answer(answerTo(asked, { subject: digest('other') })), 'mismatch');
      await expectType(inbox.answer(answerTo(asked, { choice: 'maybe' })), 'mismatch');
      await expectType(inbox.answer(answerTo(asked, { questionId: 'nothing' })), 'unknown');
      assert.equal((await inbox.pending()).length, 1);
    },
  },
  {
    name: 'takes no answer from the moment of expiry, and one just before',
    run: async (harness) => {
      const { inbox } = harness;
      const [early, late] = [1000, 1000].map((milliseconds) => question({ expiresAt: inTime(harness, milliseconds) }));
      assert.ok(early !== undefined && late !== undefined);
      await inbox.ask(early);
      await inbox.ask(late);
      harness.advance(999);
      await expectType(inbox.answer(answerTo(early)), 'answered');
      harness.advance(1);
      await expectType(inbox.answer(answerTo(late)), 'expired');
      assert.deepEqual(await inbox.pending(), []);
    },
  },
  {
    name: 'takes no answer to what was withdrawn',
    run: async ({ inbox }) => {
      const asked = question();
      await inbox.ask(asked);
      await inbox.withdraw(asked.id, 'not needed');
      await expectType(inbox.answer(answerTo(asked)), 'unknown');
      await expectType(inbox.wait(asked.id), 'withdrawn');
    },
  },
  {
    name: 'counts one vote a person in a group, and any number outside',
    run: async ({ inbox }) => {
      const votes = [
        question({ group: 'release' }),
        question({ group: 'release' }),
        question({ group: 'other' }),
        question(),
      ];
      for (const one of votes) await inbox.ask(one);
      const [first, second, other, alone] = votes;
      assert.ok(first && second && other && alone);
      await expectType(inbox.answer(answerTo(first)), 'answered');
      await expectType(inbox.answer(answerTo(second)), 'forbidden');
      await expectType(inbox.answer(answerTo(second, { answeredBy: 'human:bob' })), 'answered');
      await expectType(inbox.answer(answerTo(other)), 'answered');
      await expectType(inbox.answer(answerTo(alone)), 'answered');
    },
  },
  {
    name: 'lets several wait for one answer',
    run: async ({ inbox }) => {
      const asked = question();
      await inbox.ask(asked);
      const waiting = [inbox.wait(asked.id), inbox.wait(asked.id)];
      assert.equal(await isOpen(Promise.all(waiting)), true);
      const answer = answerTo(asked, { choice: 'refuse' });
      await inbox.answer(answer);
      assert.deepEqual(await Promise.all(waiting), Array(2).fill({ type: 'answered', answer }));
    },
  },
  {
    name: 'wakes who waits when the question expires or is withdrawn',
    run: async (harness) => {
      const { inbox } = harness;
      const expiring = question({ expiresAt: inTime(harness, 5000) });
      const leaving = question();
      await inbox.ask(expiring);
      await inbox.ask(leaving);
      const waiting = inbox.wait(expiring.id);
      const other = inbox.wait(leaving.id);
      harness.advance(4999);
      assert.equal(await isOpen(waiting), true);
      harness.advance(1);
      await expectType(waiting, 'expired');
      assert.equal(await isOpen(other), true);
      await inbox.withdraw(leaving.id, 'not needed');
      await expectType(other, 'withdrawn');
    },
  },
  {
    name: 'stops waiting when told, and leaves the question open',
    run: async ({ inbox }) => {
      const asked = question();
      await inbox.ask(asked);
      const stop = new AbortController();
      const waiting = inbox.wait(asked.id, { signal: stop.signal });
      const reason = new Error('enough');
      stop.abort(reason);
      await assert.rejects(waiting, reason);
      await assert.rejects(inbox.wait(asked.id, { signal: AbortSignal.abort(reason) }), reason);
      await expectType(inbox.answer(answerTo(asked)), 'answered');
    },
  },
  {
    name: 'has nobody to wait for under an unknown id',
    run: async ({ inbox }) => {
      await assert.rejects(inbox.wait('nothing'), { code: 'INBOX_UNKNOWN_QUESTION' });
    },
  },
];
