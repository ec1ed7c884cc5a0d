import type { Json, Trust } from '@warrant/core';

/** One thing that a foreign memory holds, before it has a key here. */
export type ImportItem = {
  /** Where it stood there, parts separated by slashes. */
  readonly name: string;
  readonly value: Json;
  /** Where it comes from, for its label. */
  readonly source: string;
  /** At most `provider`, whatever is given. @default 'provider' */
  readonly trust?: Trust;
  readonly entities?: readonly string[];
  /** Whom it is about. @default null */
  readonly subject?: string | null;
  readonly session?: string | null;
  readonly speaker?: string | null;
  readonly sequence?: number | null;
  /** 0 to 1. @default 1 */
  readonly confidence?: number;
  /** Since when it is so, in any form that `Date` reads. @default when it is imported */
  readonly at?: string | number | null;
};
/** Something that could not be taken over. */
export type ImportProblem = { readonly where: string; readonly message: string };
export type Parsed = { readonly items: readonly ImportItem[]; readonly problems: readonly ImportProblem[] };
