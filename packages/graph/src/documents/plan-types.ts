import type { Clock, GraphVersion, Primitive } from '@warrant/core';
import type { DocumentConcept, GraphDocument } from './format.ts';
import type { Merge } from './merge.ts';

/** Options of {@link planImport}. */
export type ImportOptions = {
  /** Removes what the same documents brought in before and no longer hold. @default false */
  readonly prune?: boolean;
  /** Names of concepts that may go although something was learned about them. @default none */
  readonly removeLearned?: readonly string[];
  /** Dates what is new. @default the machine's clock */
  readonly clock?: Clock;
};

/** One concept of a document beside what is stored under its name. */
export type Entry = {
  readonly concept: DocumentConcept;
  readonly merge: Merge;
  readonly stored: Primitive | undefined;
  readonly id: string;
};
export type Stock = {
  readonly version: GraphVersion;
  readonly byKey: ReadonlyMap<string, Primitive>;
  readonly byId: ReadonlyMap<string, Primitive>;
};

/** A stored concept that its document no longer holds. `rest` is what stays of it, null when all goes. */
export type Removal = {
  readonly stored: Primitive;
  readonly rest: Primitive | null;
  readonly reason: 'learned' | 'other-document' | null;
  /** Primitives that name it and are not of this import. */
  readonly dependants: readonly string[];
  readonly document: GraphDocument;
};
