import { compress, patch, tar, unzip, zip } from './archives.ts';
import { awk } from './awk.ts';
import { declare, history, redefine, source, test, variables } from './builtins.ts';
import type { Rule } from './call.ts';
import { docker, gh, kubectl } from './clients.ts';
import { mysql, psql, sqlite } from './databases.ts';
import { date, dd, install, mode, pager, secondOperand, shred } from './files.ts';
import { find } from './find.ts';
import { git } from './git.ts';
import { jq } from './jq.ts';
import { capture, listed } from './looks.ts';
import type { RuleName } from './names.ts';
import { apt, interpreter, npm, pip, python } from './packages.ts';
import { sed } from './sed.ts';
import { crontab, shell, systemctl } from './system.ts';
import { curl, rsync, scp, wget } from './transfer.ts';

/** The rules of the table by name. */
export const rules: Readonly<Record<RuleName, Rule>> = {
  apt,
  awk,
  capture,
  compress,
  crontab,
  curl,
  date,
  dd,
  declare,
  docker,
  find,
  gh,
  git,
  history,
  install,
  interpreter,
  jq,
  kubectl,
  listed,
  mode,
  mysql,
  npm,
  pager,
  patch,
  pip,
  psql,
  python,
  redefine,
  rsync,
  scp,
  'second-operand': secondOperand,
  sed,
  shell,
  shred,
  source,
  sqlite,
  systemctl,
  tar,
  test,
  unzip,
  variables,
  wget,
  zip,
};
