import { canonicalJson } from '../canonical.ts';
import { WarrantError } from '../error.ts';
import type { Json } from '../json.ts';
import type { Answer, Inbox, Question } from '../people.ts';

/** What a store keeps of one question. */
export type InboxRecord = {
  readonly question: Question;
  readonly answer: Answer | null;
  /** Why it was withdrawn. */
  readonly withdrawn: string | null;
  /** The call that used the answer. */
  readonly consumedBy: string | null;
  /** The latest reading of the inbox's clock when it was asked or answered; null in files from before it was kept. */
  readonly seenAt: number | null;
};
type Answered = Awaited<ReturnType<Inbox['answer']>>;
type Waited = Awaited<ReturnType<Inbox['wait']>>;
export type Consumption =
  | { readonly type: 'consumed'; readonly record: InboxRecord; readonly answer: Answer; readonly first: boolean }
  | { readonly type: 'pending'; readonly question: Question }
  | { readonly type: 'none' };

const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

/** The question as it is stored: plain data that nobody else holds. @throws INBOX_INVALID_QUESTION, JSON_INVALID */
export function admitQuestion(question: Question): Question {
  const { id, choices, expiresAt } = question;
  const invalid = (what: string): WarrantError =>
    new WarrantError('INBOX_INVALID_QUESTION', `the question cannot be asked: ${what}`, { data: { id, what } });
  if (id === '') throw invalid('its id is empty');
  if (choices.length === 0 || new Set(choices).size !== choices.length)
    throw invalid('its choices are none or repeated');
  if (expiresAt !== null && !isTime(expiresAt)) throw invalid('expiresAt is not ISO-8601 in UTC');
  return copy(question);
}

/** A frozen copy that shares nothing with the original. */
export function copy<T>(value: T): T {
  return freeze(JSON.parse(canonicalJson(value as Json)) as T);
}

function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  for (const member of Object.values(value)) freeze(member);
  return Object.freeze(value);
}

function isTime(text: string): boolean {
  return ISO_TIME.test(text) && !Number.isNaN(Date.parse(text));
}

/** A clock that goes back by so much is set right, and voids nothing; milliseconds. */
export const CLOCK_TOLERANCE_MS = 60_000;

function hasRunOut({ expiresAt }: Question, now: number): boolean {
  return expiresAt !== null && now >= Date.parse(expiresAt);
}

/**
 * It ran out, or the clock went back to before it was asked or answered: then nobody can say how long it lived, and no
 * approval may live longer than it was given for.
 */
function isExpired({ question, seenAt }: InboxRecord, now: number): boolean {
  const isBefore = seenAt !== null && now < seenAt - CLOCK_TOLERANCE_MS;
  return hasRunOut(question, now) || (question.expiresAt !== null && isBefore);
}

/** Settled questions of which so many later ones were asked are forgotten, unless told otherwise. */
export const KEEP_SETTLED = 10_000;
/** Forgetting runs once for so many questions asked, so that asking stays cheap. */
export const FORGET_EVERY = 256;

/**
 * Nothing can come of it any more: it was used, withdrawn or ran out. In a group an answer counts for as long as another
 * of its questions is open, and is settled after that.
 */
export function isSettled(record: InboxRecord, now: number, isGroupOpen: (group: string) => boolean): boolean {
  const { group } = record.question;
  if (group !== undefined) return !mayBeAnswered(record, now) && !isGroupOpen(group);
  return record.consumedBy !== null || record.withdrawn !== null || hasRunOut(record.question, now);
}

/** Waits for an answer, now or once a clock that went back has caught up. */
export function mayBeAnswered(record: InboxRecord, now: number): boolean {
  return record.answer === null && record.withdrawn === null && !hasRunOut(record.question, now);
}

/** Waits for an answer. */
export function isPending(record: InboxRecord, now: number): boolean {
  return mayBeAnswered(record, now) && !isExpired(record, now);
}

/** The stored question that makes asking again needless: one of its subject that is not used up, or, in a group, itself. */
export function findKnown(records: readonly InboxRecord[], asked: Question, now: number): InboxRecord | undefined {
  return records.find((record) => {
    if (record.question.id === asked.id) return true;
    if (record.question.group !== undefined || asked.group !== undefined) return false;
    return (
      record.question.subject === asked.subject &&
      record.consumedBy === null &&
      record.withdrawn === null &&
      !isExpired(record, now)
    );
  });
}

/** @throws INBOX_ID_REUSED when the id names another question. */
export function checkSame(record: InboxRecord, asked: Question): void {
  if (record.question.id !== asked.id) return;
  if (canonicalJson(record.question as Json) === canonicalJson(asked as Json)) return;
  throw new WarrantError('INBOX_ID_REUSED', `another question has the id ${asked.id}`, { data: { id: asked.id } });
}

/** @param voted whether this person answered another question of the same group. */
export function judgeAnswer(
  record: InboxRecord | undefined,
  answer: Answer,
  facts: { readonly now: number; readonly voted: boolean },
): Answered['type'] {
  if (record === undefined || record.withdrawn !== null) return 'unknown';
  const { question } = record;
  if (answer.subject !== question.subject || !question.choices.includes(answer.choice)) return 'mismatch';
  if (answer.answeredBy === question.askedBy) return 'forbidden';
  if (record.answer !== null) return 'already-answered';
  if (isExpired(record, facts.now)) return 'expired';
  return facts.voted ? 'forbidden' : 'answered';
}

/** What `wait` gives now, or undefined while it has to wait. */
export function waitedFor(record: InboxRecord, now: number): Waited | undefined {
  if (record.answer !== null) return { type: 'answered', answer: record.answer };
  if (record.withdrawn !== null) return { type: 'withdrawn' };
  return isExpired(record, now) ? { type: 'expired' } : undefined;
}

/** @param records all of the subject, in the order of asking. */
export function decideConsumption(records: readonly InboxRecord[], by: string, now: number): Consumption {
  const own = records.find((record) => record.consumedBy === by);
  if (own?.answer) return { type: 'consumed', record: own, answer: own.answer, first: false };
  for (const record of records) {
    if (record.consumedBy !== null || record.answer === null || isExpired(record, now)) continue;
    return { type: 'consumed', record, answer: record.answer, first: true };
  }
  const pending = records.find((record) => isPending(record, now));
  return pending === undefined ? { type: 'none' } : { type: 'pending', question: pending.question };
}
