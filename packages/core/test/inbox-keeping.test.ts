import { describe, expect, it } from 'vitest';
import {
  createMemoryInbox,
  createVirtualClock,
  digest,
  type Inbox,
  type Question,
  type VirtualClock,
} from '../src/index.ts';
import { createSqliteInbox, openSqlite } from '../src/sqlite/index.ts';

type Kept = (options: { readonly clock: VirtualClock; readonly keepSettled: number }) => Inbox;
const inboxes: readonly (readonly [string, Kept])[] = [
  ['in memory', createMemoryInbox],
  ['in SQLite', (options) => createSqliteInbox(openSqlite(':memory:'), options)],
];
const KEEP = 4;

describe.each(inboxes)('an inbox %s', (_, create) => {
  const clock = createVirtualClock();
  const inbox = create({ clock, keepSettled: KEEP });
  const question = (id: string, more: Partial<Question> = {}): Question => ({
    id,
    kind: 'confirmation',
    subject: digest(id),
    title: id,
    details: {},
    choices: ['allow', 'refuse'],
    askedBy: 'agent:a',
    expiresAt: null,
    ...more,
  });
  const answer = (id: string, by = 'human:b') =>
    inbox.answer({
      questionId: id,
      subject: digest(id),
      choice: 'allow',
      answeredBy: by,
      answeredAt: '2026-01-01T00:00:00.000Z',
    });
  const isKnown = async (id: string) => (await inbox.withdraw(id, 'to see whether it is there')).type !== 'unknown';

  it('forgets what is settled, and nothing that may still be answered or used', async () => {
    const soon = new Date(clock.now() + 1000).toISOString();
    await inbox.ask(question('used'));
    await answer('used');
    await inbox.consume(digest('used'), { by: 'call' });
    await inbox.ask(question('taken back'));
    await inbox.withdraw('taken back', 'no longer needed');
    await inbox.ask(question('ran out', { expiresAt: soon }));
    await inbox.ask(question('allowed'));
    await answer('allowed');
    await inbox.ask(question('open'));
    await inbox.ask(question('vote 1', { group: 'open votes' }));
    await answer('vote 1');
    await inbox.ask(question('vote 2', { group: 'open votes' }));
    await inbox.ask(question('vote 3', { group: 'votes', expiresAt: soon }));
    await answer('vote 3');
    await inbox.ask(question('vote 4', { group: 'votes', expiresAt: soon }));
    clock.advance(1001);
    for (let index = 0; index < 2 * KEEP; index += 1) await inbox.ask(question(`later ${index}`));

    expect((await inbox.pending()).map(({ id }) => id).slice(0, 2)).toEqual(['open', 'vote 2']);
    expect(await inbox.consume(digest('used'), { by: 'call' })).toEqual({ type: 'none' });
    for (const id of ['used', 'taken back', 'ran out', 'vote 3', 'vote 4'])
      expect([id, await isKnown(id)]).toEqual([id, false]);
    // One vote a person still counts the one that was given.
    expect(await answer('vote 2')).toEqual({ type: 'forbidden' });
    expect(await inbox.consume(digest('allowed'), { by: 'call' })).toMatchObject({ type: 'consumed' });
  });

  it('keeps as many as it is told to', async () => {
    for (let index = 0; index < 3 * KEEP; index += 1) {
      await inbox.ask(question(`brief ${index}`));
      await inbox.withdraw(`brief ${index}`, 'at once');
    }
    const known = await Promise.all(Array.from({ length: 3 * KEEP }, (__, index) => isKnown(`brief ${index}`)));
    expect(known.slice(-KEEP)).toEqual(Array(KEEP).fill(true));
    expect(known.slice(0, KEEP)).toEqual(Array(KEEP).fill(false));
  });
});

it('takes questions of a file from before clocks were kept as they are', async () => {
  const clock = createVirtualClock();
  const file = openSqlite(':memory:', { clock });
  const inbox = createSqliteInbox(file, { clock });
  const asked: Question = {
    id: 'old',
    kind: 'confirmation',
    subject: digest('old'),
    title: 'old',
    details: {},
    choices: ['allow'],
    askedBy: 'agent:a',
    expiresAt: new Date(clock.now() + 1000).toISOString(),
  };
  await inbox.ask(asked);
  file.write((db) => db.run('UPDATE inbox_questions SET seen_at = NULL'));
  clock.advance(-86_400_000);
  expect((await inbox.pending()).map(({ id }) => id)).toEqual(['old']);
  const answer = { questionId: 'old', subject: asked.subject, choice: 'allow', answeredBy: 'human:b' };
  expect(await inbox.answer({ ...answer, answeredAt: '2026-01-01T00:00:00.000Z' })).toEqual({ type: 'answered' });
  clock.advance(-86_400_000);
  expect(await inbox.consume(asked.subject, { by: 'call' })).toEqual({ type: 'none' });
});
