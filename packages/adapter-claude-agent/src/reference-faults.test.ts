import { describe, expect, it } from 'vitest';
import { conversation, file } from './testing/conversation.ts';
import { warrantHooks } from './warrant-hooks.ts';

const talk = () => conversation(warrantHooks({}));
const edit = (path: string) => ({ file_path: path, old_string: 'a', new_string: 'timeout=30' });

// Each is named after what the reference adapter does.
describe('faults of the reference adapter that are none here', () => {
  it('7: a turn without tools lets an unverified change pass and forgets that it was one', async () => {
    const hooks = warrantHooks({ maxBlocks: 0 });
    const talking = conversation(hooks);
    await talking.prompt('Set it.');
    await talking.run('Edit', edit('app.cfg'));
    expect((await talking.stop('I set the timeout.')).systemMessage).toContain('app.cfg');
    expect(await hooks.exitedUnverified()).toBe(true);
    const told = await talking.prompt('Is it done?');
    expect(told.hookSpecificOutput?.additionalContext).toContain('app.cfg');
    expect((await talking.stop('Yes, I set the timeout.')).systemMessage).toContain('app.cfg');
    expect(await hooks.exitedUnverified()).toBe(true);
  });

  it('8: reading the same file again in a later turn is no look', async () => {
    const talking = talk();
    await talking.prompt('What is in a.cfg?');
    await talking.run('Read', { file_path: 'a.cfg' }, file('timeout=5'));
    expect(await talking.stop('The timeout is 5 seconds.')).toEqual({});
    await talking.prompt('And now?');
    await talking.run('Read', { file_path: 'a.cfg' }, file('timeout=5'));
    expect(await talking.stop('The timeout is still 5 seconds.')).toEqual({});
  });

  it('12: a name behind a line break, or one beyond ASCII, cannot be looked at', async () => {
    const talking = talk();
    await talking.prompt('Write both.');
    await talking.run('Write', { file_path: 'café.cfg', content: 'x' });
    await talking.run('Read', { file_path: 'café.cfg' }, file('x'));
    await talking.run('Write', { file_path: 'app.cfg', content: 'y' });
    await talking.run('Bash', { command: 'grep -r y .' }, { stdout: 'a\napp.cfg:y', stderr: '' });
    expect(await talking.stop('I wrote café.cfg and app.cfg.')).toEqual({});
  });

  it('13: words of a description count as what was changed', async () => {
    const talking = talk();
    await talking.prompt('Copy it.');
    await talking.run('Bash', { command: 'cp a.cfg "my notes.txt"', description: 'Change the timeout' });
    await talking.run('Read', { file_path: 'the.txt' }, file('the timeout is the word'));
    const held = await talking.stop('I copied a.cfg.');
    expect(held.decision).toBe('block');
    expect(held.reason).toContain('my notes.txt');
    await talking.run('Bash', { command: 'cat "my notes.txt"' }, { stdout: 'x', stderr: '' });
    expect(await talking.stop('I copied a.cfg.')).toEqual({});
  });

  it('14: a look through the shell is none, and ls takes a look back; tools of servers are neither', async () => {
    const talking = talk();
    await talking.prompt('Set it.');
    await talking.run('Edit', edit('app.cfg'));
    await talking.run('Bash', { command: 'cat app.cfg' }, { stdout: 'timeout=30', stderr: '' });
    await talking.run('Bash', { command: 'ls' }, { stdout: 'app.cfg', stderr: '' });
    expect(await talking.stop('I set the timeout.')).toEqual({});
    await talking.prompt('File it.');
    await talking.run('mcp__tracker__create', { id: 'T-1' }, 'created');
    expect((await talking.stop('I created the ticket.')).decision).toBe('block');
  });

  it('15: after the first change every turn is judged as one that claims a change', async () => {
    const talking = talk();
    await talking.prompt('Set it.');
    await talking.run('Edit', edit('app.cfg'));
    await talking.run('Read', { file_path: 'app.cfg' }, file('timeout=30'));
    expect(await talking.stop('I set the timeout.')).toEqual({});
    await talking.prompt('What does b.cfg say?');
    await talking.run('Read', { file_path: 'b.cfg' }, file('retries=2'));
    expect(await talking.stop('It allows 2 retries.')).toEqual({});
  });

  it('16: once the valve has opened, each further end of the turn passes without a word', async () => {
    const talking = conversation(warrantHooks({ maxBlocks: 1 }));
    await talking.prompt('Set it.');
    await talking.run('Edit', edit('app.cfg'));
    const said = 'I set the timeout.';
    expect((await talking.stop(said)).decision).toBe('block');
    expect((await talking.stop(said)).systemMessage).toContain('unverified');
    expect((await talking.stop(said)).decision).toBe('block');
  });
});
