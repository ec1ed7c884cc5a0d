import assert from 'node:assert/strict';
import type { Question } from '@warrant/core';
import { answerTo, expectType, type InboxCase, inTime, question } from './inbox-harness.ts';

export const inboxAskingCases: readonly InboxCase[] = [
  {
    name: 'gives back what was asked and lists it as pending',
    run: async ({ inbox }) => {
      const asked = question({ payloads: { allow: { type: 'object' } } });
      const result = await expectType(inbox.ask(asked), 'asked');
      assert.deepEqual(result.question, asked);
      assert.deepEqual(await inbox.pending(), [asked]);
    },
  },
  {
    name: 'lists pending questions in the order of asking, by kind',
    run: async ({ inbox }) => {
      const asked = [question(), question({ kind: 'review' }), question({ kind: 'decision' }), question()];
      for (const one of asked) await inbox.ask(one);
      assert.deepEqual(await inbox.pending(), asked);
      assert.deepEqual(await inbox.pending({ kind: 'confirmation' }), [asked[0], asked[3]]);
      assert.deepEqual(await inbox.pending({ kind: 'review' }), [asked[1]]);
    },
  },
  {
    name: 'knows a subject while its question is open, whatever the id',
    run: async ({ inbox }) => {
      const first = question();
      await inbox.ask(first);
      const again = await expectType(inbox.ask(question({ subject: first.subject })), 'known');
      assert.deepEqual(again.question, first);
      assert.equal((await inbox.pending()).length, 1);
    },
  },
  {
    name: 'knows a subject whose answer is not used yet',
    run: async ({ inbox }) => {
      const first = question();
      await inbox.ask(first);
      await inbox.answer(answerTo(first));
      const again = await expectType(inbox.ask(question({ subject: first.subject })), 'known');
      assert.equal(again.question.id, first.id);
    },
  },
  {
    name: 'asks anew once the answer was used',
    run: async ({ inbox }) => {
      const first = question();
      await inbox.ask(first);
      await inbox.answer(answerTo(first));
      await expectType(inbox.consume(first.subject, { by: 'call-1' }), 'consumed');
      await expectType(inbox.ask(question({ subject: first.subject })), 'asked');
    },
  },
  {
    name: 'asks anew once the question expired or was withdrawn',
    run: async (harness) => {
      const { inbox } = harness;
      const first = question({ expiresAt: inTime(harness, 1000) });
      await inbox.ask(first);
      harness.advance(1000);
      const second = question({ subject: first.subject });
      await expectType(inbox.ask(second), 'asked');
      await expectType(inbox.withdraw(second.id, 'not needed'), 'withdrawn');
      await expectType(inbox.ask(question({ subject: first.subject })), 'asked');
    },
  },
  {
    name: 'is idempotent by id and refuses an id for another question',
    run: async ({ inbox }) => {
      const first = question();
      await inbox.ask(first);
      await expectType(inbox.ask(first), 'known');
      const other: Question = { ...question(), id: first.id };
      await assert.rejects(inbox.ask(other), { code: 'INBOX_ID_REUSED' });
      await inbox.withdraw(first.id, 'not needed');
      await expectType(inbox.ask(first), 'known');
    },
  },
  {
    name: 'keeps several questions of one subject apart when they form a group',
    run: async ({ inbox }) => {
      const first = question({ group: 'release' });
      const second = question({ group: 'release', subject: first.subject });
      await expectType(inbox.ask(first), 'asked');
      await expectType(inbox.ask(second), 'asked');
      assert.equal((await inbox.pending()).length, 2);
    },
  },
  {
    name: 'refuses questions that nobody could answer',
    run: async ({ inbox }) => {
      for (const wrong of [{ choices: [] }, { choices: ['a', 'a'] }, { expiresAt: 'tomorrow' }, { id: '' }]) {
        await assert.rejects(inbox.ask(question(wrong)), { code: 'INBOX_INVALID_QUESTION' });
      }
      assert.deepEqual(await inbox.pending(), []);
    },
  },
  {
    name: 'keeps a copy that its caller cannot change',
    run: async ({ inbox }) => {
      const choices = ['allow', 'refuse'];
      const asked = question({ choices });
      await inbox.ask(asked);
      choices.push('anything');
      const [stored] = await inbox.pending();
      assert.deepEqual(stored?.choices, ['allow', 'refuse']);
      await expectType(inbox.answer(answerTo(asked, { choice: 'anything' })), 'mismatch');
    },
  },
  {
    name: 'withdraws what is open, twice as well, and nothing else',
    run: async ({ inbox }) => {
      const open = question();
      const answered = question();
      await inbox.ask(open);
      await inbox.ask(answered);
      await inbox.answer(answerTo(answered));
      await expectType(inbox.withdraw(open.id, 'not needed'), 'withdrawn');
      await expectType(inbox.withdraw(open.id, 'not needed'), 'withdrawn');
      await expectType(inbox.withdraw(answered.id, 'late'), 'already-answered');
      await expectType(inbox.withdraw('nothing', 'no such'), 'unknown');
      assert.deepEqual(await inbox.pending(), []);
    },
  },
];
