import { describe, expect, it } from 'vitest';
import { admitsUnverified } from './admission.ts';
import { conversation, file } from './testing/conversation.ts';
import { warrantHooks } from './warrant-hooks.ts';

const ADMITTED = [
  'I set it, but could not verify that.',
  "I set it but I couldn't verify it.",
  'I changed a.cfg. I was not able to verify the change.',
  'The change is unverified.',
  'I set the timeout to 30. This is unverified.',
  'I set the timeout to 30. I have not verified this.',
  'Unverified: I set the timeout.',
  '**Status: unverified** - I set the timeout.',
  'I changed app.cfg, but this is not verified.',
  'The change to app.cfg has not been verified.',
  'The edit has yet to be verified.',
  'I wrote both files without verifying them.',
  'I am leaving this unverified.',
  'I did not verify the result.',
];
const OTHERS = [
  'I set the timeout to 30 and verified it.',
  'All is verified; nothing is unverified.',
  'Nothing here is left unverified.',
  'This is no longer unverified.',
  'Is this unverified?',
  'If it is unverified, tell me.',
  'I removed the check that says "could not verify the signature".',
  'I fixed the message `user is unverified` in the log.',
  'The gate said:\n> say that it is unverified\nI set it.',
  '```\nnot verified\n```\nI set it.',
  'I added the column verified.',
  '',
];

describe('a message that says that something was not verified', () => {
  it.each(ADMITTED)('is heard: %s', (text) => expect(admitsUnverified(text)).toBe(true));
  it.each(OTHERS)('is none: %s', (text) => expect(admitsUnverified(text)).toBe(false));

  it('is let go, marked, and shown again by the next prompt', async () => {
    const hooks = warrantHooks({});
    const talking = conversation(hooks);
    await talking.prompt('Set the timeout.');
    await talking.run('Edit', { file_path: 'app.cfg', old_string: '5', new_string: '30' });
    const held = await talking.stop('I set the timeout to 30.');
    expect(held.reason).toContain('say that it is unverified');
    expect(await talking.stop('I set the timeout to 30. I have not verified this.')).toEqual({});
    expect(await hooks.exitedUnverified()).toBe(true);
    expect((await talking.prompt('And?')).hookSpecificOutput?.additionalContext).toContain('app.cfg');
  });

  it('takes nothing from what was looked at', async () => {
    const hooks = warrantHooks({});
    const talking = conversation(hooks);
    await talking.prompt('Set the timeout.');
    await talking.run('Edit', { file_path: 'app.cfg', old_string: '5', new_string: '30' });
    await talking.run('Read', { file_path: 'app.cfg' }, file('30'));
    expect(await talking.stop('I set the timeout to 30. I could not verify the old value.')).toEqual({});
    expect(await hooks.exitedUnverified()).toBe(false);
  });
});
