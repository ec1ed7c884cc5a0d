import { canonicalJson, createSecretReplacer, isoTime, type Json, type Question } from '@warrant/core';
import { readSecretKey, type Workspace } from '@warrant/workspace';
import { knowVersions } from '../agent/version-kind.ts';
import { type CommandModule, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { refuse } from '../cli/failure.ts';
import { parseJson } from '../cli/parse-json.ts';
import { withWorkspace } from '../cli/with-workspace.ts';
import { alikeQuestions } from '../inbox/alike.ts';
import { payloadSchema } from '../inbox/answer-lines.ts';
import { questionLines } from '../inbox/question-lines.ts';

type Options = {
  readonly alike?: boolean;
  readonly reason?: string;
  readonly as?: string;
  readonly payload?: string;
};

export const command: CommandModule<Options> = {
  configure: (command) =>
    void command
      .argument('<id>', 'the question, as `warrant inbox list` shows it')
      .argument('<choice>', 'one of its choices')
      .option('--alike', 'answer every open question that asks the same for other arguments')
      .option('--reason <text>', 'kept with the answer')
      .option('--payload <json>', 'the data of the choice, where an agent asks for some')
      .option('--as <person>', 'who answers (default: `person` of warrant.yaml)'),
  run: (call) =>
    withWorkspace(call, async (workspace) => {
      const [id = '', choice = ''] = call.words;
      if (call.options.as?.trim() === '')
        return refuse(call, exitCodes.usage, 'CLI_USAGE', '--as names the person who answers.');
      const open = await workspace.inbox.pending();
      const question = open.find((one) => one.id === id);
      if (question === undefined) {
        return refuse(call, exitCodes.missing, 'CLI_NO_QUESTION', `There is no open question ${id}.`);
      }
      if (!question.choices.includes(choice)) {
        const message = `'${choice}' is no answer to ${id}; there are ${question.choices.join(', ')}.`;
        return refuse(call, exitCodes.usage, 'CLI_CHOICE', message);
      }
      const payload = await payloadOf(question, choice, call.options.payload);
      if (payload.type === 'wrong') return refuse(call, exitCodes.usage, 'CLI_PAYLOAD', payload.message);
      const given = withoutSecrets(workspace, { ...call.options, ...payload.given });
      const chosen = call.options.alike === true ? alikeQuestions(question, open) : [question];
      const answered = [];
      for (const one of chosen)
        answered.push({
          id: one.id,
          type: await answer(workspace, one, choice, given),
          question: one,
        });
      print(
        call,
        answered.map(({ id, type }) => ({ id, type })),
        answered
          .flatMap((one) => [`${one.id}: ${meanings[one.type] ?? one.type}`, ...questionLines(one.question)])
          .join('\n'),
      );
      return answered.every((one) => one.type === 'answered') ? exitCodes.ok : exitCodes.no;
    }),
};

/** What the inbox says where its word alone does not tell what to do. */
const meanings: Readonly<Record<string, string>> = {
  forbidden: 'forbidden: nobody answers their own question, nor has two votes where several people are asked',
  'already-answered': 'already answered, and that answer stands',
  expired: 'expired: it waited too long and counts as refused',
  mismatch: 'what is asked has changed since; list the questions again',
};

type Payload = { readonly data?: Json };

/** What a person says is stored: secrets in it get the same marks as everywhere in the workspace. */
function withoutSecrets({ paths }: Workspace, options: Options & Payload): Options & Payload {
  const clean = createSecretReplacer({ key: readSecretKey(paths) });
  const { reason, data } = options;
  return {
    ...options,
    ...(reason === undefined ? {} : { reason: clean(reason) }),
    ...(data === undefined ? {} : { data: clean(data) }),
  };
}

/** The data of an answer, checked before the question is used up. */
async function payloadOf(
  question: Question,
  choice: string,
  text: string | undefined,
): Promise<{ readonly type: 'fits'; readonly given: Payload } | { readonly type: 'wrong'; readonly message: string }> {
  const wrong = (message: string) => ({ type: 'wrong' as const, message });
  if (text !== undefined && question.kind !== 'decision') return wrong('Only the questions of agents take a payload.');
  const data = text === undefined ? null : parseJson(text);
  if (data === undefined) return wrong('A payload is JSON.');
  const schema = payloadSchema(question, choice);
  if (schema !== undefined) {
    const { ajvSchemas } = await import('@warrant/decide/schemas');
    const paths = ajvSchemas().violations(schema, data);
    if (paths.length > 0)
      return wrong(
        `'${choice}' takes a --payload as ${canonicalJson(schema)} says; at fault: ${paths.map((path) => path || '/').join(', ')}.`,
      );
  }
  return { type: 'fits', given: text === undefined ? {} : { data } };
}

async function answer(
  workspace: Workspace,
  question: Question,
  choice: string,
  options: Options & Payload,
): Promise<string> {
  if (question.kind === 'review') return decide(workspace, question, choice, options);
  const { inbox, clock, config } = workspace;
  const { type } = await inbox.answer({
    questionId: question.id,
    subject: question.subject,
    choice,
    answeredBy: options.as ?? config.person,
    answeredAt: isoTime(clock),
    ...(options.data === undefined ? {} : { payload: options.data }),
    ...(options.reason === undefined ? {} : { reason: options.reason }),
  });
  return type;
}

/** The reviewer is the one truth about proposals; its question in the inbox is answered by it. */
async function decide(
  { reviewer, config }: Workspace,
  question: Question,
  choice: string,
  options: Options,
): Promise<string> {
  if (choice !== 'approve' && choice !== 'reject') return 'mismatch';
  await knowVersions(reviewer);
  const decision = await reviewer.decide({
    proposalId: question.id.slice(0, question.id.lastIndexOf('/')),
    proposal: question.subject,
    choice,
    by: options.as ?? config.person,
    ...(options.reason === undefined ? {} : { reason: options.reason }),
  });
  const settled =
    decision.type === 'approved' ||
    decision.type === 'rejected' ||
    decision.votes.some((vote) => vote.questionId === question.id);
  return settled ? 'answered' : `${decision.type}: ${decision.reasons.map((reason) => reason.message).join('; ')}`;
}
