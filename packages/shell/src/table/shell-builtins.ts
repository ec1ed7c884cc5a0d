import type { ProgramSpec } from './spec.ts';

/** Builtins of the shell and programs that only tell something. */
export const shellBuiltins: readonly ProgramSpec[] = [
  {
    names:
      'echo true false : pwd whoami id uname which type uptime ps printenv sleep seq expr basename dirname readlink ' +
      'realpath tty nproc free df jobs cd pushd popd dirs set shopt shift return exit break continue umask ' +
      'ulimit tput clear locale groups arch lscpu lsblk command builtin env yes logname pgrep lsof netstat trap',
    class: 'read',
  },
  {
    names: 'ss',
    class: 'read',
    options: '-K,--kill:change -D,--diag=:write -f,--family= -A,--query,--socket= -F,--filter=:aside -N,--net=',
  },
  { names: 'history', class: 'read', rule: 'history' },
  { names: 'test [', class: 'read', rule: 'test' },
  { names: 'read mapfile readarray getopts let unset wait printf', class: 'read', rule: 'variables' },
  { names: 'export declare typeset readonly local', class: 'read', rule: 'declare' },
  { names: 'alias enable bind complete hash', class: 'read', rule: 'redefine' },
  { names: 'source .', class: 'read', rule: 'source' },
  {
    names: 'date',
    class: 'read',
    strict: true,
    options: '-s,--set=:change -d,--date= -f,--file=:aside -r,--reference=:aside -I,--iso-8601? --rfc-3339=',
    rule: 'date',
  },
  { names: 'hostname', class: 'read', strict: true, operands: 'change', options: '-F,--file=:change -b,--boot:change' },
  { names: 'sh bash dash zsh ksh ash', class: 'read', rule: 'shell' },
];
