import assert from 'node:assert/strict';
import { type Answer, digest, type Question } from '@warrant/core';
import fc from 'fast-check';
import type { InboxHarness } from './inbox-harness.ts';

type Step =
  | { readonly type: 'ask'; readonly subject: number; readonly lives: number | null; readonly group: boolean }
  | { readonly type: 'answer'; readonly question: number; readonly person: number; readonly choice: number }
  | { readonly type: 'withdraw'; readonly question: number }
  | { readonly type: 'consume'; readonly subject: number; readonly by: number }
  | { readonly type: 'pass' | 'back'; readonly milliseconds: number };
type Kept = { question: Question; due: number; seen: number; answer: Answer | null; gone: boolean; by: string | null };

/** A clock that goes back by no more is taken for right; milliseconds. */
const TOLERANCE_MS = 60_000;

const START = Date.parse('2026-01-01T00:00:00.000Z');
const subjectOf = (subject: number): Question['subject'] => digest({ subject });

/** The rules once more, written for being read: a list, searched from its start. */
class Model {
  readonly kept: Kept[] = [];
  now = START;

  lives({ due, seen }: Kept): boolean {
    return due === Number.POSITIVE_INFINITY || (this.now < due && this.now >= seen - TOLERANCE_MS);
  }

  ask(question: Question): string {
    const same = this.kept.find(
      (one) =>
        question.group === undefined &&
        one.question.group === undefined &&
        one.question.subject === question.subject &&
        one.by === null &&
        !one.gone &&
        this.lives(one),
    );
    if (same !== undefined) return `known ${same.question.id}`;
    const due = question.expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(question.expiresAt);
    this.kept.push({ question, due, seen: this.now, answer: null, gone: false, by: null });
    return `asked ${question.id}`;
  }

  answer(answer: Answer): string {
    const one = this.kept.find((kept) => kept.question.id === answer.questionId);
    if (one === undefined || one.gone) return 'unknown';
    if (!one.question.choices.includes(answer.choice)) return 'mismatch';
    if (answer.answeredBy === one.question.askedBy) return 'forbidden';
    if (one.answer !== null) return 'already-answered';
    if (!this.lives(one)) return 'expired';
    const { group } = one.question;
    if (
      group !== undefined &&
      this.kept.some((kept) => kept.question.group === group && kept.answer?.answeredBy === answer.answeredBy)
    ) {
      return 'forbidden';
    }
    one.answer = answer;
    one.seen = Math.max(one.seen, this.now);
    return 'answered';
  }

  withdraw(id: string): string {
    const one = this.kept.find((kept) => kept.question.id === id);
    if (one === undefined) return 'unknown';
    if (one.answer !== null) return 'already-answered';
    one.gone = true;
    return 'withdrawn';
  }

  consume(subject: string, by: string): string {
    const all = this.kept.filter((one) => one.question.subject === subject);
    const own = all.find((one) => one.by === by);
    if (own !== undefined) return `consumed ${own.question.id}`;
    const ready = all.find((one) => one.answer !== null && one.by === null && this.lives(one));
    if (ready !== undefined) {
      ready.by = by;
      return `consumed ${ready.question.id}`;
    }
    const open = all.find((one) => one.answer === null && !one.gone && this.lives(one));
    return open === undefined ? 'none' : `pending ${open.question.id}`;
  }

  pending(): string[] {
    return this.kept.filter((one) => one.answer === null && !one.gone && this.lives(one)).map((one) => one.question.id);
  }
}

const small = fc.integer({ min: 0, max: 3 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    type: fc.constant('ask' as const),
    subject: small,
    lives: fc.option(fc.constantFrom(1, 50, 400)),
    group: fc.boolean(),
  }),
  fc.record({ type: fc.constant('answer' as const), question: fc.nat(12), person: small, choice: small }),
  fc.record({ type: fc.constant('withdraw' as const), question: fc.nat(12) }),
  fc.record({ type: fc.constant('consume' as const), subject: small, by: small }),
  fc.record({ type: fc.constant('pass' as const), milliseconds: fc.constantFrom(1, 49, 350, TOLERANCE_MS) }),
  fc.record({ type: fc.constant('back' as const), milliseconds: fc.constantFrom(1, 350, TOLERANCE_MS) }),
);

