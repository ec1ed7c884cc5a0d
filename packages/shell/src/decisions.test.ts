import { describe, expect, it } from 'vitest';
import { analyzeCommand } from './index.ts';

describe('what a decision hangs on', () => {
  it.each([
    ['a word with a dash in front', 'sort "-$x"', 'unknown'],
    ['a word with a letter in front', 'sort "a$x"', 'read'],
    ['the value of an option that may be several words', 'sort -k $x a', 'unknown'],
    ['the value of an option in quotes', 'sort -k "$x" a', 'read'],
    ['a name in arithmetic after its integer', 'x=1; echo $((x))', 'read'],
    ['a name in arithmetic before its integer', 'echo $((x)); x=1', 'unknown'],
    ['the beginning of an option that writes', 'sort --outp f a', 'write'],
    ['the beginning of an option that runs a program', 'sort --compress-p x a', 'unknown'],
    ['text in quotes with a brace', "cat '{a,b}'", 'read'],
    ['a variable in braces behind a dash', 'sort "-${x}"', 'unknown'],
    ['several variables in one word', 'sort "a$x/$y"', 'read'],
    ['an expansion that runs a command', 'sort "a${x:-$(rm b)}"', 'write'],
  ])('%s: %s', (_, line, kind) => {
    expect(analyzeCommand(line).class).toBe(kind);
  });

  it('a socket is the network and no file', () => {
    const analysis = analyzeCommand('echo x > /dev/tcp/host/80');
    expect(analysis).toMatchObject({ class: 'write', network: 'yes', writes: [] });
  });

  it('text in one pair of quotes is a literal, a variable in it is not', () => {
    const argv = (line: string): unknown => analyzeCommand(line).commands[0]?.argv;
    expect(argv(`cat 'a b' "c d" "e$f" "$1" $2 "\\$g"`)).toEqual(['cat', 'a b', 'c d', null, null, null, '$g']);
    expect(argv(`cat "a$f[1]" "$@" "$" '~/x' "~/y"`)).toEqual(['cat', null, null, '$', '~/x', '~/y']);
  });

  const deleted = (line: string): readonly string[] =>
    analyzeCommand(line, { directory: '/w' }).deletes.flatMap(({ resolved }) => resolved);

  it('an alternation may have gone either way', () => {
    expect(deleted('cd a || cd b; rm x')).toEqual(expect.arrayContaining(['/w/a/x', '/w/b/x']));
  });

  it('a substitution moves no other one', () => {
    expect(deleted('echo $(cd /etc) $(rm x)')).toEqual(['/w/x']);
  });

  it('a function that may not have been reached hides no program', () => {
    expect(deleted('test -f a && rm() { :; }; rm x')).toEqual(['/w/x']);
    expect(deleted('rm() { :; }; rm x')).toEqual([]);
  });
});
