import type { ChartFault } from './fault.ts';
import type { ChartIr } from './ir.ts';

/** A line and a column of a document, both from 1. */
export type SourcePlace = { readonly line: number; readonly column: number };

/** Where in its document the part of a chart stands that a JSON Pointer into the IR names, or its nearest parent. */
export type PlaceOf = (path: string) => SourcePlace | undefined;

/** A chart and where its parts stand in the document it was read from. */
export type ReadChart = { readonly chart: ChartIr; readonly placeOf: PlaceOf };

/** As much of a chart as could be read, and what could not. */
export type SurveyedChart = ReadChart & { readonly faults: readonly ChartFault[] };

/** Looks a pointer up by walking the IR: the innermost part whose place is known answers, with the steps that lead on from it. */
export function placesOf(
  chart: ChartIr,
  placeOfPart: (part: object, rest: readonly string[]) => SourcePlace | undefined,
): PlaceOf {
  return (path) => {
    const steps = path.split('/').slice(1).map(unescapeStep);
    let found = placeOfPart(chart, steps);
    let current: unknown = chart;
    for (const [index, step] of steps.entries()) {
      if (typeof current !== 'object' || current === null || !Object.hasOwn(current, step)) break;
      current = (current as { readonly [key: string]: unknown })[step];
      if (typeof current === 'object' && current !== null)
        found = placeOfPart(current, steps.slice(index + 1)) ?? found;
    }
    return found;
  };
}

function unescapeStep(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}
