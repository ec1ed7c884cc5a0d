import { change, unknown } from '../sink.ts';
import type { Word } from '../syntax/tree.ts';
import { type GitCall, readOnly, undetermined } from './git-call.ts';

const LISTING = {
  branch: /^(?:-[arvl]+|-vv|--(?:show-current|list|all|contains|merged|no-merged|points-at|sort|format)(?:=.*)?)$/s,
  tag: /^(?:-[ln]+\d*|--(?:list|contains|merged|points-at|sort|format)(?:=.*)?)$/s,
} as const;
const CHANGING = {
  branch:
    /^(?:-[a-zA-Z]*[dDmMcCfu]|-t|--(?:delete|move|copy|force|set-upstream|unset-upstream|edit-desc|track|no-track|create-ref))/,
  tag: /^(?:-[a-zA-Z]*[asufdmFev]|--(?:annotate|sign|local-user|force|delete|message|file|edit|cleanup|verify|create-ref))/,
} as const;

/** `git branch` and `git tag` list, or change when given a name. */
export function branchOrTag(git: GitCall, subcommand: 'branch' | 'tag'): void {
  const { args, call } = git;
  undetermined(git);
  const operands = args.filter(({ text }) => text === null || !text.startsWith('-'));
  const listing = args.some(({ text }) => text !== null && LISTING[subcommand].test(text));
  const changing = args.some(({ text }) => text !== null && CHANGING[subcommand].test(text));
  const only = subcommand === 'branch' && args.every(({ text }) => text !== null && LISTING.branch.test(text));
  if (changing && !only) change(call.sink);
  else if (operands.length > 0 && !listing) change(call.sink);
}

/** The first word that is no option; null text where nobody knows. */
function action(git: GitCall): Word | undefined {
  return git.args.find(({ text }) => text === null || !text.startsWith('-'));
}

export function remote(git: GitCall): void {
  const { call, args } = git;
  const { sink } = call;
  const word = action(git);
  if (word === undefined) {
    const other = args.find(({ text }) => text !== '-v' && text !== '--verbose');
    if (other !== undefined) change(sink);
    return;
  }
  const helper = args.find(({ lead }) => lead.includes('ext::'));
  if (helper !== undefined) unknown(sink, 'runs-code', helper);
  switch (word.text) {
    case null:
      unknown(sink, 'undetermined-option', word);
      return;
    case 'get-url':
      return;
    case 'show':
      sink.network = true;
      return;
    case 'update':
    case 'prune':
      sink.network = true;
      change(sink);
      return;
    default:
      change(sink);
  }
}

/** `stash list`, `worktree list` and the like read; what else they do changes something. */
export function lists(git: GitCall, subcommand: 'stash' | 'reflog' | 'worktree' | 'submodule'): void {
  const { call } = git;
  const { sink } = call;
  const word = action(git);
  const text = word?.text;
  if (word !== undefined && text === null && subcommand !== 'stash') {
    unknown(sink, 'undetermined-option', word);
    return;
  }
  const reads =
    subcommand === 'stash'
      ? text === 'list' || text === 'show'
      : subcommand === 'reflog'
        ? text !== 'expire' && text !== 'delete' && text !== 'drop'
        : text === (subcommand === 'worktree' ? 'list' : 'status');
  if (reads) readOnly(git, subcommand);
  else if (subcommand === 'submodule') unknown(sink, 'unknown-subcommand', word ?? git.subcommand);
  else change(sink, ...(subcommand === 'reflog' ? [] : (['writes', 'deletes'] as const)));
}

const CONFIG_VALUES = new Set(['-f', '--file', '--blob', '--type', '--default', '--comment', '--value', '--url']);
const CONFIG_READS = /^(?:--get.*|--list|-l|--show-origin-only)$/;
const CONFIG_CHANGES = /^(?:--unset|--unse|--add|--replace|--remove|--rename|--edit|-[a-zA-Z]*e)/;

export function config(git: GitCall): void {
  const { args, call } = git;
  undetermined(git);
  const operands: Word[] = [];
  let listing = false;
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at];
    const text = word?.text ?? null;
    if (word === undefined) break;
    if (text === null || !text.startsWith('-')) operands.push(word);
    else if (CONFIG_VALUES.has(text)) at += 1;
    else if (CONFIG_READS.test(text)) listing = true;
    else if (CONFIG_CHANGES.test(text)) {
      unknown(call.sink, 'unknown-subcommand', word);
      return;
    }
  }
  const first = operands[0]?.text;
  if (listing || first === 'get' || first === 'list' || (operands.length === 1 && !isConfigVerb(first))) return;
  unknown(call.sink, 'unknown-subcommand', operands[0] ?? git.subcommand);
}

/** Newer gits have verbs; one alone changes nothing, but `edit` starts an editor. */
function isConfigVerb(text: string | null | undefined): boolean {
  return text === 'edit' || text === 'set' || text === 'unset';
}

const TRANSFER_UNKNOWN = /^--(?:upl.*|rec(?!u).*|ex.*|con.*|te.*)(?:=|$)/s;

/** `push`, `fetch`, `pull`, `clone` and `ls-remote`. */
export function transfer(git: GitCall, subcommand: string): void {
  const { args, call } = git;
  const { sink } = call;
  sink.network = true;
  if (subcommand !== 'ls-remote')
    change(sink, ...(subcommand === 'clone' || subcommand === 'pull' ? (['writes'] as const) : []));
  undetermined(git);
  for (const word of args) {
    const { text, lead } = word;
    if (lead.includes('ext::')) unknown(sink, 'runs-code', word);
    if (text === null) continue;
    const option =
      TRANSFER_UNKNOWN.test(text) ||
      (subcommand === 'clone' && /^-[a-zA-Z]*?[uc]/.test(text) && !/^-[a-zA-Z]*?[boj]/.test(text));
    if (option) unknown(sink, 'unknown-option', word);
  }
}
