import { change, part, unknown } from '../sink.ts';
import type { Word } from '../syntax/tree.ts';
import type { TargetKind } from '../types.ts';
import { asksOnly, type ProgramCall } from './call.ts';
import { type GitCall, readOnly, undetermined } from './git-call.ts';
import { branchOrTag, config, lists, remote, transfer } from './git-commands.ts';

const HARMLESS_CONFIG =
  /^(?:user\.name|user\.email|color\..*|core\.quotepath|core\.autocrlf|advice\..*|init\.defaultbranch|commit\.gpgsign|gc\.auto)$/i;
const SKIPPED = new Set(['--no-pager', '-P', '-p']);
const SKIPPED_WITH_VALUE = new Set(['-C', '--git-dir', '--work-tree', '--namespace']);

const READS = new Set(
  (
    'log show diff status blame shortlog describe rev-parse rev-list ls-files ls-tree cat-file grep for-each-ref merge-base ' +
    'name-rev show-ref version help check-ignore count-objects diff-tree whatchanged show-branch var cherry'
  ).split(' '),
);
const WRITES: Readonly<Record<string, readonly TargetKind[]>> = {
  add: [],
  commit: [],
  checkout: ['writes', 'deletes'],
  switch: ['writes', 'deletes'],
  restore: ['writes', 'deletes'],
  reset: ['writes', 'deletes'],
  merge: ['writes', 'deletes'],
  'cherry-pick': ['writes', 'deletes'],
  revert: ['writes', 'deletes'],
  rm: ['deletes'],
  mv: ['writes', 'deletes'],
  clean: ['deletes'],
  init: ['writes'],
  am: ['writes', 'deletes'],
  apply: ['writes', 'deletes'],
  gc: [],
  'update-index': [],
  'update-ref': [],
  'symbolic-ref': [],
  notes: [],
};

/** git by its subcommand; hooks, configuration and aliases of the machine are not considered. */
export function git(call: ProgramCall): void {
  const { args, sink } = call;
  if (asksOnly(call, '--version', '-v')) return;
  const start = leading(call);
  if (start === null) return;
  const subcommand = args[start.at];
  if (subcommand?.text == null) {
    unknown(sink, subcommand === undefined ? 'unknown-subcommand' : 'undetermined-option', subcommand ?? call.own);
    return;
  }
  const inner: GitCall = { call, subcommand, args: args.slice(start.at + 1), elsewhere: start.elsewhere };
  judge(inner, subcommand.text);
}

type Leading = { readonly at: number; readonly elsewhere: boolean };

/** Options before the subcommand; null where they already make the call unknown beyond repair. */
function leading(call: ProgramCall): Leading | null {
  const { args, sink } = call;
  let elsewhere = false;
  let at = 0;
  for (; at < args.length; at += 1) {
    const word = args[at];
    if (word === undefined) break;
    if (word.text === null) return { at, elsewhere };
    const { text } = word;
    if (!text.startsWith('-')) break;
    const name = text.includes('=') ? text.slice(0, text.indexOf('=')) : text;
    if (SKIPPED.has(text)) continue;
    if (text === '-c') {
      configure(call, args[at + 1] ?? word);
      at += 1;
    } else if (SKIPPED_WITH_VALUE.has(name)) {
      elsewhere = true;
      if (name !== text) continue;
      at += 1;
      const value = args[at];
      if (value?.splits === true) unknown(sink, 'undetermined-option', value);
    } else {
      unknown(sink, 'unknown-option', word);
      if (name !== '--exec-path' && name !== '--config-env') return null;
      if (name === '--config-env' && name === text) at += 1;
    }
  }
  return { at, elsewhere };
}

function configure(call: ProgramCall, setting: Word): void {
  const { sink } = call;
  const key = /^([^=]*)(?:=|$)/.exec(setting.lead)?.[1] ?? '';
  const complete = setting.text !== null || setting.lead.includes('=');
  if (!complete || setting.splits || !HARMLESS_CONFIG.test(key)) unknown(sink, 'unknown-option', setting);
  const alias = /^alias\.[^=]*=!/i.exec(setting.text ?? '');
  if (alias === null || setting.text === null) return;
  const script = part(setting, setting.text.slice(alias[0].length));
  call.starts.push({ label: 'git', script: { text: script.text ?? '', from: [script] } });
}

function judge(git: GitCall, subcommand: string): void {
  const { call } = git;
  const { sink } = call;
  if (READS.has(subcommand)) return readOnly(git, subcommand);
  const targets = WRITES[subcommand];
  if (targets !== undefined) return write(git, subcommand, targets);
  switch (subcommand) {
    case 'branch':
    case 'tag':
      return branchOrTag(git, subcommand);
    case 'remote':
      return remote(git);
    case 'stash':
    case 'reflog':
    case 'worktree':
    case 'submodule':
      return lists(git, subcommand);
    case 'config':
      return config(git);
    case 'rebase':
      return rebase(git);
    case 'push':
    case 'fetch':
    case 'pull':
    case 'clone':
    case 'ls-remote':
      return transfer(git, subcommand);
    default:
      unknown(sink, 'unknown-subcommand', git.subcommand);
  }
}

function write(git: GitCall, subcommand: string, targets: readonly TargetKind[]): void {
  const { args, call } = git;
  const dry =
    subcommand === 'clean' &&
    args.some(({ text }) => text !== null && /^(?:-[a-zA-Z]*n[a-zA-Z]*|--dry-run|--dry-r?u?)$/.test(text));
  if (!dry) change(call.sink, ...targets);
  const found = args.find(({ text }) => text !== null && /^--(?:templ(?:a(?:te?)?)?|exec?)(?:=|$)/.test(text));
  if (found !== undefined) unknown(call.sink, 'unknown-option', found);
}

function rebase(git: GitCall): void {
  const { args, call } = git;
  change(call.sink, 'writes', 'deletes');
  undetermined(git);
  for (const word of args) {
    const { text } = word;
    if (text === null) continue;
    if (/^--(?:exe?c?|inter?a?c?t?i?v?e?)(?:=|$)/.test(text) || /^-[a-rt-wyzA-BD-RT-WYZ]*[xi]/.test(text)) {
      unknown(call.sink, 'unknown-option', word);
    }
  }
}
