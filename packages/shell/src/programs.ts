import type { ProgramSpec } from './table/spec.ts';

/** A checked table of a person's own programs. */
export type Programs = { readonly entries: ReadonlyMap<string, ProgramSpec> };
