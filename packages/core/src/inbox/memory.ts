import { type Clock, systemClock } from '../clock.ts';
import type { Inbox } from '../people.ts';
import { systemTimer, type Timer } from '../timer.ts';
import {
  admitQuestion,
  checkSame,
  copy,
  decideConsumption,
  FORGET_EVERY,
  findKnown,
  type InboxRecord,
  isPending,
  isSettled,
  judgeAnswer,
  KEEP_SETTLED,
  mayBeAnswered,
} from './rules.ts';
import { createWaiters } from './waiting.ts';

export type MemoryInboxOptions = {
  /** Decides what has expired. @default systemClock */
  readonly clock?: Clock;
  /** Wakes who waits for a question that expires. @default systemTimer */
  readonly timer?: Timer;
  /** Settled questions are forgotten once so many later ones were asked. @default 10000 */
  readonly keepSettled?: number;
};

/** An inbox that lives and ends with the process. */
export function createMemoryInbox(options: MemoryInboxOptions = {}): Inbox {
  const { clock = systemClock, keepSettled = KEEP_SETTLED } = options;
  const records = new Map<string, InboxRecord>();
  const idsBySubject = new Map<string, string[]>();
  const ofSubject = (subject: string): readonly InboxRecord[] =>
    (idsBySubject.get(subject) ?? []).map((id) => records.get(id) as InboxRecord);
  const waiters = createWaiters((id) => records.get(id), { clock, timer: options.timer ?? systemTimer });
  const put = (record: InboxRecord): void => {
    records.set(record.question.id, record);
    waiters.wake();
  };
  let asks = 0;
  return {
    ask: async (asked, cancel) => {
      cancel?.signal?.throwIfAborted();
      const question = admitQuestion(asked);
      const now = clock.now();
      const known = records.get(question.id) ?? findKnown(ofSubject(question.subject), question, now);
      if (known !== undefined) {
        checkSame(known, question);
        return { type: 'known', question: known.question };
      }
      idsBySubject.set(question.subject, [...(idsBySubject.get(question.subject) ?? []), question.id]);
      put({ question, answer: null, withdrawn: null, consumedBy: null, seenAt: now });
      asks += 1;
      if (asks % Math.min(FORGET_EVERY, keepSettled) === 0) forget(records, idsBySubject, keepSettled, now);
      return { type: 'asked', question };
    },
    pending: async (filter) => {
      filter?.signal?.throwIfAborted();
      return [...records.values()]
        .filter((record) => isPending(record, clock.now()))
        .map((record) => record.question)
        .filter((question) => filter?.kind === undefined || question.kind === filter.kind);
    },
    answer: async (given) => {
      const answer = copy(given);
      const record = records.get(answer.questionId);
      const group = record?.question.group;
      const voted =
        group !== undefined &&
        [...records.values()].some(
          (other) => other.question.group === group && other.answer?.answeredBy === answer.answeredBy,
        );
      const now = clock.now();
      const type = judgeAnswer(record, answer, { now, voted });
      if (type === 'answered' && record !== undefined) {
        put({ ...record, answer, seenAt: Math.max(now, record.seenAt ?? now) });
      }
      return { type };
    },
    wait: (id, cancel) => waiters.wait(id, cancel?.signal),
    withdraw: async (id, reason) => {
      const record = records.get(id);
      if (record === undefined) return { type: 'unknown' };
      if (record.answer !== null) return { type: 'already-answered' };
      if (record.withdrawn === null) put({ ...record, withdrawn: reason });
      return { type: 'withdrawn' };
    },
    consume: async (subject, { by }) => {
      const decided = decideConsumption(ofSubject(subject), by, clock.now());
      if (decided.type !== 'consumed') return decided;
      if (decided.first) put({ ...decided.record, consumedBy: by });
      return { type: 'consumed', answer: decided.answer };
    },
  };
}

/** What is left of the oldest is what may still be answered or used. */
function forget(
  records: Map<string, InboxRecord>,
  idsBySubject: Map<string, string[]>,
  keepSettled: number,
  now: number,
): void {
  const openGroups = new Set<string>();
  for (const record of records.values()) {
    const { group } = record.question;
    if (group !== undefined && mayBeAnswered(record, now)) openGroups.add(group);
  }
  for (const [id, record] of [...records].slice(0, -keepSettled)) {
    if (!isSettled(record, now, (group) => openGroups.has(group))) continue;
    records.delete(id);
    const { subject } = record.question;
    const others = (idsBySubject.get(subject) ?? []).filter((other) => other !== id);
    if (others.length === 0) idsBySubject.delete(subject);
    else idsBySubject.set(subject, others);
  }
}
