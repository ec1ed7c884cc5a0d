/** What a program stands for: the same whatever it does, or by whether it only reads or may change something. */
export type ProgramConcepts =
  | readonly string[]
  | { readonly reads: readonly string[]; readonly changes: readonly string[] };

/** Which concepts of a knowledge graph stand for what a command line does. */
export type ConceptMapping = {
  /** For every line. */
  readonly always: readonly string[];
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  readonly deletes: readonly string[];
  readonly network: readonly string[];
  /** What runs on another machine or in a container. */
  readonly remote: readonly string[];
  /** A change without a path by a program that has no entry. */
  readonly changes: readonly string[];
  /** By program, or by program and subcommand (`git push`), which goes before. */
  readonly programs: Readonly<Record<string, ProgramConcepts>>;
  /** By the wrappers in front of a command (`ssh`, `kubectl exec`). @default none */
  readonly wrappers?: Readonly<Record<string, readonly string[]>>;
};

function each(names: string, concepts: readonly string[]): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(names.split(' ').map((name) => [name, concepts]));
}

function git(names: string, concepts: readonly string[]): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(names.split(' ').map((name) => [`git ${name}`, ['repository', ...concepts]]));
}

/**
 * For the `filesystem`, `shell` and `git` seeds. Two concepts are in none of them but in the `network` seed, which a graph
 * needs before a guard lets such a line through: `network` and `remote_host`.
 */
export const defaultMapping: ConceptMapping = {
  always: ['command', 'run'],
  reads: ['read', 'file'],
  writes: ['write', 'file'],
  deletes: ['delete', 'file'],
  network: ['network'],
  remote: ['remote_host'],
  changes: ['modify', 'operating_system'],
  programs: {
    ...each('ls tree find du', ['list', 'directory']),
    ...each('mkdir', ['create', 'directory']),
    ...each('rmdir', ['delete', 'directory']),
    ...each('touch mkfifo mktemp', ['create', 'file']),
    ...each('ln', ['create', 'symlink']),
    ...each('cp install scp rsync', ['copy', 'file']),
    ...each('mv', ['move', 'file']),
    ...each('chmod', ['modify', 'permission']),
    ...each('chown', ['modify', 'ownership']),
    ...each('chgrp', ['modify', 'group']),
    ...each('kill pkill killall', ['kill', 'signal', 'process']),
    ...each('cd pushd popd', ['working_directory']),
    ...each('export unset declare typeset readonly local printenv env', ['environment_variable']),
    ...each('whoami id groups logname', ['read', 'user']),
    ...each('git', ['repository']),
    ...git('log show diff blame shortlog rev-parse rev-list describe', ['history', 'read']),
    ...git('status ls-files', ['working_tree', 'read']),
    ...git('add', ['staging_area']),
    ...git('rm mv', ['staging_area', 'working_tree', 'modify']),
    ...git('commit', ['save_commit']),
    ...git('checkout switch', ['switch_branch', 'working_tree']),
    ...git('restore clean', ['working_tree', 'modify']),
    ...git('reset', ['reset_branch']),
    ...git('revert cherry-pick', ['revert', 'commit']),
    ...git('merge', ['merge']),
    ...git('rebase', ['rebase']),
    ...git('stash', ['stash']),
    ...git('branch', ['branch']),
    ...git('tag', ['tag']),
    ...git('push', ['push', 'remote']),
    ...git('fetch ls-remote', ['fetch', 'remote']),
    ...git('pull', ['pull', 'remote']),
    ...git('clone', ['fetch', 'remote', 'create']),
    ...git('remote', ['remote']),
  },
};
