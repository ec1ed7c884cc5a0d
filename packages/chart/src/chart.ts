import type { Digest, Extension, Json } from '@warrant/core';
import type { DataModel, Expression, Location } from './data-model.ts';
import type { Descriptor } from './event.ts';
import type { EventTypes } from './event-types.ts';
import type { ChartIr } from './ir.ts';
import type { Limits } from './limits.ts';
import type { Plan } from './plan.ts';

/** A compiled chart. Nodes stand in document order; node 0 is the chart itself. */
export type Chart = {
  readonly ir: ChartIr;
  readonly digest: Digest;
  readonly name: string;
  readonly dataModel: DataModel;
  readonly binding: 'early' | 'late';
  readonly nodes: readonly ChartNode[];
  readonly byId: ReadonlyMap<string, ChartNode>;
  /** All transitions that events can take, in document order. */
  readonly transitions: readonly Transition[];
  /** The types of events, where the chart declares them. */
  readonly types: EventTypes | undefined;
  readonly limits: Limits;
  /** What transitions leave and enter, kept once it is worked out; says nothing that the rest of the chart does not. */
  readonly plans: Map<Transition, Plan | 'depends'>;
};

export type ChartNode = {
  readonly index: number;
  /** The id in the document, or one made from its place (`#3`). */
  readonly id: string;
  readonly type: 'compound' | 'atomic' | 'parallel' | 'final' | 'history';
  readonly parent: ChartNode | undefined;
  readonly depth: number;
  /** Index of the last descendant: descendants are the nodes in (index, last]. */
  readonly last: number;
  readonly children: readonly ChartNode[];
  readonly transitions: readonly Transition[];
  /** Of a compound: entered by default. Of a history: entered when nothing is remembered. */
  readonly initial: Transition | undefined;
  readonly deep: boolean;
  readonly onEntry: readonly CompiledBlock[];
  readonly onExit: readonly CompiledBlock[];
  readonly data: readonly CompiledData[];
  readonly invokes: readonly CompiledInvoke[];
  readonly doneData: CompiledPayload | undefined;
  readonly extensions: readonly Extension[];
  /** Its children that are histories. */
  readonly histories: readonly ChartNode[];
  /** Whether it or a state around it has a transition that waits for no event. */
  readonly hasEventless: boolean;
  /** Whether leaving it runs nothing. */
  readonly leavesQuietly: boolean;
};

export type Transition = {
  /** `state#index`: its name in explanations and records. */
  readonly id: string;
  /** Place among all transitions in document order. */
  readonly order: number;
  readonly source: ChartNode;
  readonly events: readonly string[];
  readonly descriptors: readonly Descriptor[];
  readonly cond: Expression | undefined;
  readonly targets: readonly ChartNode[];
  readonly internal: boolean;
  readonly content: CompiledBlock;
  readonly extensions: readonly Extension[];
};

export type CompiledBlock = readonly CompiledAction[];

/** A literal, or an expression whose value is turned into text. */
export type TextSource = string | Expression | undefined;

export type CompiledPayload = {
  /** `listed`: of a namelist, not a param. */
  readonly pairs: readonly { readonly name: string; readonly value: Expression; readonly listed: boolean }[];
  readonly content: { readonly expression: Expression } | { readonly value: Json } | undefined;
};

export type CompiledSend = {
  readonly type: 'send';
  readonly event: TextSource;
  readonly target: TextSource;
  readonly processor: TextSource;
  readonly delay: TextSource;
  readonly id: string | undefined;
  readonly idLocation: Location | undefined;
  readonly payload: CompiledPayload;
};

export type CompiledAction =
  | { readonly type: 'raise'; readonly event: string }
  | CompiledSend
  | { readonly type: 'cancel'; readonly sendId: TextSource }
  | { readonly type: 'assign'; readonly location: Location; readonly value: Expression | { readonly json: Json } }
  | { readonly type: 'log'; readonly label: string | undefined; readonly value: Expression | undefined }
  | {
      readonly type: 'if';
      readonly branches: readonly { readonly cond: Expression | undefined; readonly content: CompiledBlock }[];
    }
  | {
      readonly type: 'foreach';
      readonly array: Expression;
      readonly item: Location;
      readonly index: Location | undefined;
      readonly content: CompiledBlock;
    }
  | { readonly type: 'extension' };

export type CompiledData = { readonly id: string; readonly value: Expression | { readonly json: Json } | undefined };

export type CompiledInvoke = {
  readonly order: number;
  readonly processor: TextSource;
  readonly src: TextSource;
  readonly id: string | undefined;
  readonly idLocation: Location | undefined;
  readonly autoforward: boolean;
  readonly payload: CompiledPayload;
  readonly chart: ChartIr | undefined;
  readonly finalize: CompiledBlock | undefined;
  /** Locations that a finalize without content takes from the event (standard 6.5.2). */
  readonly taken: readonly { readonly name: string; readonly location: Location }[];
};

/** True when `inner` lies below `outer`. */
export function isDescendant(inner: ChartNode, outer: ChartNode): boolean {
  return inner.index > outer.index && inner.index <= outer.last;
}
