import type { Extension, Json } from '@warrant/core';

/** A chart as plain JSON: what every reader gives and every writer takes. Names follow W3C SCXML 1.0, in camelCase. */
export type ChartIr = {
  readonly name?: string;
  /** @default 'cel' */
  readonly datamodel: 'cel' | 'null';
  /** `late`: a state's data are made when it is first entered. @default 'early' */
  readonly binding: 'early' | 'late';
  /** Ids of the states to enter at the start. @default the first child */
  readonly initial?: readonly string[];
  readonly data: readonly DataItem[];
  readonly states: readonly StateIr[];
  readonly extensions?: readonly Extension[];
};

export type StateIr = {
  readonly type: 'state' | 'parallel' | 'final' | 'history';
  readonly id?: string;
  /** Of a compound state. Either the ids, or a transition whose content runs between entry and the children's entry. */
  readonly initial?: readonly string[] | TransitionIr;
  /** Of a history. @default 'shallow' */
  readonly history?: 'shallow' | 'deep';
  /** Of a history: where it leads when there is nothing to remember. */
  readonly transitions: readonly TransitionIr[];
  /** Each block fails alone. */
  readonly onEntry: readonly Block[];
  readonly onExit: readonly Block[];
  readonly data: readonly DataItem[];
  readonly invokes: readonly InvokeIr[];
  readonly states: readonly StateIr[];
  /** Of a final. */
  readonly doneData?: DoneData;
  readonly extensions?: readonly Extension[];
};

export type TransitionIr = {
  /** Event descriptors; empty for a transition that waits for no event. */
  readonly events: readonly string[];
  readonly cond?: string;
  readonly targets: readonly string[];
  /** @default 'external' */
  readonly type: 'internal' | 'external';
  readonly content: Block;
  readonly extensions?: readonly Extension[];
};

export type Block = readonly Action[];

export type Action = { readonly extensions?: readonly Extension[] } & (
  | { readonly type: 'raise'; readonly event: string }
  | SendIr
  | { readonly type: 'cancel'; readonly sendId?: string; readonly sendIdExpr?: string }
  | { readonly type: 'assign'; readonly location: string; readonly expr?: string; readonly value?: Json }
  | { readonly type: 'log'; readonly label?: string; readonly expr?: string }
  | { readonly type: 'if'; readonly branches: readonly Branch[] }
  | {
      readonly type: 'foreach';
      readonly array: string;
      readonly item: string;
      readonly index?: string;
      readonly content: Block;
    }
  /** Does nothing: it keeps attributes and elements of other namespaces in their place in a block, which counts. */
  | { readonly type: 'extension' }
);

/** A branch without `cond` is the `else`. */
export type Branch = { readonly cond?: string; readonly content: Block };

/** A literal, or an expression for it. */
export type SendIr = {
  readonly type: 'send';
  readonly event?: string;
  readonly eventExpr?: string;
  readonly target?: string;
  readonly targetExpr?: string;
  /** SCXML's `type`: the event I/O processor. */
  readonly processor?: string;
  readonly processorExpr?: string;
  readonly id?: string;
  readonly idLocation?: string;
  readonly delay?: string;
  readonly delayExpr?: string;
  readonly namelist?: readonly string[];
  readonly params?: readonly Param[];
  readonly content?: Content;
};

export type Param = {
  readonly name: string;
  readonly expr?: string;
  readonly location?: string;
  readonly extensions?: readonly Extension[];
};

/** Either an expression or a value. */
export type Content = ({ readonly expr: string } | { readonly value: Json }) & {
  readonly extensions?: readonly Extension[];
};

export type DataItem = {
  readonly id: string;
  readonly expr?: string;
  readonly value?: Json;
  readonly src?: string;
  readonly extensions?: readonly Extension[];
};

export type DoneData = {
  readonly params?: readonly Param[];
  readonly content?: Content;
  readonly extensions?: readonly Extension[];
};

export type InvokeIr = {
  /** SCXML's `type`: what kind of service is invoked. */
  readonly processor?: string;
  readonly processorExpr?: string;
  readonly src?: string;
  readonly srcExpr?: string;
  readonly id?: string;
  readonly idLocation?: string;
  readonly namelist?: readonly string[];
  readonly params?: readonly Param[];
  readonly autoforward: boolean;
  /** A chart written in place, an expression or a value. */
  readonly content?: Content | { readonly chart: ChartIr };
  readonly finalize?: Block;
  readonly extensions?: readonly Extension[];
};
