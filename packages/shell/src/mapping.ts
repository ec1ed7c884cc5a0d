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
  readonly programs: Readonly<Record<string, readonly string[]>>;
};

function each(names: string, concepts: readonly string[]): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(names.split(' ').map((name) => [name, concepts]));
}

function git(names: string, concepts: readonly string[]): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(names.split(' ').map((name) => [`git ${name}`, ['repository', ...concepts]]));
}

/** For the `filesystem`, `shell` and `git` seeds. */
export const defaultMapping: ConceptMapping = {
  always: ['process', 'execute'],
  reads: ['read', 'file'],
  writes: ['write', 'file'],
  deletes: ['delete', 'file'],
  network: ['network'],
  remote: ['remote-host'],
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
    ...each('kill pkill killall', ['modify', 'process']),
    ...each('whoami id groups logname', ['read', 'user']),
    ...each('git', ['repository']),
    ...git('log show diff status blame shortlog rev-parse rev-list', ['read', 'commit']),
    ...git('commit revert cherry-pick', ['commit', 'create']),
    ...git('add rm mv', ['index', 'modify']),
    ...git('reset checkout switch restore stash clean', ['working_tree', 'modify']),
    ...git('merge rebase', ['branch', 'modify']),
    ...git('branch tag', ['branch']),
    ...git('push fetch pull clone remote ls-remote', ['remote']),
  },
};
