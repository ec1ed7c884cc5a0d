import { cpSync, existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { Conversation, commandHook, decisionOf, project, sdkHooks } from '../../test/claude-client.ts';
import { damages } from '../../test/damages.ts';
import { commandPlayer, sdkPlayer } from '../../test/players.ts';
import type { Saying } from '../../test/scripted-api.ts';
import { RM } from '../../test/story-policies.ts';

const soak = process.env['WARRANT_SOAK'] !== undefined;

let whole: string;
beforeAll(async () => {
  whole = await project({ policies: RM });
  // Tables of the hook are there once it was in a workspace.
  const { send, close } = await commandHook.start(whole);
  await new Conversation(send, whole).event('SessionStart', { source: 'startup' });
  await close();
});

function copy(): string {
  const directory = mkdtempSync(join(tmpdir(), 'warrant-broken-'));
  cpSync(whole, directory, { recursive: true });
  return directory;
}

for (const client of [commandHook, sdkHooks]) {
  const told = damages.filter(
    ({ shows, slow }) => (shows !== 'opening' || client === commandHook) && (soak || slow !== true),
  );
  describe(`a broken workspace through ${client.name}`, () => {
    for (const { what, shows, make } of told) {
      it(`lets nothing run in enforce and stands in no way in observe: ${what}`, { timeout: 280_000 }, async () => {
        for (const mode of ['enforce', 'observe'] as const) {
          const directory = copy();
          const { send, close } = await client.start(directory, { mode });
          const talking = new Conversation(send, directory);
          const letGo = make(directory);
          const line = { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 'toolu_1' };
          const events = [
            ['PreToolUse', line],
            ['PreSkillShellCommand', line],
            ['PermissionRequest', line],
            ['UserPromptSubmit', { prompt: 'Go on.' }],
          ] as const;
          for (const [event, more] of shows === 'judging' ? events.slice(0, 1) : events) {
            // A hook that throws is one that ends with 2: the client takes either for a refusal.
            const end = await talking.event(event, more).then(
              (told) => decisionOf(told) ?? told,
              () => 'deny',
            );
            expect([mode, event, end]).toEqual([mode, event, mode === 'observe' ? {} : 'deny']);
          }
          letGo();
          await close().catch(() => undefined);
        }
      });
    }
  });
}

/** The client itself: the workspace breaks between two calls of one turn. */
for (const player of [commandPlayer, sdkPlayer]) {
  const told = damages.filter(({ shows }) => shows !== 'opening' || player === commandPlayer);
  describe.skipIf(!soak)(`a workspace that breaks under the real client through ${player.name}`, () => {
    for (const { what, shows, make } of told) {
      it(`runs no tool any more in enforce, and does in observe: ${what}`, { timeout: 280_000 }, async () => {
        for (const mode of ['enforce', 'observe'] as const) {
          const directory = copy();
          let letGo = (): void => undefined;
          const first = (): void => {
            letGo = make(directory);
          };
          const touch = (file: string): Saying => ({
            tool: 'Bash',
            input: { command: `touch ${file}`, description: 'x' },
          });
          const done: Saying = { text: 'Is there anything else?' };
          // A policy is read with the first call that is judged.
          const before = shows === 'judging' ? [] : [touch('before.txt')];
          await player.play(directory, [...before, { ...touch('made.txt'), first }, done], { mode });
          letGo();
          const ran = [...before.map(() => 'before.txt'), 'made.txt'].filter((file) =>
            existsSync(join(directory, file)),
          );
          expect([mode, ran]).toEqual([
            mode,
            [...before.map(() => 'before.txt'), ...(mode === 'observe' ? ['made.txt'] : [])],
          ]);
        }
      });
    }
  });
}
