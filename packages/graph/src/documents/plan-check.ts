import { nearest, type Primitive } from '@warrant/core';
import { findCycles } from '../cycles.ts';
import { isTransitive } from '../relations.ts';
import { relataTargets } from '../stored.ts';
import { quote } from '../text.ts';
import type { DocumentRelatum, Place } from './format.ts';
import type { Entry, Removal, Stock } from './plan-types.ts';
import type { DocumentProblem, DocumentProblemCode } from './problems.ts';

type Plan = {
  readonly stock: Stock;
  readonly entries: readonly Entry[];
  readonly merged: readonly { readonly entry: Entry; readonly primitive: Primitive }[];
  readonly removals: readonly Removal[];
};

/** Everything that would keep the plan from being applied, each with its line. */
export function checkPlan(plan: Plan): readonly DocumentProblem[] {
  return [...danglingTargets(plan), ...wrongIds(plan), ...cycles(plan), ...leftDangling(plan)];
}

function problem(
  place: Place,
  code: DocumentProblemCode,
  message: string,
  suggestion: string | null = null,
): DocumentProblem {
  return { ...place, code, message, suggestion };
}

function danglingTargets({ stock, entries, removals }: Plan): readonly DocumentProblem[] {
  const problems: DocumentProblem[] = [];
  const keys = new Set(entries.map(({ concept }) => concept.key));
  const gone = new Set(removals.filter(({ rest }) => rest === null).map(({ stored }) => stored.id));
  for (const { concept } of entries) {
    for (const { relata } of concept.levels) {
      for (const { key, target, place } of relata) {
        const stored = stock.byKey.get(key);
        if (keys.has(key) || (stored !== undefined && !gone.has(stored.id))) continue;
        const names = [
          ...entries.map((entry) => entry.concept.name),
          ...[...stock.byKey.values()].map((one) => one.name),
        ];
        const message =
          stored === undefined ? `there is no concept ${quote(target)}` : `${quote(target)} is removed by this import`;
        problems.push(
          problem(place, 'document.dangling-target', message, stored === undefined ? nearest(target, names) : null),
        );
        if (problems.length > 100) return problems;
      }
    }
  }
  return problems;
}

function wrongIds({ entries, stock }: Plan): readonly DocumentProblem[] {
  return entries.flatMap(({ concept, stored }) => {
    if (concept.id === null) return [];
    if (stored !== undefined && stored.id !== concept.id) {
      return [
        problem(concept.place, 'document.id-mismatch', `the graph holds ${quote(concept.name)} under another id`),
      ];
    }
    const holder = stock.byId.get(concept.id);
    if (stored !== undefined || holder === undefined) return [];
    return [problem(concept.place, 'document.id-mismatch', `the id is that of ${quote(holder.name)} in the graph`)];
  });
}

function cycles({ stock, merged, removals }: Plan): readonly DocumentProblem[] {
  const written = new Map(merged.map(({ entry, primitive }) => [entry.id, { entry, primitive }]));
  const rests = new Map(removals.map(({ stored, rest }) => [stored.id, rest]));
  const primitiveOf = (id: string): Primitive | null | undefined =>
    written.get(id)?.primitive ?? (rests.has(id) ? rests.get(id) : stock.byId.get(id));
  const prerequisites = (id: string): readonly string[] => {
    const primitive = primitiveOf(id);
    return primitive == null ? [] : relataTargets(primitive).prerequisites;
  };
  return findCycles(written.keys(), prerequisites, 20).map((ids) => {
    const path = ids.map((id) => quote(primitiveOf(id)?.name ?? id)).join(' -> ');
    return problem(placeOfCycle(ids, written), 'document.cycle', `the transitive relations form a cycle: ${path}`);
  });
}

/** The line of the first edge of the cycle that a document holds. */
function placeOfCycle(
  ids: readonly string[],
  written: ReadonlyMap<string, { readonly entry: Entry; readonly primitive: Primitive }>,
): Place {
  for (const [index, id] of ids.slice(0, -1).entries()) {
    const entry = written.get(id)?.entry;
    const next = ids[index + 1];
    const leads = (one: DocumentRelatum): boolean => isTransitive(one.relation) && entry?.merge.idOf(one.key) === next;
    const found = entry?.concept.levels.flatMap(({ relata }) => relata).find(leads);
    if (found !== undefined) return found.place;
  }
  return [...written.values()][0]?.entry.concept.place as Place;
}

function leftDangling({ removals }: Plan): readonly DocumentProblem[] {
  return removals.flatMap(({ stored, rest, dependants, document }) => {
    if (rest !== null || dependants.length === 0) return [];
    const who = dependants.slice(0, 5).map(quote).join(', ');
    const message = `removing ${quote(stored.name)} would leave relata of ${dependants.length} other concepts dangling: ${who}`;
    return [problem({ file: document.file, line: 1, column: 1, path: '' }, 'document.would-dangle', message)];
  });
}
