import type { Json, JsonObject } from '@warrant/core';

/** The types that a chart declares for the data of its events. */
export interface EventTypes {
  /** JSON Pointers to what in the data is not as the event's type has it; none when it is, or when the event has no type. */
  violations(event: string, data: Json): readonly string[];
  /** JSON Schema 2020-12 of the event's data. */
  schemaOf(event: string): JsonObject | undefined;
}

/** Compiles declarations (`type Tool = …; event call = …;`). @throws CHART_TYPES with line and column inside the text */
export type EventTypesCompiler = (declarations: string) => EventTypes;
