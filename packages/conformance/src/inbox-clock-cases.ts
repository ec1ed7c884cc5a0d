import assert from 'node:assert/strict';
import { answerTo, expectType, type InboxCase, inTime, isOpen, question } from './inbox-harness.ts';

const HOUR = 3_600_000;
/** Short, since stores that look for changes do so all along. */
const LIFE = 180_000;

/** What a clock that goes back does to questions: nothing lives longer than it was given for, and nothing is lost. */
export const inboxClockCases: readonly InboxCase[] = [
  {
    name: 'lets no approval live on because the clock went back a day',
    run: async (harness) => {
      const { inbox, clock } = harness;
      const asked = question({ expiresAt: inTime(harness, HOUR) });
      await inbox.ask(asked);
      await expectType(inbox.answer(answerTo(asked)), 'answered');
      harness.advance(HOUR - 1);
      clock.advance(-24 * HOUR);
      assert.deepEqual(await inbox.consume(asked.subject, { by: 'call' }), { type: 'none' });
      const again = question({ subject: asked.subject, expiresAt: inTime(harness, HOUR) });
      await expectType(inbox.ask(again), 'asked');
      await expectType(inbox.answer(answerTo(again)), 'answered');
      const used = await inbox.consume(asked.subject, { by: 'call' });
      assert.equal(used.type === 'consumed' && used.answer.questionId, again.id);
    },
  },
  {
    name: 'gives a question back once the clock has caught up, and takes small corrections for nothing',
    run: async (harness) => {
      const { inbox, clock } = harness;
      const [first, second, lasting] = [
        question({ expiresAt: inTime(harness, HOUR) }),
        question({ expiresAt: inTime(harness, HOUR) }),
        question(),
      ];
      assert.ok(first && second && lasting);
      for (const one of [first, second, lasting]) await inbox.ask(one);
      const open = async (): Promise<readonly string[]> => (await inbox.pending()).map(({ id }) => id);
      clock.advance(-60_000);
      assert.deepEqual(await open(), [first.id, second.id, lasting.id]);
      await expectType(inbox.answer(answerTo(second)), 'answered');
      clock.advance(-1);
      assert.deepEqual(await open(), [lasting.id]);
      await expectType(inbox.answer(answerTo(first)), 'expired');
      assert.deepEqual(await inbox.consume(second.subject, { by: 'call' }), { type: 'none' });
      await expectType(inbox.answer(answerTo(lasting)), 'answered');
      clock.advance(60_001);
      assert.deepEqual(await open(), [first.id]);
      await expectType(inbox.answer(answerTo(first)), 'answered');
      await expectType(inbox.consume(second.subject, { by: 'call' }), 'consumed');
    },
  },
  {
    name: 'measures the life of an answer from when it was given',
    run: async (harness) => {
      const { inbox, clock } = harness;
      const asked = question({ expiresAt: inTime(harness, HOUR) });
      await inbox.ask(asked);
      harness.advance(HOUR / 2);
      await expectType(inbox.answer(answerTo(asked)), 'answered');
      clock.advance(-HOUR / 4);
      assert.deepEqual(await inbox.consume(asked.subject, { by: 'call' }), { type: 'none' });
    },
  },
  {
    name: 'waits no longer than the question lives, whatever the clock does meanwhile',
    run: async (harness) => {
      const { inbox, clock } = harness;
      const [asked, other] = [question({ expiresAt: inTime(harness, LIFE) }), question()];
      await inbox.ask(asked);
      const waiting = inbox.wait(asked.id);
      harness.advance(LIFE - 1);
      clock.advance(-LIFE / 2);
      assert.equal(await isOpen(waiting), true);
      harness.advance(1);
      await expectType(waiting, 'expired');
      await inbox.ask(other);
      const lasting = inbox.wait(other.id);
      clock.advance(-24 * HOUR);
      await inbox.ask(question());
      assert.equal(await isOpen(lasting), true);
      await expectType(inbox.answer(answerTo(other)), 'answered');
      await expectType(lasting, 'answered');
    },
  },
];
