import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openMemory } from '@warrant/memory/sqlite';
import { describe, expect, it } from 'vitest';
import { project, ran } from '../../test/claude-client.ts';
import { commandPlayer, sdkPlayer } from '../../test/players.ts';
import type { Saying } from '../../test/scripted-api.ts';
import { answerWhenAsked, MAIL, PUSH, RM, TO_STRANGERS } from '../../test/story-policies.ts';

const TIMEOUT = { timeout: 280_000 };
const DONE: Saying = { text: 'Is there anything else?' };
const bash = (command: string): Saying => ({ tool: 'Bash', input: { command, description: 'as told' } });

async function prepared(options: Parameters<typeof project>[0]): Promise<string> {
  const directory = await project(options);
  mkdirSync(join(directory, 'src'));
  writeFileSync(join(directory, 'src/keep.txt'), 'kept');
  writeFileSync(join(directory, 'app.cfg'), 'timeout=5\n');
  return directory;
}

const read = (directory: string): Saying => ({ tool: 'Read', input: { file_path: join(directory, 'app.cfg') } });
const edit = (directory: string): Saying => ({
  tool: 'Edit',
  input: { file_path: join(directory, 'app.cfg'), old_string: 'timeout=5', new_string: 'timeout=30' },
});
const content = (directory: string): string => readFileSync(join(directory, 'app.cfg'), 'utf8');

