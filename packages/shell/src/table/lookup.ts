import { development } from './development.ts';
import { files } from './files.ts';
import { network } from './network.ts';
import { shellBuiltins } from './shell-builtins.ts';
import type { ProgramSpec } from './spec.ts';
import { system } from './system.ts';
import { text } from './text.ts';

/** The entry of a program by its base name. */
export type ProgramLookup = (name: string) => ProgramSpec | undefined;

let index: ReadonlyMap<string, ProgramSpec> | undefined;

/** The built-in table, indexed at the first question. */
export function builtInPrograms(): ReadonlyMap<string, ProgramSpec> {
  index ??= indexPrograms([shellBuiltins, text, files, system, network, development].flat());
  return index;
}

/** Entries by each of their names; the later entry of a name wins. */
function indexPrograms(specs: readonly ProgramSpec[]): ReadonlyMap<string, ProgramSpec> {
  return new Map(specs.flatMap((spec) => spec.names.split(' ').map((name): [string, ProgramSpec] => [name, spec])));
}
