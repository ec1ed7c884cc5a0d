import type { CommandRule } from './config-types.ts';

const read = (words: string, more: Partial<CommandRule> = {}): CommandRule => ({
  words: words.split(' '),
  kind: 'read',
  ...more,
});

/** Options that rewrite what is looked at, or never end. */
const CHANGING = '--fix --write -u --update --updateSnapshot --update-snapshots --snapshot-update --init --watch'.split(
  ' ',
);
/** Options with which nothing is checked. */
const IDLE = (
  '--help -h --version --list --listTests --list-tests --collect-only --collectOnly --co --dry-run --no-run -list ' +
  '--showConfig --print-config --env-info --just-print --recon --fixtures --markers'
).split(' ');

function checks(
  signal: string,
  lines: string,
  more: { readonly idle?: string; readonly unless?: string } = {},
): readonly CommandRule[] {
  const unless = more.unless === undefined ? CHANGING : [...CHANGING, ...more.unless.split(' ')];
  const idle = more.idle === undefined ? IDLE : [...IDLE, ...more.idle.split(' ')];
  return lines.split(', ').map((line) => ({ words: line.split(' '), kind: 'check', signal, unless, idle }));
}

/** Commands that look and change nothing. */
const readCommands = (): readonly CommandRule[] => [
  ...['cat', 'head', 'tail', 'nl', 'less', 'bat', 'sha256sum', 'md5sum', 'diff', 'cmp', 'hexdump', 'cut'].map((words) =>
    read(words),
  ),
  ...['ls', 'stat', 'file', 'find', 'tree', 'wc', 'du', 'git status', 'git ls-files', 'git log', 'test', '['].map(
    (words) =>
      read(words, {
        shows: 'names',
        unless: [
          '-delete',
          '-exec',
          '-execdir',
          '-ok',
          '-okdir',
          '-fprint',
          '-fprintf',
          '-fprint0',
          '-fls',
          '-o',
          '--output',
        ],
      }),
  ),
  read('rg --files', { shows: 'names' }),
  ...['grep', 'egrep', 'fgrep', 'rg'].map((words) =>
    read(words, {
      skip: 1,
      shows: 'below',
      unless: ['--pre'],
      names: [
        '^-[a-zA-Z]*[lLcq][a-zA-Z]*$',
        '--files-with-matches',
        '--files-without-match',
        '--count',
        '--quiet',
        '--silent',
        '--files',
      ],
    }),
  ),
  read('sed -n ^\\d+(,(\\d+|\\$))?p$', { unless: ['-i', '--in-place'] }),
  read('jq', { skip: 1 }),
  ...['git diff', 'git show', 'git blame'].map((words) =>
    read(words, {
      shows: 'below',
      unless: ['--output', '--ext-diff'],
      names: [
        '--stat',
        '--name-only',
        '--name-status',
        '--shortstat',
        '--numstat',
        '--dirstat',
        '--summary',
        '--quiet',
        '--raw',
      ],
    }),
  ),
  ...(
    'pwd, echo, printf, which, type, whoami, hostname, id, uname, date, true, sleep, ps, df, free, nproc, printenv, lsof, ' +
    'git branch, git remote -v, git rev-parse, git stash list, git config --get, git config --list, ' +
    'git tag --list, git describe, git merge-base, node --version, node -v, python --version, python3 --version, ' +
    'npm ls, npm list, npm outdated, npm view, npm --version, npm -v, pip list, pip show, pip freeze, go version, go env, ' +
    'cargo --version, rustc --version, gh pr view, gh pr list, gh pr diff, gh pr checks, gh issue view, gh issue list, ' +
    'gh run list, gh run view, vitest list, vitest --version'
  )
    .split(', ')
    .map((words) =>
      read(words, {
        shows: 'nothing',
        unless: ['-d', '-D', '-m', '-M', '-c', '-C', '-f', '-s', '-w', '--delete', '--move', '--set', '--unset'],
      }),
    ),
];

/** Tests, type checks and linters, for every gate that wants them. */
export const CHECK_COMMANDS: readonly CommandRule[] = [
  ...checks(
    'tests_passed',
    'npm test, npm t, npm run test*, npm run -s test*, npm run --silent test*, pnpm test*, pnpm run test*, pnpm t, ' +
      'yarn test*, yarn run test*, turbo test, turbo run test, nx test, nx run-many -t test',
  ),
  ...checks('tests_passed', 'vitest, jest, mocha, ava, playwright test, bun test, node --test*, deno test', {
    unless: '-w',
  }),
  ...checks(
    'tests_passed',
    'pytest, py.test, python -m pytest, python3 -m pytest, python -m unittest, python3 -m unittest, tox, nox, ' +
      'cargo test, cargo nextest run, mvn test, ./mvnw test, ./gradlew test, gradle test, rspec, phpunit, dotnet test, ' +
      'swift test, ctest, mix test, composer test, rake test, rails test',
  ),
  ...checks('tests_passed', 'go test', { idle: '-c' }),
  ...checks('tests_passed', 'make test*, make check', { idle: '-n' }),
  ...checks('types_passed', 'tsc', { idle: '-v', unless: '-w' }),
  ...checks(
    'types_passed',
    'npm run typecheck, npm run type-check, pnpm typecheck, pnpm run typecheck, yarn typecheck, mypy, pyright, ' +
      'cargo check, go vet, vue-tsc',
  ),
  ...checks('lint_passed', 'eslint, prettier --check, prettier -c', { idle: '-v' }),
  ...checks(
    'lint_passed',
    'biome check, biome lint, oxlint, ruff check, flake8, pylint, npm run lint*, pnpm lint*, pnpm run lint*, yarn lint*, ' +
      'make lint, golangci-lint run, cargo clippy, cargo fmt --check, black --check, ruff format --check, shellcheck, stylelint',
  ),
];

/** Changes of git's own records, and new folders, whose answers say what came of them. They change no file that a look or a check has seen. */
const writeCommands = (): readonly CommandRule[] => [
  {
    words: ['git', 'commit'],
    kind: 'write',
    keeps: true,
    ownAnswer: { name: 'git-commit', pattern: /^\[[^\]\n]+ [0-9a-f]{7,40}\] /m },
  },
  {
    words: ['git', 'add'],
    kind: 'write',
    keeps: true,
    ownAnswer: { name: 'git-add', pattern: /^(?![\s\S]*^(?:fatal|error): )/m },
  },
  {
    words: ['mkdir'],
    kind: 'write',
    keeps: true,
    ownAnswer: { name: 'mkdir', pattern: /^\s*$|^(?:mkdir: created directory .+\s*)+$/ },
  },
  {
    words: ['git', 'push'],
    kind: 'write',
    keeps: true,
    ownAnswer: {
      name: 'git-push',
      pattern: /^(?![\s\S]*^(?: ! \[|error: |fatal: ))[\s\S]*^(?: [+* ]|To ).*\S|^Everything up-to-date/m,
    },
  },
];

let known: readonly CommandRule[] | undefined;

/** Every command that the `coding` preset knows; made with the first use. */
export function codingCommands(): readonly CommandRule[] {
  known ??= [...readCommands(), ...CHECK_COMMANDS, ...writeCommands()];
  return known;
}
