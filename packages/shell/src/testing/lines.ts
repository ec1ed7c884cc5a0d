import fc from 'fast-check';

const PROGRAMS = [
  'ls -la src',
  'cat "$F" b.txt',
  'rm -rf build "$X"',
  'cp a.txt b.txt',
  'mv old new',
  'git status',
  'git push --force',
  'git commit -m "x; rm y"',
  'curl -so out https://example.com',
  'npm install',
  'find . -name "*.o" -delete',
  'find . -exec rm {} \\;',
  'sudo rm -rf /var/lib/x',
  'env A=1 timeout 5 touch z',
  'xargs rm -f',
  'ssh web1 "rm x > y"',
  'bash -c "rm x && ls"',
  "eval rm 'a b'",
  'sed -i s/a/b/ f',
  'tee log.txt',
  'echo hi > out.txt',
  'sort < in.txt >> sorted.txt',
  'myrunner rm x',
  './run.sh',
  'echo $((1 + 2))',
  'echo "$((n + 1))"',
  '"$prog" x',
  'cd sub',
  'mkdir -p a/{b,c}',
  'python3 -c "print(1)"',
  'tar xzf a.tgz',
  'docker exec web rm /x',
  'chmod +x run.sh',
  "printf '%s' a",
  'kill 1',
  'true',
];

/** Lines made of commands, operators, compounds and substitutions; no functions, no assignments. */
export const lines: fc.Arbitrary<string> = fc.letrec<{ line: string; simple: string }>((tie) => ({
  simple: fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...PROGRAMS) },
    { weight: 1, arbitrary: tie('line').map((line) => `echo "$(${line}\n)"`) },
    { weight: 1, arbitrary: tie('line').map((line) => `cat <(${line}\n)`) },
  ),
  line: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'line' },
    { weight: 4, arbitrary: tie('simple') },
    fc
      .tuple(tie('line'), fc.constantFrom(' && ', ' || ', '; ', ' | ', '\n', ' |& '), tie('simple'))
      .map(([left, operator, right]) => `${left}${operator}${right}`),
    tie('line').map((line) => `(${line}\n)`),
    tie('line').map((line) => `{ ${line}\n} > group.log`),
    fc.tuple(tie('line'), tie('line')).map(([test, body]) => `if ${test}\nthen ${body}\nelse :; fi`),
    tie('line').map((line) => `for i in 1 2; do ${line}\ndone`),
    tie('line').map((line) => `while ${line}\ndo :; done`),
    tie('line').map((line) => `case x in a) ${line}\n;; esac`),
  ),
})).line;

/** A text in single quotes. */
export function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** A text in double quotes, nothing in it live. */
export function doubleQuoted(text: string): string {
  return `"${text.replaceAll(/[\\"$`]/g, '\\$&')}"`;
}
