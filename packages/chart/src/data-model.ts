import type { Json, JsonObject } from '@warrant/core';
import type { ChartEvent } from './event.ts';

/** What an expression sees. */
export type Scope = {
  readonly data: JsonObject;
  readonly event: ChartEvent | null;
  readonly session: { readonly id: string; readonly name: string };
  readonly isActive: (state: string) => boolean;
  /** Read-only variables that the compiler was told of, with this input's values. */
  readonly variables: JsonObject;
};

/** A compiled expression; evaluating it throws a WarrantError that holds no values. */
export type Expression = {
  readonly source: string;
  /** Whether it reads the event's payload, so that an offer cannot know its outcome. */
  readonly readsPayload: boolean;
  readonly evaluate: (scope: Scope) => Json;
};

/** A place in the data that may be assigned to, as steps into it. */
export type Location = { readonly source: string; readonly path: (scope: Scope) => readonly (string | number)[] };

/** How charts compute: expressions, conditions and locations of one language. */
export interface DataModel {
  readonly name: 'cel' | 'null';
  /** @throws CHART_EXPRESSION with the place inside the source. */
  expression(source: string): Expression;
  /** A condition: only `true` holds, what is not a boolean is an error. */
  condition(source: string): Expression;
  location(source: string): Location;
  /** The value at a location, as namelists and params take it. */
  read(source: string): Expression;
  /** Sub-expressions of a condition whose values say why it holds or not. */
  parts?(source: string): readonly Expression[];
}
