import type { Scope } from './frame.ts';
import { type Directories, resolvePath, unite } from './paths.ts';
import type { Word } from './syntax/tree.ts';

const MOVES = /(?:^|[\s;&|({`"'])(?:cd|pushd|popd|eval|source|\.)(?:[\s;&|)}"'`]|$)/;

/** True if the text may change the working directory of the shell that runs it. */
export function mayMove(text: string): boolean {
  return MOVES.test(text);
}

/** Tells once asked whether a script may move its shell. */
export function motionOf(text: string): () => boolean {
  let known: boolean | undefined;
  return () => {
    known ??= mayMove(text);
    return known;
  };
}

/** Moves the scope as `cd` and its relatives do; returns where the shell is if that fails. */
export function moveBy(name: string, args: readonly Word[], scope: Scope, home: string | undefined): Directories {
  const before = scope.directories;
  if (name === 'cd' || name === 'pushd') scope.directories = targetOf(name, args, before, home);
  else if (name === 'popd' || name === 'source' || name === '.') scope.directories = null;
  else return before;
  // Whatever a sourced file does, nobody knows where the shell is afterwards.
  return name === 'source' || name === '.' ? null : before;
}

function targetOf(name: string, args: readonly Word[], before: Directories, home: string | undefined): Directories {
  const operands = args.filter(({ text }) => text === null || !/^-[LPe@n]+$|^--$/.test(text));
  const [target] = operands;
  if (target === undefined) return name === 'cd' && home !== undefined ? [home] : null;
  if (operands.length > 1 || target.text === null || /^[-+]\d*$/.test(target.text)) return null;
  const resolved = resolvePath(target.text, target.tilde, before, home);
  return resolved.length === 0 ? null : resolved;
}

/** Goes where a wrapper such as `env -C` goes. */
export function enter(scope: Scope, directory: Word | null | undefined, home: string | undefined): Scope {
  if (directory === undefined) return scope;
  const resolved = directory?.text == null ? [] : resolvePath(directory.text, directory.tilde, scope.directories, home);
  return { ...scope, directories: resolved.length === 0 ? null : resolved };
}

export function uniteInto(scope: Scope, other: Directories): void {
  scope.directories = unite(scope.directories, other);
}
