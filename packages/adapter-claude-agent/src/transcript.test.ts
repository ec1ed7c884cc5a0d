import { appendFileSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { conversation, file } from './testing/conversation.ts';
import { lastMessageIn } from './transcript.ts';
import { warrantHooks } from './warrant-hooks.ts';

const path = (): string => join(mkdtempSync(join(tmpdir(), 'warrant-transcript-')), 't.jsonl');
const user = (content: unknown): string => JSON.stringify({ type: 'user', message: { role: 'user', content } });
const agent = (content: unknown, more: object = {}): string =>
  JSON.stringify({ type: 'assistant', message: { role: 'assistant', id: 'm1', content }, ...more });
const text = (said: string): object => ({ type: 'text', text: said });

describe('the last message of a transcript', () => {
  const written = (...lines: readonly string[]): string => {
    const name = path();
    writeFileSync(name, `${lines.join('\n')}\n`);
    return name;
  };

  it('is what the agent said after the last prompt and the last call', () => {
    const call = agent([text('I look.'), { type: 'tool_use', id: 't', name: 'Read', input: {} }]);
    const result = user([{ type: 'tool_result', tool_use_id: 't', content: 'x' }]);
    const summary = JSON.stringify({ type: 'summary', summary: 'x' });
    expect(lastMessageIn(written(user('Go.'), call, result, agent([text('I am done.')]), summary))).toBe('I am done.');
    // The client writes a line for each block.
    const parts = [agent([{ type: 'thinking', thinking: 'h' }]), agent([text('One.')]), agent([text('Two.')])];
    expect(lastMessageIn(written(user('Go.'), ...parts))).toBe('One.\nTwo.');
    expect(lastMessageIn(written(user('Go.'), agent('As a text.')))).toBe('As a text.');
    for (const lines of [[user('Go.'), call, result], [user('Go.'), call], [agent([text('Before.')]), user('Go.')], []])
      expect(lastMessageIn(written(...lines))).toBeNull();
    const helper = agent([text('A helper.')], { isSidechain: true });
    expect(lastMessageIn(written(user('Go.'), agent([text('Done.')]), helper))).toBe('Done.');
  });

  it('is found while the client writes, in files of any size, and nowhere else', () => {
    const name = written(user('x'.repeat(2_000_000)), agent([text('Done.')]));
    appendFileSync(name, '{"type":"assistant","message":{"content":[{"type":"te');
    expect(lastMessageIn(name)).toBe('Done.');
    for (const odd of ['/nowhere/t.jsonl', tmpdir(), '', written('null', '7', '[]', '{"type":"assistant"}')])
      expect(lastMessageIn(odd)).toBeNull();
  });
});

describe('the end of a turn whose last message the client does not say', () => {
  const changed = async (transcript: string) => {
    const talking = conversation(warrantHooks({}), { transcript_path: transcript });
    await talking.prompt('Change a.ts.');
    await talking.run('Edit', { file_path: 'a.ts', old_string: 'a', new_string: 'b' });
    return talking;
  };
  const end = { stop_hook_active: false };

  it('is held against the transcript', async () => {
    const transcript = path();
    const talking = await changed(transcript);
    writeFileSync(transcript, `${user('Go.')}\n${agent([text('I changed a.ts.')])}\n`);
    expect(await talking.event('Stop', end)).toMatchObject({
      decision: 'block',
      reason: expect.stringContaining('a.ts'),
    });
    writeFileSync(transcript, `${user('Go.')}\n${agent([text('Which of the two do you want?')])}\n`);
    expect(await talking.event('Stop', end)).toEqual({});
  });

  it('is refused while something is open and nobody knows what was said', async () => {
    const talking = await changed('/nowhere/t.jsonl');
    expect((await talking.event('Stop', end)).decision).toBe('block');
    await talking.run('Read', { file_path: 'a.ts' }, file('b'));
    expect(await talking.event('Stop', end)).toEqual({});
  });
});
