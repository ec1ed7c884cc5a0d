import { describe, expect, it } from 'vitest';
import { analyzeCommand } from './index.ts';

/** Each command as `wrapper,wrapper> words`, `$` in front of those in a substitution, `?` for an unknown word. */
function listed(line: string): readonly string[] {
  return analyzeCommand(line).commands.map(({ argv, wrappers, viaSubstitution }) => {
    const words = argv.map((word) => word ?? '?').join(' ');
    return `${viaSubstitution ? '$' : ''}${wrappers.length > 0 ? `${wrappers.join(',')}> ` : ''}${words}`;
  });
}

describe('every simple command counts', () => {
  it.each([
    ['a; b && c || d & e | f', ['a', 'b', 'c', 'd', 'e', 'f']],
    ['( a ); { b; }; ! c', ['a', 'b', 'c']],
    ['if a; then b; elif c; then d; else e; fi', ['a', 'b', 'c', 'd', 'e']],
    ['case x in a) b;; c) d;& *) e;; esac', ['b', 'd', 'e']],
    ['while a; do b; done; until c; do d; done', ['a', 'b', 'c', 'd']],
    ['for x in $(a); do b; done', ['$a', 'b']],
    ['for ((i=0;i<3;i++)); do a; done', ['a']],
    ['select x in a; do b; done', ['b']],
    ['coproc a; coproc N { b; }', ['a', 'b']],
    ['f() { a; }; function g { b; }', ['a', 'b']],
    ['x=$(a) b > $(c)', ['b', '$a', '$c']],
    ['a=(1 $(b) x<(c)); d', ['$b', '$c', 'd']],
    ['[[ $(a) == b ]] && ((x=$(c)))', ['$a', '$c']],
    ['echo "${x:-$(a)}" ${y/$(b)/`c`}', ['echo ? ?', '$a', '$b', '$c']],
    ['cat <<E\n$(a)\nE\nb', ['cat', '$a', 'b']],
    ["cat <<'E'\n$(a)\nE\nb", ['cat', 'b']],
    ['cat <(a) >(b)', ['cat ? ?', '$a', '$b']],
    ['echo $((1 + $(a))) $[$(b)]', ['echo ? ?', '$a', '$b']],
    ['echo `echo \\`a\\``', ['echo ?', '$echo ?', '$a']],
    ['case $(a) in $(b)) c;; esac', ['$a', '$b', 'c']],
    ['echo @($(a)|b)', ['echo ?', '$a']],
    ['export X=$(a)', ['export ?', '$a']],
    ['x=<(a) y=1 b', ['b', '$a']],
    ['> f', []],
    ['x=1', []],
    ['', []],
    ['# only a comment', []],
  ])('%s', (line, expected) => {
    expect(listed(line)).toEqual(expected);
  });
});

describe('words after quote removal', () => {
  it.each([
    ['a "b c" \'d e\' f\\ g', ['a', 'b c', 'd e', 'f g']],
    ['a $\'b\\tc\' $"d"', ['a', 'b\tc', 'd']],
    ['a {b,c}{1,2} {x,{y,z}}', ['a', 'b1', 'b2', 'c1', 'c2', 'x', 'y', 'z']],
    ['a {1..3} {c..a} {01..10..5} {3..1}', ['a', '1', '2', '3', 'c', 'b', 'a', '01', '06', '3', '2', '1']],
    ['a {b} {b,"c d"} "{b,c}" \\{b,c}', ['a', '{b}', 'b', 'c d', '{b,c}', '{b,c}']],
    ['a {1..65}', ['a', null]],
    ['a {1..64}', ['a', ...Array.from({ length: 64 }, (_, index) => String(index + 1))]],
    ['a {b,$c} *.d [ef] ? x?(y)', ['a', null, null, null, null, null]],
    ['a "*" \\* \'?\' "[a]"', ['a', '*', '*', '?', '[a]']],
    ['a ~ ~/b "~/c"', ['a', '~', '~/b', '~/c']],
    ['{rm,-rf,x}', ['rm', '-rf', 'x']],
    ['a$\\\n(b)', [null]],
    ['r\\\nm x', ['rm', 'x']],
    ['a b\\\n c', ['a', 'b', 'c']],
    ['a "$x" $y ${z} b"$x"', ['a', null, null, null, null]],
    ['a {,b}', ['a', 'b']],
  ])('%s', (line, argv) => {
    expect(analyzeCommand(line).commands[0]?.argv).toEqual(argv);
  });
});

