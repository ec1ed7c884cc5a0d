import type { DepthLevel, RelationType } from '@warrant/core';

/**
 * What a mechanical failure reveals: under `when`, the signs that all have to be there (any one of each list); then the
 * relatum that was not modelled.
 */
export type FailureEntry = {
  /** Names the entry; kebab-case, once in a catalogue. */
  readonly key: string;
  readonly when: FailureSigns;
  /** Acts that the constraint belongs to, the likeliest first; where the call names none of them, its first concept. */
  readonly acts?: readonly string[];
  readonly relation: RelationType;
  readonly target: string;
  /** The level of the act that the relatum stands on. @default 3, constraints */
  readonly sourceDepth?: DepthLevel;
  /** How well the target has to be known. */
  readonly targetDepth: DepthLevel;
  /** One sentence for the level and for whoever reviews it. */
  readonly text: string;
};
export type FailureSigns = {
  readonly errno?: readonly string[];
  readonly exitCode?: readonly number[];
  readonly http?: readonly number[];
  readonly sqlstate?: readonly string[];
  readonly exception?: readonly string[];
  /** Parts of what was said, in any case; `*` stands for anything on the same line. */
  readonly says?: readonly string[];
  /** Names of tools; a `*` at the end stands for any rest. */
  readonly tool?: readonly string[];
};
export type FailureCatalogue = readonly FailureEntry[];

const WRITING = ['create', 'write', 'modify', 'delete', 'move', 'copy', 'execute', 'read', 'list'];

