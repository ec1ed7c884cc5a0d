import { describe, expect, test } from 'vitest';
import { analyzeCommand, MAX_SOURCE_LENGTH } from './analyze.ts';

const TOO_DEEP = 'the substitutions are nested too deeply';

/** As long as a line may be, of one opening that nothing closes. */
const opened = (opening: string): string => opening.repeat(Math.floor(MAX_SOURCE_LENGTH / opening.length));

describe('substitutions within substitutions', () => {
  test.each(['$(', 'a $(', '"$(', '$((', '<(', '`$(', '${a:-$('])(
    'a longest line of %j is refused without reading all of it at each of its levels',
    (opening) => {
      const { class: kind, parse, problems } = analyzeCommand(opened(opening));
      expect([kind, parse]).toEqual(['unknown', 'error']);
      expect(problems.length).toBeLessThan(60);
    },
  );

  test('what stands before too many levels is still seen', () => {
    const { commands, problems, class: kind } = analyzeCommand(`rm -r src; ${opened('$(').slice(20)}`);
    expect(commands[0]?.argv).toEqual(['rm', '-r', 'src']);
    expect(kind).toBe('unknown');
    expect(problems.map(({ message }) => message)).toContain(TOO_DEEP);
  });

  test('a command at the bottom of 200 levels is seen', () => {
    const { commands, parse } = analyzeCommand(`${'echo $('.repeat(200)}rm -r src${')'.repeat(200)}`);
    expect(parse).toBe('ok');
    expect(commands.map(({ argv }) => argv[0])).toEqual([...Array.from({ length: 200 }, () => 'echo'), 'rm']);
  });

  test('many substitutions beside each other are all seen', () => {
    const line = 'echo $(date) "$(cat a)" $((1 + 2)); '.repeat(1500);
    const { commands, parse } = analyzeCommand(line);
    expect(parse).toBe('ok');
    expect(commands).toHaveLength(4500);
  });
});