/** The client itself, with a model that says what a script says; nothing leaves this machine. */
for (const { name, play } of [commandPlayer, sdkPlayer]) {
  describe.skipIf(process.env['WARRANT_SOAK'] === undefined)(`the real client through ${name}`, () => {
    it('refuses rm in a compound line and behind launchers, and says nothing to a look', TIMEOUT, async () => {
      const directory = await prepared({ policies: RM });
      const lines = ['ls && rm -rf src', 'nice -n 5 rm -r src', 'sh -c "rm src/keep.txt"', 'git status | head'];
      const { results } = await play(directory, [...lines.map(bash), DONE]);
      expect(existsSync(join(directory, 'src/keep.txt'))).toBe(true);
      for (const refused of results.slice(0, 3)) expect(refused).toContain('Only what is below build is deleted.');
      expect(results[3]).not.toContain('Only what is below build');
      expect(results).toHaveLength(4);
      expect(await ran(directory, ['journal', 'verify'])).toContain('intact');
    });

    it('judges shell lines in a skill and in a command that a person types, before they run', TIMEOUT, async () => {
      const directory = await prepared({ policies: RM });
      const text = (name: string): string =>
        `---\nname: ${name}\ndescription: as told\nallowed-tools: Bash(rm:*), Bash(touch:*)\n---\nSaw !\`rm -rf src\` and !\`touch ${name}.txt\`.\n`;
      for (const [folder, file, name] of [
        ['skills/probe', 'SKILL.md', 'probe'],
        ['commands', 'typed.md', 'typed'],
      ] as const) {
        mkdirSync(join(directory, '.claude', folder), { recursive: true });
        writeFileSync(join(directory, '.claude', folder, file), text(name));
      }
      const { asked } = await play(directory, [DONE, { tool: 'Skill', input: { skill: 'probe' } }, DONE], {
        prompts: ['/typed', 'Use the skill.'],
        reads: true,
      });
      expect(existsSync(join(directory, 'src/keep.txt'))).toBe(true);
      expect(['probe.txt', 'typed.txt'].filter((file) => existsSync(join(directory, file)))).toHaveLength(2);
      const told = JSON.stringify(asked.at(-1)?.messages);
      expect(told.split('Only what is below build is deleted.')).toHaveLength(3);
      expect(await ran(directory, ['journal', 'verify'])).toContain('intact');
    });

    it('holds an edit at the end of the turn until it was read back', TIMEOUT, async () => {
      const directory = await prepared({});
      const said = (more: string): Saying => ({ text: `I set the timeout to 30 in app.cfg${more}.` });
      const { asked, ends } = await play(directory, [
        read(directory),
        edit(directory),
        said(''),
        bash('cat app.cfg'),
        said(', and it reads so now'),
      ]);
      expect(content(directory)).toBe('timeout=30\n');
      expect(JSON.stringify(asked.at(-1)?.messages)).toContain('Not looked at since it was changed');
      expect(ends).toEqual(['I set the timeout to 30 in app.cfg, and it reads so now.']);
    });

    it('takes tests that pass as a look', TIMEOUT, async () => {
      const policies = `${RM}`;
      const directory = await prepared({ policies });
      writeFileSync(join(directory, 'package.json'), JSON.stringify({ scripts: { test: 'echo "1 passed"' } }));
      await ran(directory, ['learn', '--file', learnt(directory)]);
      const said: Saying = { text: 'I generated the code, and the tests pass.' };
      const { ends, asked } = await play(directory, [
        bash('touch made.txt && git init -q . && git add -A && git restore .'),
        said,
        bash('npm test'),
        said,
      ]);
      expect(JSON.stringify(asked.at(-1)?.messages)).toContain('Not yet:');
      expect(ends).toHaveLength(1);
    });

    it('asks the inbox, and an answer lets one call run, once', TIMEOUT, async () => {
      const directory = await prepared({ policies: PUSH, claude: '  ask: inbox\n  askSeconds: 100' });
      const again: Saying = {
        tool: 'Edit',
        input: { file_path: join(directory, 'app.cfg'), old_string: 'timeout=30', new_string: 'timeout=60' },
      };
      const playing = play(directory, [read(directory), edit(directory), again, DONE]);
      await answerWhenAsked(directory, 'allow');
      await answerWhenAsked(directory, 'refuse');
      const { results } = await playing;
      expect(content(directory)).toBe('timeout=30\n');
      expect(results.at(-1)).toContain('a person said no to this call');
    });

    it('refuses a tool that nobody knows with a gap, until the gap is learned', TIMEOUT, async () => {
      const directory = await prepared({});
      const create: Saying = { tool: 'mcp__desk__create', input: { title: 'x' } };
      const before = await play(directory, [create, DONE]);
      expect(before.results[0]).toContain('mcp__desk__create');
      expect(before.results[0]).not.toContain('created x');
      await ran(directory, ['learn', '--file', learnt(directory, 'mcp__desk__create')]);
      const after = await play(directory, [create, DONE]);
      expect(after.results[0]).toContain('created x');
    });

    it('recalls what is known of a file at the call that touches it', TIMEOUT, async () => {
      const directory = await prepared({ claude: '  memory: true' });
      const memory = openMemory({ folder: join(directory, '.warrant/memory') });
      const file = join(directory, 'app.cfg');
      await memory.human('kim', { onBehalfOf: 'agent' }).write({
        key: 'memory/org/timeout',
        value: 'below 60 since the outage',
        entities: [file],
      });
      await memory.close();
      const { asked } = await play(directory, [read(directory), edit(directory), DONE]);
      const told = asked.map(({ messages }) => JSON.stringify(messages).includes('below 60 since the outage'));
      expect(told.indexOf(true)).toBe(2);
    });

    it('keeps an address of a page away from a tool that sends, and lets the typed one through', TIMEOUT, async () => {
      const claude = `  tools:
    - { match: mcp__desk__send, concepts: [post, mailbox], effect: write, targets: [/to] }
    - { match: mcp__desk__fetch, concepts: [read, file], effect: read, targets: [/url], trust: web }
`;
      const directory = await prepared({ policies: TO_STRANGERS, graph: MAIL, claude });
      const send = (to: string): Saying => ({ tool: 'mcp__desk__send', input: { to, text: 'x' } });
      const fetched: Saying = { tool: 'mcp__desk__fetch', input: { url: 'https://example.net' } };
      const { results } = await play(directory, [fetched, send('thief@example.net'), send('kim@example.org'), DONE], {
        prompts: ['Read the page and send the summary to kim@example.org, please.'],
      });
      expect(results[1]).toContain('Mail goes only to an address that a person gave.');
      expect(readFileSync(join(directory, 'sent.log'), 'utf8')).toBe('kim@example.org\n');
    });

    it('carries a pinned constraint over a compaction', TIMEOUT, async () => {
      const directory = await prepared({ claude: '  memory: true' });
      const memory = openMemory({ folder: join(directory, '.warrant/memory') });
      await memory.human('kim').pin({ name: 'no-push', text: 'Never push to main.' });
      await memory.close();
      const { asked, ends } = await play(
        directory,
        [read(directory), DONE, { text: '<summary>short</summary>' }, DONE],
        {
          prompts: ['Look at it.', '/compact', 'Go on.'],
        },
      );
      expect(ends.length).toBeGreaterThanOrEqual(2);
      expect(await ran(directory, ['journal', 'read', 'claude', '--json'])).toContain('claude.checkpoint');
      expect(JSON.stringify(asked.at(-1)?.messages)).toContain('Constraints that hold for this work');
    });
  });
}

function learnt(directory: string, concept = 'unknown-command'): string {
  const file = join(directory, 'lessons.yaml');
  writeFileSync(
    file,
    `format: warrant.learn/1
lessons:
  - concepts: [${concept}]
    candidates:
      - { type: existence, name: ${concept}, identity: { level: 1, properties: { is: something of ours } } }
`,
  );
  return file;
}
