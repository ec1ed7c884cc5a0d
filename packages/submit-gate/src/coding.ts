import { type Digest, lazyMember } from '@warrant/core';
import { codingCommands } from './command-rules.ts';
import type { CommandRule, GateSettings, ToolContract } from './config-types.ts';

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
  exactly: true,
  targets: FILE,
  errors: ['Error', 'File does not exist', 'ENOENT', 'EACCES', 'Permission denied', '<tool_use_error>', 'No such file'],
};
const writes: ToolContract = { kind: 'write', targets: FILE, expects: { contains: '/content' } };
const edits: ToolContract = {
  kind: 'write',
  targets: FILE,
  errors: [
    'Error',
    'String to replace not found',
    'File has not been',
    'Found ',
    'No changes to make',
    '<tool_use_error>',
  ],
  expects: { contains: '/new_string', replaces: '/old_string' },
};
const listing: ToolContract = { kind: 'read', targets: ['/path', '/directory', '/pattern'], lists: true };
const searching: ToolContract = { kind: 'read', errors: 'outcome', targets: ['/path'] };
/** One tool that looks and changes, as an argument says. */
const editor: ToolContract = {
  ...writes,
  expects: { contains: '/file_text' },
  byArgument: {
    pointer: '/command',
    cases: {
      view: reads,
      str_replace: { ...edits, expects: { contains: '/new_str', replaces: '/old_str' } },
      insert: { ...edits, expects: { contains: '/insert_text' } },
    },
  },
};
const shell: ToolContract = { kind: 'shell', command: 'command' };

/** What the `coding` preset adds: tools by the names that coding agents use, commands that look, check or report on themselves. */
export const CODING: {
  readonly settings: Partial<GateSettings>;
  readonly tools: { readonly [tool: string]: ToolContract };
  readonly commands: readonly CommandRule[];
} = lazyMember('commands', codingCommands)(
  {
    settings: { failedMutations: 'redo', failedChecks: 'refuse' },
    tools: {
      Read: reads,
      read_file: reads,
      NotebookRead: reads,
      view: reads,
      view_file: reads,
      Grep: {
        ...listing,
        errors: 'outcome',
        byArgument: { pointer: '/output_mode', cases: { content: searching } },
      },
      grep_search: searching,
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
      str_replace_editor: editor,
      str_replace_based_edit_tool: editor,
      text_editor: editor,
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
  },
  null,
);

/** Of {@link describeRules} for its tools and commands: a test tells the new one where they change. */
export const CODING_DIGEST: Digest = 'sha256:2747a213dbdd644fb2fc587bd631a2655147467524595eda517171e0f7bd060e';
