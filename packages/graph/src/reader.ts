import type { Digest } from '@warrant/core';
import type { StoredPrimitive } from './stored.ts';

/** What a batch of changes has to know of the stored graph. Synchronous, so that nothing changes in between. */
export interface GraphReader {
  has(id: string): boolean;
  get(id: string): StoredPrimitive | undefined;
  digestOf(id: string): Digest | undefined;
  /** The id that holds a fold key. */
  idOfKey(key: string): string | undefined;
  /** Ids of the primitives with a relatum to this one, itself included when it names itself. */
  dependants(id: string): readonly string[];
  /** Distinct targets of the transitive relata; empty for an unknown id. */
  prerequisites(id: string): readonly string[];
}

/** What a batch leaves behind: `written` differ from what is stored, `removed` are stored. */
export type Staged = {
  readonly written: ReadonlyMap<string, StoredPrimitive>;
  readonly removed: ReadonlySet<string>;
};