describe('wrappers', () => {
  it.each([
    ['sudo -u bob -- a b', ['sudo> a b']],
    ['sudo A=1 a', ['sudo> a']],
    ['sudo -l', ['sudo -l']],
    ['sudo -k a', ['sudo -k a']],
    ['sudo $X a', ['sudo> ?']],
    ['doas -u bob a', ['doas> a']],
    ['env A=1 -i a', ['env> -i a']],
    ['env -i A=1 -- a', ['env> -- a']],
    ['env', ['env']],
    ['env -S "a \'b c\'" d', ['env> a b c d']],
    ["env -S 'a $X'", ['env> ?']],
    ['nice -n 5 nohup setsid -w stdbuf -oL a', ['nice,nohup,setsid,stdbuf> a']],
    ['timeout -s KILL 5 a', ['timeout> a']],
    ['taskset -c 0 a', ['taskset> a']],
    ['ionice -c 2 a', ['ionice> a']],
    ['/usr/bin/time -f %e a', ['time> a']],
    ['time a | b', ['time> a', 'time> b']],
    ['command -p a; builtin b; exec -a n c', ['command> a', 'builtin> b', 'exec> c']],
    ['command -v a', ['command -v a']],
    ['chroot /r a', ['chroot> a']],
    ['flock f a; flock f -c "b; c"', ['flock> a', 'flock> b', 'flock> c']],
    ['xargs; xargs -n1 a b; xargs -I{} a {} x{}', ['xargs> echo ?', 'xargs> a b ?', 'xargs> a ? ?']],
    ['xargs -I{} sh -c "a {}"', ['xargs,sh> ?']],
    ['parallel a {} ::: b; parallel "a | b" ::: c', ['parallel> a ?', 'parallel> a', 'parallel> b ?']],
    ['watch -n 1 "a | b"; watch -x a "b c"', ['watch> a', 'watch> b', 'watch> a b c']],
    ['bash -xec "a; b" c d', ['bash> a', 'bash> b']],
    ['sh -c "$x"', ['sh> ?']],
    ['sh <<E\na\nE', ['sh> a']],
    ['sh <<E\n$a\nE', ['sh']],
    ['bash -s x <<< "a b"', ['bash> a b']],
    ['sudo sh <<E\na\nE', ['sudo,sh> a']],
    ['bash x.sh', ['bash x.sh']],
    ['su -c a bob', ['su> a']],
    ['eval a "b;" c', ['eval> a b', 'eval> c']],
    ['trap "a" EXIT; trap - EXIT; trap "" INT; trap -p', ['trap> a', 'trap - EXIT', 'trap  INT', 'trap -p']],
    ['busybox sh -c a', ['busybox,sh> a']],
    ['find x -exec a {} \\; -ok b y{} \\;', ['find x -exec a {} ; -ok b y{} ;', 'find> a ?', 'find> b ?']],
    ['ssh -p 1 h a "&&" b', ['ssh> a', 'ssh> b']],
    ['ssh h', ['ssh h']],
    [
      'docker -H x exec -it c a; docker compose -f y exec s b; podman exec c d',
      ['docker exec> a', 'docker compose exec> b', 'podman exec> d'],
    ],
    ['kubectl -n x exec p -c c -- a', ['kubectl exec> a']],
    ['docker run --rm -v a:b i c d', ['docker run> c d']],
    ['docker run i', ['docker run i']],
    ['docker run --new i c', ['docker run> ?']],
    ['docker run --entrypoint e i c', ['docker run --entrypoint e i c']],
    ['npx -y a sudo b; npx -c "a; b"', ['npx> a sudo b', 'npx> a', 'npx> b']],
    [
      'npm exec a; pnpm dlx b; yarn dlx c; bun x d; pipx run e',
      ['npm exec> a', 'pnpm dlx> b', 'yarn dlx> c', 'bun x> d', 'pipx run> e'],
    ],
    ['git -c alias.s="!a; b" s', ['git -c alias.s=!a; b s', 'git> a', 'git> b']],
    ['bash -c "bash -c \\"bash -c a\\""', ['bash,bash,bash> a']],
  ])('%s', (line, expected) => {
    expect(listed(line)).toEqual(expected);
  });
});