export function createInboxModelCase(
  open: () => Promise<InboxHarness>,
  options: { readonly runs: number; readonly seed: number },
): () => Promise<void> {
  return () =>
    fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60, size: 'max' }), async (steps) => {
        const harness = await open();
        try {
          await compare(harness, steps);
        } finally {
          await harness.dispose();
        }
      }),
      { numRuns: options.runs, seed: options.seed },
    );
}

async function compare(harness: InboxHarness, steps: readonly Step[]): Promise<void> {
  const model = new Model();
  harness.clock.set(START);
  for (const [index, one] of steps.entries()) {
    const given = { now: model.now, chosen: chosenBy(model, one) };
    const expected = onModel(model, one, index, given.chosen);
    assert.equal(await onInbox(harness, one, index, given), expected, `step ${index}: ${one.type}`);
    const pending = await harness.inbox.pending();
    assert.deepEqual(
      pending.map((question) => question.id),
      model.pending(),
    );
  }
}

function questionOf(one: Extract<Step, { type: 'ask' }>, index: number, now: number): Question {
  return {
    id: `q${index % 13}-${Math.floor(index / 13)}`,
    kind: 'confirmation',
    subject: subjectOf(one.subject),
    title: 'May it?',
    details: {},
    choices: ['allow', 'refuse', 'later'],
    askedBy: 'person-0',
    expiresAt: one.lives === null ? null : new Date(now + one.lives).toISOString(),
    ...(one.group ? { group: 'quorum' } : {}),
  };
}

function answerOf(one: Extract<Step, { type: 'answer' }>, asked: Question | undefined): Answer {
  return {
    questionId: asked?.id ?? 'none',
    subject: asked?.subject ?? subjectOf(0),
    choice: ['allow', 'refuse', 'later', 'other'][one.choice] as string,
    answeredBy: `person-${one.person}`,
    answeredAt: '2026-01-01T00:00:00.000Z',
  };
}

/** What the model kept, chosen by the step's number, so that most steps meet a question. */
function chosenBy(model: Model, one: Step): Question | undefined {
  return 'question' in one ? model.kept[one.question % (model.kept.length + 1)]?.question : undefined;
}

function onModel(model: Model, one: Step, index: number, chosen: Question | undefined): string {
  switch (one.type) {
    case 'ask':
      return model.ask(questionOf(one, index, model.now));
    case 'answer':
      return model.answer(answerOf(one, chosen));
    case 'withdraw':
      return model.withdraw(chosen?.id ?? 'none');
    case 'consume':
      return model.consume(subjectOf(one.subject), `call-${one.by}`);
    case 'pass':
      model.now += one.milliseconds;
      return '';
    case 'back':
      model.now -= one.milliseconds;
      return '';
  }
}

async function onInbox(
  harness: InboxHarness,
  one: Step,
  index: number,
  given: { readonly now: number; readonly chosen: Question | undefined },
): Promise<string> {
  const { inbox } = harness;
  const { now, chosen } = given;
  switch (one.type) {
    case 'ask': {
      const result = await inbox.ask(questionOf(one, index, now));
      return `${result.type} ${result.question.id}`;
    }
    case 'answer':
      return (await inbox.answer(answerOf(one, chosen))).type;
    case 'withdraw':
      return (await inbox.withdraw(chosen?.id ?? 'none', 'not needed')).type;
    case 'consume': {
      const result = await inbox.consume(subjectOf(one.subject), { by: `call-${one.by}` });
      if (result.type === 'consumed') return `consumed ${result.answer.questionId}`;
      return result.type === 'pending' ? `pending ${result.question.id}` : 'none';
    }
    case 'pass':
      harness.advance(one.milliseconds);
      return '';
    case 'back':
      harness.clock.advance(-one.milliseconds);
      return '';
  }
}