/** Failures of common tools, system calls, git, HTTP, SQL, Node and Python. The first entry that fits counts. */
export const FAILURE_CATALOGUE: FailureCatalogue = [
  {
    key: 'git-rejected',
    when: { says: ['[rejected]', 'non-fast-forward', 'failed to push some refs'] },
    acts: ['push', 'force_push'],
    relation: 'constrained-by',
    target: 'history',
    targetDepth: 3,
    text: 'The remote takes it only while its history is part of one’s own.',
  },
  {
    key: 'git-conflict',
    when: { says: ['conflict (*merge conflict', 'automatic merge failed', 'could not apply'] },
    acts: ['merge', 'rebase', 'pull', 'revert', 'stash'],
    relation: 'constrained-by',
    target: 'conflict',
    targetDepth: 2,
    text: 'Two changes of the same lines have to be brought together by hand.',
  },
  {
    key: 'git-dirty',
    when: {
      says: ['your local changes to the following files would be overwritten', 'cannot rebase: you have unstaged'],
    },
    acts: ['switch_branch', 'merge', 'rebase', 'pull'],
    relation: 'constrained-by',
    target: 'working_tree',
    targetDepth: 3,
    text: 'It is refused while the working tree has changes that it would overwrite.',
  },
  {
    key: 'git-no-repository',
    when: { says: ['not a git repository'] },
    relation: 'requires',
    target: 'repository',
    targetDepth: 1,
    text: 'It works inside of a repository alone.',
  },
  {
    key: 'git-no-remote',
    when: { says: ['does not appear to be a git repository', 'could not read from remote repository'] },
    acts: ['push', 'fetch', 'pull', 'force_push'],
    relation: 'constrained-by',
    target: 'remote',
    targetDepth: 3,
    text: 'The remote has to be there, and to let one in.',
  },
  {
    key: 'host-key',
    when: { says: ['host key verification failed', 'permission denied (publickey'] },
    acts: ['run_remotely', 'transfer_file', 'push', 'fetch', 'pull'],
    relation: 'constrained-by',
    target: 'credential',
    targetDepth: 3,
    text: 'The other machine has to be known, and to know the key.',
  },
  {
    key: 'permission-denied',
    when: { errno: ['EACCES', 'EPERM'] },
    acts: WRITING,
    relation: 'constrained-by',
    target: 'permission',
    targetDepth: 3,
    text: 'The operating system refuses it without the right to it.',
  },
  {
    key: 'permission-said',
    when: { says: ['permission denied', 'operation not permitted', 'access is denied'] },
    acts: WRITING,
    relation: 'constrained-by',
    target: 'permission',
    targetDepth: 3,
    text: 'The operating system refuses it without the right to it.',
  },
  {
    key: 'read-only',
    when: { errno: ['EROFS'] },
    acts: WRITING,
    relation: 'constrained-by',
    target: 'filesystem',
    targetDepth: 3,
    text: 'A file system that is mounted read-only takes no change.',
  },
  {
    key: 'no-space',
    when: { errno: ['ENOSPC', 'EDQUOT', 'EFBIG'] },
    acts: ['write', 'create', 'copy', 'move'],
    relation: 'constrained-by',
    target: 'filesystem',
    targetDepth: 3,
    text: 'It fails where space, entries or a quota run out.',
  },
  {
    key: 'no-such-path',
    when: { errno: ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP'] },
    acts: WRITING,
    relation: 'requires',
    target: 'path',
    targetDepth: 3,
    text: 'Every part of the path has to be there, and to be what it is taken for.',
  },
  {
    key: 'missing-said',
    when: { says: ['no such file or directory', 'cannot find the path'] },
    acts: WRITING,
    relation: 'requires',
    target: 'path',
    targetDepth: 3,
    text: 'Every part of the path has to be there, and to be what it is taken for.',
  },
  {
    key: 'exists-already',
    when: { errno: ['EEXIST'] },
    acts: ['create', 'move', 'copy'],
    relation: 'constrained-by',
    target: 'directory',
    targetDepth: 2,
    text: 'A name can stand in a directory once.',
  },
  {
    key: 'not-empty',
    when: { errno: ['ENOTEMPTY'] },
    acts: ['delete', 'move'],
    relation: 'constrained-by',
    target: 'directory',
    targetDepth: 3,
    text: 'A directory that holds something is not taken away.',
  },
  {
    key: 'across-devices',
    when: { errno: ['EXDEV'] },
    acts: ['move'],
    relation: 'constrained-by',
    target: 'filesystem',
    targetDepth: 2,
    text: 'A name cannot move from one file system to another; the content has to be copied.',
  },
  {
    key: 'too-many-open',
    when: { errno: ['EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM'] },
    relation: 'constrained-by',
    target: 'process',
    targetDepth: 3,
    text: 'A process has a limited share of what the machine has.',
  },
  {
    key: 'command-missing',
    when: { exitCode: [127] },
    acts: ['run', 'execute'],
    relation: 'requires',
    target: 'command',
    targetDepth: 2,
    text: 'The program has to be installed and on the search path.',
  },
  {
    key: 'command-not-executable',
    when: { exitCode: [126] },
    acts: ['run', 'execute'],
    relation: 'constrained-by',
    target: 'permission',
    targetDepth: 3,
    text: 'The file has to be executable for whoever runs it.',
  },
  {
    key: 'killed',
    when: { exitCode: [130, 137, 143] },
    acts: ['run', 'execute'],
    relation: 'constrained-by',
    target: 'signal',
    targetDepth: 3,
    text: 'It can be ended from outside at any moment, half done.',
  },
  {
    key: 'name-unresolved',
    when: { errno: ['ENOTFOUND', 'EAI'] },
    relation: 'depends-on',
    target: 'domain_name',
    targetDepth: 3,
    text: 'The name of the other side has to lead somewhere.',
  },
  {
    key: 'not-connected',
    when: { errno: ['ECONNREFUSED', 'ECONNRESET', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT', 'EPIPE'] },
    relation: 'depends-on',
    target: 'network_connection',
    targetDepth: 3,
    text: 'The other side has to be reachable, and to answer.',
  },
  {
    key: 'certificate-refused',
    when: {
      says: ['certificate has expired', 'self-signed certificate', 'certificate verify failed', 'unable to verify'],
    },
    relation: 'constrained-by',
    target: 'certificate',
    targetDepth: 3,
    text: 'The other side has to prove who it is.',
  },
  {
    key: 'http-not-let-in',
    when: { http: [401, 403, 407] },
    relation: 'constrained-by',
    target: 'access_token',
    targetDepth: 3,
    text: 'The service lets in only who shows a token with the right to it.',
  },
  {
    key: 'http-missing',
    when: { http: [404, 410] },
    relation: 'requires',
    target: 'http_resource',
    targetDepth: 3,
    text: 'The resource has to be there under that address.',
  },
  {
    key: 'http-conflict',
    when: { http: [409, 412, 428] },
    relation: 'constrained-by',
    target: 'http_resource',
    targetDepth: 3,
    text: 'It is refused when the resource has changed meanwhile.',
  },
  {
    key: 'http-too-often',
    when: { http: [429] },
    relation: 'constrained-by',
    target: 'rate_limit',
    targetDepth: 3,
    text: 'The service answers only so often.',
  },
  {
    key: 'http-wrong-request',
    when: { http: [400, 405, 406, 415, 422] },
    relation: 'constrained-by',
    target: 'http_request',
    targetDepth: 3,
    text: 'The service takes requests of one form alone.',
  },
  {
    key: 'http-service-failed',
    when: { http: [500, 502, 503, 504] },
    relation: 'depends-on',
    target: 'network_service',
    targetDepth: 3,
    text: 'The service may fail, with the request carried out or not.',
  },
  {
    key: 'sql-privilege',
    when: { sqlstate: ['42501', '28000', '28P01'] },
    relation: 'constrained-by',
    target: 'privilege',
    targetDepth: 3,
    text: 'The role needs the privilege for it.',
  },
  {
    key: 'sql-integrity',
    when: { sqlstate: ['23000', '23502', '23503', '23505', '23514'] },
    acts: ['insert_rows', 'update_rows', 'delete_rows'],
    relation: 'constrained-by',
    target: 'integrity_rule',
    targetDepth: 3,
    text: 'Every rule of the table has to hold, or nothing happens.',
  },
  {
    key: 'sql-serialization',
    when: { sqlstate: ['40001', '40P01', '55P03'] },
    relation: 'constrained-by',
    target: 'lock',
    targetDepth: 3,
    text: 'Others may hold the rows, and one of two that wait for each other is ended.',
  },
  {
    key: 'sql-missing',
    when: { sqlstate: ['42P01', '42703', '3F000', '42S02'] },
    relation: 'requires',
    target: 'schema',
    targetDepth: 3,
    text: 'Table and column have to be there in this version of the schema.',
  },
  {
    key: 'python-module',
    when: { exception: ['ModuleNotFoundError', 'ImportError'] },
    acts: ['run', 'execute'],
    relation: 'requires',
    target: 'environment_variable',
    targetDepth: 3,
    text: 'What a program needs has to be installed where it looks for it.',
  },
  {
    key: 'python-permission',
    when: { exception: ['PermissionError'] },
    acts: WRITING,
    relation: 'constrained-by',
    target: 'permission',
    targetDepth: 3,
    text: 'The operating system refuses it without the right to it.',
  },
  {
    key: 'python-missing',
    when: { exception: ['FileNotFoundError', 'NotADirectoryError'] },
    acts: WRITING,
    relation: 'requires',
    target: 'path',
    targetDepth: 3,
    text: 'Every part of the path has to be there, and to be what it is taken for.',
  },
  {
    key: 'node-module',
    when: { says: ['cannot find module', 'err_module_not_found', 'cannot find package'] },
    acts: ['run', 'execute'],
    relation: 'requires',
    target: 'environment_variable',
    targetDepth: 3,
    text: 'What a program needs has to be installed where it looks for it.',
  },
];
