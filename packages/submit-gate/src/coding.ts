import type { CommandRule, GateSettings, ToolContract } from './types.ts';

const read = (words: string, more: Partial<CommandRule> = {}): CommandRule => ({
  words: words.split(' '),
  kind: 'read',
  ...more,
});
const check = (words: string, signal: string, unless: readonly string[] = []): CommandRule => ({
  words: words.split(' '),
  kind: 'check',
  signal,
  unless: [
    '--fix',
    '--write',
    '-w',
    '-u',
    '--update',
    '--updateSnapshot',
    '--update-snapshots',
    '--init',
    '--watch',
    ...unless,
  ],
});

/** Commands that look and change nothing. `listing` shows names only, `folder` reads below its operands or the working directory. */
const READS: readonly CommandRule[] = [
  ...['cat', 'head', 'tail', 'nl', 'less', 'file', 'sha256sum', 'md5sum', 'jq .'].map((words) => read(words)),
  ...['ls', 'stat', 'find', 'tree', 'wc', 'du', 'git status', 'git ls-files'].map((words) =>
    read(words, {
      shows: 'names',
      unless: ['-delete', '-exec', '-execdir', '-ok', '-okdir', '-fprint', '-fprintf', '-fls', '-o'],
    }),
  ),
  ...['grep', 'egrep', 'rg'].map((words) => read(words, { skip: 1, shows: 'below', unless: ['--pre'] })),
  read('sed -n ^\\d+(,(\\d+|\\$))?p$', { unless: ['-i', '--in-place'] }),
  ...['git diff', 'git show', 'git log', 'git blame'].map((words) =>
    read(words, { shows: 'below', unless: ['--output', '--ext-diff'] }),
  ),
  ...[
    'pwd',
    'echo',
    'printf',
    'which',
    'whoami',
    'date',
    'true',
    'git branch',
    'git remote -v',
    'git rev-parse',
    'node --version',
    'node -v',
    'python --version',
  ].map((words) =>
    read(words, {
      shows: 'nothing',
      unless: ['-d', '-D', '-m', '-M', '-c', '-C', '-f', '-s', '--delete', '--move', '--set'],
    }),
  ),
];

/** Tests, type checks and linters, for every gate that wants them. */
export const CHECK_COMMANDS: readonly CommandRule[] = [
  ...[
    'vitest',
    'jest',
    'mocha',
    'ava',
    'playwright test',
    'npm test',
    'npm t',
    'npm run test*',
    'npm run -s test*',
    'pnpm test*',
    'pnpm run test*',
    'pnpm t',
  ].map((words) => check(words, 'tests_passed')),
  ...[
    'yarn test*',
    'yarn run test*',
    'bun test',
    'node --test*',
    'deno test',
    'pytest',
    'py.test',
    'python -m pytest',
    'python3 -m pytest',
    'python -m unittest',
  ].map((words) => check(words, 'tests_passed')),
  ...[
    'python3 -m unittest',
    'tox',
    'nox',
    'go test',
    'cargo test',
    'cargo nextest run',
    'make test*',
    'make check',
    'mvn test',
    './gradlew test',
    'gradle test',
  ].map((words) => check(words, 'tests_passed')),
  ...['rspec', 'phpunit', 'dotnet test', 'swift test', 'ctest', 'mix test'].map((words) =>
    check(words, 'tests_passed'),
  ),
  ...[
    'tsc',
    'npm run typecheck',
    'npm run type-check',
    'pnpm typecheck',
    'yarn typecheck',
    'mypy',
    'pyright',
    'cargo check',
    'go vet',
  ].map((words) => check(words, 'types_passed')),
  ...[
    'eslint',
    'biome check',
    'biome lint',
    'oxlint',
    'ruff check',
    'flake8',
    'pylint',
    'npm run lint',
    'pnpm lint',
    'yarn lint',
    'make lint',
    'golangci-lint run',
  ].map((words) => check(words, 'lint_passed')),
  ...['cargo clippy', 'prettier --check', 'black --check', 'shellcheck', 'stylelint'].map((words) =>
    check(words, 'lint_passed'),
  ),
];

/** The answer of `git commit` names the commit it made. */
const WRITES: readonly CommandRule[] = [
  {
    words: ['git', 'commit'],
    kind: 'write',
    ownAnswer: { name: 'git-commit', pattern: /^\[[^\]\n]+ [0-9a-f]{7,40}\] /m },
  },
  { words: ['git', 'add'], kind: 'write', ownAnswer: { name: 'git-add', pattern: /^\s*$/ } },
  {
    words: ['git', 'push'],
    kind: 'write',
    ownAnswer: { name: 'git-push', pattern: /^(?: [+* ]|To ).*\S|Everything up-to-date/m },
  },
];

const FILE = [
  '/file_path',
  '/path',
  '/notebook_path',
  '/filename',
  '/file',
  '/filePath',
  '/target_file',
  '/absolute_path',
];
const reads: ToolContract = {
  kind: 'read',
  targets: FILE,
  errors: ['Error', 'File does not exist', 'ENOENT', 'EACCES', 'Permission denied', '<tool_use_error>', 'No such file'],
};
const writes: ToolContract = { kind: 'write', targets: FILE, expects: { contains: '/content' } };
const edits: ToolContract = {
  kind: 'write',
  targets: FILE,
  expects: { contains: '/new_string', replaces: '/old_string' },
};
const shell: ToolContract = { kind: 'shell', command: 'command' };
const listing: ToolContract = { kind: 'read', targets: ['/path', '/directory', '/pattern'], lists: true };

/** What the `coding` preset adds: tools by the names that coding agents use, commands that look, check or report on themselves. */
export const CODING: {
  readonly settings: Partial<GateSettings>;
  readonly tools: { readonly [tool: string]: ToolContract };
  readonly commands: readonly CommandRule[];
} = {
  settings: { failedMutations: 'redo' },
  tools: {
    Read: reads,
    read_file: reads,
    NotebookRead: reads,
    view: reads,
    view_file: reads,
    Grep: { ...reads, errors: 'outcome', targets: ['/path'] },
    grep_search: { ...reads, errors: 'outcome', targets: ['/path'] },
    Glob: listing,
    LS: listing,
    list_dir: listing,
    list_directory: listing,
    WebFetch: { kind: 'read', targets: ['/url'] },
    WebSearch: { kind: 'read', targets: ['/query'] },
    Write: writes,
    write_file: writes,
    create_file: { ...writes, expects: { contains: '/content' } },
    Edit: edits,
    edit_file: edits,
    search_replace: edits,
    MultiEdit: { kind: 'write', targets: [...FILE, '/edits/*/file_path'] },
    NotebookEdit: { kind: 'write', targets: FILE, expects: { contains: '/new_source' } },
    delete_file: { kind: 'write', targets: FILE, deletes: true },
    Bash: shell,
    bash: shell,
    shell,
    run_terminal_cmd: shell,
    execute_command: shell,
    TodoWrite: { kind: 'neutral' },
    TodoRead: { kind: 'neutral' },
    Task: { kind: 'neutral' },
    Agent: { kind: 'neutral' },
    ExitPlanMode: { kind: 'neutral' },
    BashOutput: { kind: 'neutral' },
    think: { kind: 'neutral' },
  },
  commands: [...READS, ...CHECK_COMMANDS, ...WRITES],
};
