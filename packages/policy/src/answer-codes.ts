import type { ConditionAnswer } from './decide.ts';
import type { RecordedVerdict } from './record-types.ts';

const LETTERS = {
  passed: 'p',
  fired: 'f',
  'no-call': 'n',
  error: 'e',
  'bad-answer': 'b',
  timeout: 't',
} as const satisfies Record<ConditionAnswer['type'], string>;

const TYPES = new Map(Object.entries(LETTERS).map(([type, letter]) => [letter as string, type]));

/** UTF-8 bytes that the messages of one record may take. */
const MESSAGE_BYTES = 500;
/** Characters that the answers of one record may take; what does not fit is marked, and cannot be replayed. */
const MAX_ANSWERS = 240;
const CUT = 'x';

/** Answers in the short form of a record. Messages of what fired come first; those that do not fit are left out. */
export function encodeAnswers(answers: readonly ConditionAnswer[]): Pick<RecordedVerdict, 'answers' | 'messages'> {
  const letters = answers.map((answer) => LETTERS[answer.type]).join('');
  const runs = letters.replace(/(.)\1+/g, (run, letter: string) => `${letter}${run.length}`);
  return { answers: runs.length <= MAX_ANSWERS ? runs : CUT, messages: messagesOf(answers) };
}

/** The answers of a record; undefined when the record could not hold them. */
export function decodeAnswers(
  record: Pick<RecordedVerdict, 'answers' | 'messages'>,
): readonly ConditionAnswer[] | undefined {
  const messages = new Map(record.messages);
  const answers: ConditionAnswer[] = [];
  for (const [, letter = '', count = ''] of record.answers.matchAll(/([a-z])(\d*)/g)) {
    const type = TYPES.get(letter);
    if (type === undefined) return undefined;
    for (let index = 0; index < (count === '' ? 1 : Number(count)); index += 1) {
      answers.push({ type: type as ConditionAnswer['type'], message: messages.get(answers.length) ?? null });
    }
  }
  return answers;
}

function messagesOf(answers: readonly ConditionAnswer[]): readonly (readonly [number, string])[] {
  const all = answers.flatMap((answer, index) =>
    answer.message === null || answer.message === '' ? [] : [{ index, ...answer, message: answer.message }],
  );
  const kept: [number, string][] = [];
  let room = MESSAGE_BYTES;
  for (const { index, message } of [...all.filter(isFiring), ...all.filter((answer) => !isFiring(answer))]) {
    const bytes = Buffer.byteLength(JSON.stringify(message)) + 8;
    if (bytes > room) continue;
    room -= bytes;
    kept.push([index, message]);
  }
  return kept;
}

function isFiring(answer: ConditionAnswer): boolean {
  return answer.type !== 'passed';
}