describe('a syntax error', () => {
  it.each([
    'a ;;',
    "a 'b",
    'a "b',
    'if a',
    'a && ',
    '$(a',
    'echo $(if)',
    'for do',
    'np(m publish',
    'sh -c "a &&"',
    "eval 'a ('",
    'cat <<"E\na',
  ])('makes the whole line unknown: %s', (line) => {
    const analysis = analyzeCommand(line);
    expect(analysis.parse).toBe('error');
    expect(analysis.class).toBe('unknown');
    expect(analysis.unknowns.map(({ code }) => code)).toContain('syntax-error');
  });
});

describe('limits', () => {
  it('refuses a line beyond the cap with a code', () => {
    const analysis = analyzeCommand(`ls ${'a'.repeat(70_000)}`);
    expect(analysis.class).toBe('unknown');
    expect(analysis.unknowns[0]?.code).toBe('input-too-long');
  });

  it('stops at scripts nested too deeply', () => {
    const analysis = analyzeCommand(`${'eval '.repeat(40)}ls`);
    expect(analysis.class).toBe('unknown');
    expect(analysis.unknowns[0]?.code).toBe('too-deep');
  });

  it('answers chains of launchers beyond a length with unknown', () => {
    for (const launcher of ['sudo ', 'nice -n 5 ', 'xargs ', 'command ', 'timeout 1 ']) {
      expect(analyzeCommand(`${launcher.repeat(20)}rm a`).class).toBe('write');
      const long = analyzeCommand(`${launcher.repeat(6_000)}rm a`);
      expect([launcher, long.class, long.unknowns[0]?.code]).toEqual([launcher, 'unknown', 'too-deep']);
    }
  });

  it('survives the deepest nesting that the parser takes, and more', () => {
    for (const depth of [100, 255, 300, 5000]) {
      const line = `${'$('.repeat(depth)}ls${')'.repeat(depth)}`;
      expect(analyzeCommand(line).class).toBe('unknown');
    }
  });

  it('keeps brace expansion within bounds', () => {
    expect(analyzeCommand(`echo ${'{1..64} '.repeat(500)}`).class).toBe('read');
    expect(analyzeCommand('echo {1..999999999}').dynamic).toBe(true);
  });
});

describe('positions', () => {
  it('point at the word that causes the unknown', () => {
    const line = 'ls && sudo ./tools/x --flag | cat';
    const [unknown] = analyzeCommand(line).unknowns;
    expect(unknown?.code).toBe('local-program');
    expect(line.slice(unknown?.span.start, unknown?.span.end)).toBe('./tools/x');
  });

  it('point into a quoted script where its text stands in the line', () => {
    const line = "ls; bash -c 'rm a && myrunner b'";
    const [unknown] = analyzeCommand(line).unknowns;
    expect(line.slice(unknown?.span.start, unknown?.span.end)).toBe('myrunner');
  });

  it('point at the whole word where the script is made of escapes', () => {
    const line = 'bash -c "myrunner \\"a\\""';
    const [unknown] = analyzeCommand(line).unknowns;
    expect(line.slice(unknown?.span.start, unknown?.span.end)).toBe('"myrunner \\"a\\""');
  });

  it('point at the backquotes of a nested script with escapes', () => {
    const line = 'echo `echo \\`mystery\\``';
    const [unknown] = analyzeCommand(line).unknowns;
    expect(line.slice(unknown?.span.start, unknown?.span.end)).toBe('`echo \\`mystery\\``');
  });
});
