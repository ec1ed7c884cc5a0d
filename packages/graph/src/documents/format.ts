import type { DepthLevel, JsonObject, RelationType } from '@warrant/core';

/** The first line of every document: `format: warrant.graph/1`. */
export const GRAPH_FORMAT = 'warrant.graph/1';

/** The levels by the words that documents use for them; the place is the level. */
export const LEVEL_WORDS = ['existence', 'identity', 'capabilities', 'constraints', 'implications'] as const;

/** What documents may hold at most. */
export const DOCUMENT_LIMITS = {
  /** UTF-16 code units of one file. */
  fileLength: 67_108_864,
  /** Files of one import. */
  files: 1000,
  /** Concepts of one import. */
  concepts: 200_000,
  /** Nesting of lists and maps in one file. */
  nesting: 64,
  /** Problems that are listed. */
  problems: 100,
} as const;

/** Where something stands: line and column count from 1, `path` is a JSON Pointer. */
export type Place = {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly path: string;
};

/** A document as read: names instead of ids, each part with its place. */
export type GraphDocument = {
  readonly name: string;
  readonly file: string;
  readonly description: string | null;
  readonly concepts: readonly DocumentConcept[];
};
export type DocumentConcept = {
  readonly name: string;
  /** The fold key of the name. */
  readonly key: string;
  readonly id: string | null;
  readonly place: Place;
  readonly levels: readonly DocumentLevel[];
};
export type DocumentLevel = {
  readonly level: DepthLevel;
  readonly place: Place;
  readonly properties: JsonObject;
  readonly relata: readonly DocumentRelatum[];
};
export type DocumentRelatum = {
  readonly relation: RelationType;
  readonly target: string;
  /** The fold key of the target's name. */
  readonly key: string;
  readonly targetDepth: DepthLevel;
  readonly metadata: JsonObject | null;
  readonly place: Place;
};

/** One document's text; the file's name is for messages alone. */
export type GraphFile = { readonly file: string; readonly text: string };
