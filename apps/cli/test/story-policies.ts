import { ran } from './claude-client.ts';

export const RM = `format: warrant.policy/1
policies:
  - key: only-below-build
    source: delete
    target: file
    sourceDepth: 3
    blockWhen: shell.deletes.exists(p, !within(p, '/srv/app/build')) || 'deletes' in shell.unknownTargets
    message: Only what is below build is deleted.
`;

export const PUSH = `format: warrant.policy/1
policies:
  - key: ask-before-changing
    source: modify
    target: file
    sourceDepth: 2
    confirmWhen: "true"
    message: Files are changed after a person agreed.
`;

export const MAIL = `format: warrant.graph/1
name: mail
concepts:
  mailbox:
    existence: Mail is kept.
    identity: What belongs to one account.
    capabilities: It is read and written from.
    constraints: Others read it too.
  post:
    existence: Texts are sent.
    identity: To hand a text to somebody else for good.
    capabilities: What was written reaches an address.
    constraints:
      text: It cannot be called back.
      applies-to: { mailbox: constraints }
`;

export const TO_STRANGERS = `format: warrant.policy/1
policies:
  - key: only-to-whom-a-person-named
    source: post
    target: mailbox
    sourceDepth: 3
    blockWhen: call.labels['/to'].trust != 'human'
    message: Mail goes only to an address that a person gave.
`;

/** Answers the first question that is open, as soon as there is one. */
export async function answerWhenAsked(directory: string, choice: string): Promise<void> {
  for (;;) {
    const list = JSON.parse(await ran(directory, ['inbox', 'list', '--json'])) as readonly { readonly id: string }[];
    const [question] = list;
    if (question !== undefined) {
      await ran(directory, ['inbox', 'answer', question.id, choice]);
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
