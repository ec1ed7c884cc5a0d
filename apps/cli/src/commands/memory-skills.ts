import { type CommandModule, paint, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { refuse } from '../cli/failure.ts';
import { type MemoryOptions, withMemory, withMemoryOptions } from '../memory/with-memory.ts';

export const command: CommandModule<MemoryOptions> = {
  configure: (command) => void withMemoryOptions(command).argument('[id]', 'one skill with its text'),
  run: (call) =>
    withMemory(call, async ({ human }) => {
      const [id] = call.words;
      const found = id === undefined ? await human.skills.list() : [await human.skills.get(id)];
      const skills = found.flatMap((one) => one ?? []);
      if (id !== undefined && skills.length === 0)
        return refuse(call, exitCodes.missing, 'CLI_NO_SKILL', `There is no skill ${id}.`);
      const lines = skills.map(({ skill, health }) => {
        const state = paint(call, health.stale ? 'yellow' : 'green', health.score.toFixed(2));
        const why = health.reasons.map(({ message }) => `\n  ${message}`).join('');
        return `${paint(call, 'bold', skill.id)} ${skill.version}  ${skill.name}  health ${state}${why}${id === undefined ? '' : `\n${skill.content}`}`;
      });
      print(call, skills, lines.length === 0 ? 'There are no skills.' : lines.join('\n'));
      return exitCodes.ok;
    }),
};
